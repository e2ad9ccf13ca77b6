/**
 * A real directory with a scope on it, for the tests of this folder. `root` is inside; `outside` lies beside it.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Failure, NEVER_CANCELLED, type Cancel } from "../../src/base/index.ts";
import type { FilesContext } from "../../src/files/index.ts";
import { Scope } from "../../src/scope/index.ts";
import type { LegacyEncoding } from "../../src/text/index.ts";

export interface Workspace extends Disposable {
  readonly root: string;
  readonly outside: string;
  readonly ctx: FilesContext;
  readonly write: (path: string, content: string | Uint8Array) => string;
  readonly with: (changes: { cancel?: Cancel; legacyEncoding?: LegacyEncoding }) => FilesContext;
}

export function createWorkspace(): Workspace {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-files-")));
  const root = join(top, "root");
  const outside = join(top, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  const scope = new Scope({ roots: [{ path: root, readOnly: true }] });
  const ctx: FilesContext = { scope, cancel: NEVER_CANCELLED, progress: () => {} };
  return {
    root,
    outside,
    ctx,
    write(path, content) {
      const absolute = join(root, path);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, content);
      return absolute;
    },
    with: (changes) => ({ ...ctx, ...changes }),
    [Symbol.dispose]() {
      scope[Symbol.dispose]();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** The failure that the work ends with, as data. */
export async function failureFrom(work: () => unknown): Promise<Failure["data"]> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.data;
    throw thrown;
  }
  throw new Error("it did not fail");
}
