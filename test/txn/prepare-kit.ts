/**
 * A root with a few files, what preparing makes of changes in it, and the changes as tests write them.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import type { Change, PreparedChanges } from "../../src/txn/index.ts";
import { prepareChanges } from "../../src/txn/prepare/prepare.ts";
import { layFiles } from "../host/file-tree.ts";

export class PrepareKit implements Disposable {
  readonly top: string = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-prepare-")));
  readonly root: string = join(this.top, "root");
  readonly contents: string[] = [];
  scope: Scope;

  constructor() {
    for (const name of ["root", "fixed"]) mkdirSync(join(this.top, name));
    layFiles(this.root, {
      "a.txt": "one\ntwo\n",
      "d/a.txt": "one\n",
      "run.sh": { text: "one\n", mode: "0755" },
      l: { link: "d" },
    });
    const roots = [
      { path: this.root, readOnly: false },
      { path: join(this.top, "fixed"), readOnly: true },
    ];
    this.scope = new Scope({ roots, deny: ["private/**"] });
  }

  prepare(...changes: readonly Change[]): PreparedChanges {
    const set = { changes, operations: changes.map(({ op }) => op) };
    const keep = (bytes: Uint8Array): number => this.contents.push(Buffer.from(bytes).toString()) - 1;
    return prepareChanges(set, { scope: this.scope, cancel: NEVER_CANCELLED, keep });
  }

  failureOf(...changes: readonly Change[]): Failure["data"] {
    try {
      this.prepare(...changes);
    } catch (thrown) {
      if (thrown instanceof Failure) return thrown.data;
      throw thrown;
    }
    throw new Error("it was prepared");
  }

  [Symbol.dispose](): void {
    this.scope[Symbol.dispose]();
    rmSync(this.top, { recursive: true, force: true });
  }
}

export const write = (path: string, content: string): Change => ({ op: "write", path, content, overwrite: true });
export const writeBytes = (content: string, path = "b.bin"): Change => ({
  op: "write",
  path,
  content,
  encoding: "base64",
  overwrite: true,
});
export const edit = (path: string, oldText: string, newText: string): Change => ({
  op: "edit",
  path,
  edits: [{ oldText, newText, replaceAll: false }],
});
export const move = (source: string, destination: string): Change => ({
  op: "move",
  source,
  destination,
  overwrite: false,
  recursive: true,
});

export const inPlace = (path: string, oldText: string, newText: string): Change => ({
  op: "edit",
  path,
  edits: [{ oldText, newText, replaceAll: false }],
  inPlace: true,
});
export const copy = (source: string, destination: string): Change => ({
  op: "copy",
  source,
  destination,
  overwrite: true,
  recursive: true,
});
export const deleted = (path: string): Change => ({ op: "delete", path, recursive: true });
