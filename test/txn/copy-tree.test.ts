/**
 * Copies of files and trees: they tell how far they are, stop between two pieces of one file and leave nothing then, and a
 * durable one is on the disk with every directory in it.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { Failure, NEVER_CANCELLED, type Cancel } from "../../src/base/index.ts";
import { TransactionKit } from "./transaction-kit.ts";
import { copyObject, type CopyOptions } from "../../src/txn/tree-copy/copy-tree.ts";
import { locatedFrom } from "../../src/txn/model.ts";

const BIG: Buffer = Buffer.alloc(20 * 1024 * 1024 + 7, "some text that does not repeat at a power of two\n");

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit();
  mkdirSync(join(kit.root, "tree/sub/deep"), { recursive: true });
  for (const path of ["tree/a", "tree/sub/b", "tree/sub/deep/c"]) kit.put(path, `${path}\n`);
  writeFileSync(join(kit.root, "big"), BIG);
});
afterEach(() => kit[Symbol.dispose]());

function copy(rel: string, to: string, options: CopyOptions): void {
  using place = kit.scope.exactPlace(locatedFrom(kit.scope, { root: 0, rel }), "copy");
  copyObject(kit.scope, place, to, options);
}

const inRoot = (name: string): string => join(kit.root, name);

test("a big file comes in pieces, and whole", () => {
  const pieces: number[] = [];
  copy("big", inRoot("copy"), { cancel: NEVER_CANCELLED, onCopied: (bytes) => pieces.push(bytes) });
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBe(BIG.length);
  expect(readFileSync(inRoot("copy")).equals(BIG)).toBe(true);
});

test("the files of a tree are counted one by one", () => {
  const pieces: number[] = [];
  copy("tree", inRoot("copy"), { cancel: NEVER_CANCELLED, onCopied: (bytes) => pieces.push(bytes) });
  expect(pieces).toEqual(["tree/a\n", "tree/sub/b\n", "tree/sub/deep/c\n"].map(({ length }) => length));
});

test("a copy that is cancelled within a file leaves nothing", () => {
  let copied = 0;
  const cancel: Cancel = { state: () => (copied > 0 ? "cancelled" : "none") };
  const options = { cancel, onCopied: (bytes: number) => (copied += bytes) };
  expect(() => copy("big", inRoot("copy"), options)).toThrow(Failure);
  expect(copied).toBeGreaterThan(0);
  expect(copied).toBeLessThan(BIG.length);
  expect(readdirSync(kit.root).sort()).toEqual(["big", "tree"]);
});

test.skipIf(!existsSync("/dev/shm"))("between file systems bytes, mode and time are the same", () => {
  const to = `/dev/shm/ringfence-copy-${crypto.randomUUID()}`;
  try {
    copy("big", to, { cancel: NEVER_CANCELLED });
    expect(readFileSync(to).equals(BIG)).toBe(true);
    const [old, now] = [statSync(inRoot("big")), statSync(to)];
    expect([now.mode, Math.trunc(now.mtimeMs)]).toEqual([old.mode, Math.trunc(old.mtimeMs)]);
  } finally {
    Bun.spawnSync(["rm", "-f", to]);
  }
});

const strace = component("strace");
test.skipIf(strace.isMissing)(`every file and directory of a durable tree is flushed, once${strace.note}`, () => {
  const log = join(kit.top, "strace.log");
  const code = `
    import { copyObject } from ${JSON.stringify(join(import.meta.dir, "../../src/txn/tree-copy/copy-tree.ts"))};
    import { Scope } from ${JSON.stringify(join(import.meta.dir, "../../src/scope/index.ts"))};
    const scope = new Scope({ roots: [{ path: ${JSON.stringify(kit.root)}, readOnly: false }] });
    using place = scope.place(scope.locate("tree", "copy"), "copy");
    copyObject(scope, place, ${JSON.stringify(inRoot("copy"))}, { cancel: { state: () => "none" }, durable: true });`;
  const script = join(kit.top, "copy.ts");
  writeFileSync(script, code);
  const command = ["strace", "-f", "-qq", "-y", "-e", "trace=fsync", "-o", log, process.execPath, script];
  expect(Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).exitCode).toBe(0);
  const flushed = [...readFileSync(log, "utf8").matchAll(/fsync\(\d+<(.*?)>\)/g)].map(([, path = ""]) => path);
  const below = ["", "/a", "/sub", "/sub/b", "/sub/deep", "/sub/deep/c"].map((path) => inRoot(`copy${path}`));
  expect(flushed.sort((a, b) => (a < b ? -1 : 1))).toEqual(below);
});
