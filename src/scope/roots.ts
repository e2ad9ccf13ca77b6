/**
 * Opening the roots, once, at start. What is opened here is what the root is from now on, whatever happens to its path.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../base/index.ts";
import type { Backend, RootHandle } from "./backend.ts";

export interface RootSpec {
  /** Absolute path. */
  readonly path: string;
  readonly readOnly: boolean;
}

export interface OpenRoot {
  readonly index: number;
  readonly handle: RootHandle;
  readonly readOnly: boolean;
  /** Absolute paths under which a caller may name it: as given, and canonical. */
  readonly spellings: readonly string[];
}

/** @throws Failure `not_found`, `invalid_input` (a file), `denied` (unreadable) naming the root */
export function openRoots(specs: readonly RootSpec[], backend: Backend): OpenRoot[] {
  return specs.map((spec, index) => {
    const given = resolve(spec.path);
    const handle = openOne(given, backend);
    return {
      index,
      handle,
      readOnly: spec.readOnly,
      spellings: [...new Set([given, handle.canonical, realpathSync(given)])],
    };
  });
}

function openOne(path: string, backend: Backend): RootHandle {
  try {
    return backend.openRoot(path);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    const hint = "Give an existing directory: --root DIR, or --root DIR:ro for reading only.";
    if (code === "ENOENT")
      throw new Failure("not_found", `Cannot open the root "${path}": it does not exist`, { hint });
    if (code === "ENOTDIR")
      throw new Failure("invalid_input", `Cannot open the root "${path}": it is not a directory`, { hint });
    throw new Failure("denied", `Cannot open the root "${path}": ${code ?? String(thrown)}`, { hint });
  }
}
