/**
 * The roots of a scope. What is opened here is what the root is from now on, whatever happens to its path; the host hands
 * in what it opened at its start, so that a scope made later is of the same directories.
 */
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
export function openRoots(specs: readonly RootSpec[], backend: Backend, held: readonly number[]): OpenRoot[] {
  return specs.map((spec, index) => {
    const given = resolve(spec.path);
    const handle = openOne(given, backend, held[index]);
    return {
      index,
      handle,
      readOnly: spec.readOnly,
      spellings: [...new Set([given, handle.canonical])],
    };
  });
}

function openOne(path: string, backend: Backend, held: number | undefined): RootHandle {
  try {
    return backend.openRoot(path, held);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    const hint = "Give an existing directory: --root DIR, or --root DIR:ro for reading only.";
    if (code === "ENOENT")
      throw new Failure("not_found", `Cannot open the root "${path}": it does not exist`, { hint });
    if (code === "ENOTDIR")
      throw new Failure("invalid_input", `Cannot open the root "${path}": it is not a directory`, { hint });
    if (code === "ESTALE")
      throw new Failure("denied", `Cannot open the root "${path}": it was replaced since the host started`);
    throw new Failure("denied", `Cannot open the root "${path}": ${code ?? String(thrown)}`, { hint });
  }
}
