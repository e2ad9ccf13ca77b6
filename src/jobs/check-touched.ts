/**
 * Whether the paths that a command or a command line names may be touched, by the same scope that the tools for files go through: links
 * and deny rules as they are on the disk, not as the text says.
 */
import { Failure, type FailureCode } from "../base/index.ts";
import type { Located, Scope } from "../scope/index.ts";

export interface TouchedPath {
  /** In the words of the caller. */
  readonly path: string;
  readonly writes: boolean;
}

export interface TouchedVerdict {
  readonly path: string;
  /** Why it may not be touched. */
  readonly refused: string;
  readonly code: FailureCode;
}

/** Those that are refused. What is not there is for the program to say. */
export function checkTouched(scope: Scope, paths: readonly TouchedPath[]): TouchedVerdict[] {
  return paths.flatMap(({ path, writes }) => {
    const refused = whyRefused(scope, path, writes);
    return refused === undefined ? [] : [{ path, ...refused }];
  });
}

function whyRefused(scope: Scope, path: string, writes: boolean): Omit<TouchedVerdict, "path"> | undefined {
  try {
    const at = targetOf(scope, scope.locate(path, "touch"));
    if (!writes || !scope.innermost(at).root.readOnly) return undefined;
    return { refused: "its root is for reading only", code: "denied" };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === "not_found" ? undefined : { refused: thrown.message, code: thrown.code };
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
