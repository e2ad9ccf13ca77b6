/**
 * Whether the paths that a command line names may be touched, by the same scope that the tools for files go through: links
 * and deny rules as they are on the disk, not as the text says.
 */
import { Failure } from "../base/index.ts";
import type { Located, Scope } from "../scope/index.ts";

export interface TouchedPath {
  /** Absolute. */
  readonly path: string;
  readonly writes: boolean;
}

export interface TouchedVerdict {
  readonly path: string;
  /** Why it may not be touched. */
  readonly refused: string;
}

/** Those that are refused. What is not there is for the program to say. */
export function checkTouched(scope: Scope, input: string): TouchedVerdict[] {
  const paths = JSON.parse(input) as readonly TouchedPath[];
  return paths.flatMap(({ path, writes }) => {
    const refused = whyRefused(scope, path, writes);
    return refused === undefined ? [] : [{ path, refused }];
  });
}

function whyRefused(scope: Scope, path: string, writes: boolean): string | undefined {
  try {
    const at = targetOf(scope, scope.locate(path, "touch"));
    if (!writes || !scope.innermost(at).root.readOnly) return undefined;
    return "its root is for reading only";
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === "not_found" ? undefined : thrown.message;
  }
}

function targetOf(scope: Scope, at: Located): Located {
  try {
    return scope.resolve(at, "touch");
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
    using place = scope.place(at, "touch");
    return place.at;
  }
}
