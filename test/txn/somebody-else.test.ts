/**
 * What somebody else does to the files of a transaction that died, or that is under way: their bytes stay where they are,
 * and the transaction is whole or its journal stands.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change, PreparedChanges } from "../../src/txn/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { readTree } from "../host/file-tree.ts";
import { fileClockTicks } from "../waits/file-clock.ts";
import { commitUntil } from "./crash-point.ts";
import { TransactionKit, write } from "./transaction-kit.ts";

const MOST_STEPS = 80;

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit(memoryFolder());
});
afterEach(() => kit[Symbol.dispose]());

const inRoot = (path: string): string => join(kit.root, path);
const journals = (): string[] => readdirSync(kit.stores.journal);

const recover = (): string[] => kit.recover();

/** Dies at the first moment at which `isThere`. */
function dieWhen(prepare: () => PreparedChanges, isThere: () => boolean): void {
  for (let nth = 0; nth < MOST_STEPS; nth++) {
    if (!commitUntil(kit, prepare(), nth)) break;
    if (isThere()) return;
    expect(recover()).toEqual(["taken_back"]);
  }
  throw new Error("it never came that far");
}

const edit = (path: string, oldText: string, newText: string, inPlace = false): Change => ({
  op: "edit",
  path,
  edits: [{ oldText, newText }],
  inPlace,
});
/** Commits, while somebody saves into a file at that call for content: the first comes after the check, the next while it is staged. */
function commitWhileSaved(prepared: PreparedChanges, path: string, atCall: number): string {
  let calls = 0;
  return kit.commit(prepared, (index) => {
    if (++calls === atCall) appendFileSync(inRoot(path), "somebody else's\n");
    return kit.contents[index] ?? new Uint8Array();
  });
}

test.each<[string, Change]>([
  ["replaced", write("a", "new\n")],
  ["deleted", { op: "delete", path: "a", recursive: false }],
  ["edited in place", edit("a", "old", "new", true)],
])("a file that somebody saves into after the check is not %s", (_how, change) => {
  for (const atCall of [1, 2]) {
    kit.put("a", "old\n");
    kit.contents.length = 0;
    expect(commitWhileSaved(kit.prepare(change, write("z", "z\n")), "a", atCall)).toBe("stale");
    expect(readTree(kit.root)).toEqual({ a: "old\nsomebody else's\n" });
    expect(journals()).toEqual([]);
  }
});

const has = (path: string, text: string) => (): boolean =>
  existsSync(inRoot(path)) && readFileSync(inRoot(path), "utf8") === text;

/** Something is in place, and then there is another act. */
function dieAfterInPlace(): void {
  kit.put("a", "A old\n");
  kit.put("b", "B\n");
  dieWhen(
    () => kit.prepare(edit("a", "A old", "A", true), write("b", "BB\n")),
    () => has("a", "A\n")() && readFileSync(inRoot("b"), "utf8") === "B\n",
  );
}

test("what was written in place is taken back", () => {
  dieAfterInPlace();
  expect(recover()).toEqual(["taken_back"]);
  expect(readTree(kit.root)).toEqual({ a: "A old\n", b: "B\n" });
});

test("half of what was written in place is taken back", () => {
  dieAfterInPlace();
  writeFileSync(inRoot("a"), "A\nold\n");
  expect(recover()).toEqual(["taken_back"]);
  expect(readTree(kit.root)).toEqual({ a: "A old\n", b: "B\n" });
});

test("what somebody wrote into the file that was written in place stays, and the old content is kept", () => {
  dieAfterInPlace();
  writeFileSync(inRoot("a"), "MY PRECIOUS WORK\n");
  expect(recover()).toEqual(["taken_back"]);
  expect(readTree(kit.root)).toEqual({ a: "MY PRECIOUS WORK\n", b: "B\n" });
  const [record] = kit.stores.history.list();
  expect(record).toMatchObject({ conflict: true, left: ["a"] });
  expect(readFileSync(kit.stores.history.objectOf(kit.transaction, 0), "utf8")).toBe("A old\n");
  expect(journals()).toEqual([]);
});

test("what somebody wrote into a copied tree stays, also when its length is the same", async () => {
  mkdirSync(inRoot("tree"));
  kit.put("tree/x", "x\n");
  kit.put("b", "B\n");
  const copy: Change = {
    op: "copy",
    source: "tree",
    destination: "twin",
    overwrite: false,
    recursive: true,
  };
  dieWhen(() => kit.prepare(copy, write("b", "BB\n")), has("twin/x", "x\n"));
  await fileClockTicks(inRoot("twin/x"), kit.top);
  writeFileSync(inRoot("twin/x"), "y\n");
  expect(recover()).toEqual(["taken_back"]);
  expect(readTree(kit.root)).toEqual({ "tree/x": "x\n", "twin/x": "y\n", b: "B\n" });
});

const three = (): PreparedChanges => kit.prepare(write("z", "new\n"), write("a/b/f", "new\n"), write("a/b/g", "new\n"));

function layBelow(): void {
  mkdirSync(inRoot("a/b"), { recursive: true });
  for (const path of ["a/b/f", "a/b/g", "z"]) kit.put(path, "old\n");
}

/** Elsewhere directories are reached by their paths. */
const withHandles = test.skipIf(process.platform !== "linux");

withHandles("a directory that somebody moves while the change is made takes all of it along", () => {
  layBelow();
  const prepared = three();
  let reads = 0;
  const content = (index: number): Uint8Array => {
    // After those of the plan come those of the acts.
    if (++reads === 5) renameSync(inRoot("a"), inRoot("c"));
    return kit.contents[index] ?? new Uint8Array();
  };
  expect(kit.commit(prepared, content)).toBe("ok");
  expect(readTree(kit.root)).toEqual({ "c/b/f": "new\n", "c/b/g": "new\n", z: "new\n" });
  expect(journals()).toEqual([]);
});

withHandles("it is taken back there too", () => {
  layBelow();
  const prepared = three();
  let reads = 0;
  const content = (index: number): Uint8Array => {
    if (++reads === 5) renameSync(inRoot("a"), inRoot("c"));
    if (reads === 6) throw new Error("the disk is on fire");
    return kit.contents[index] ?? new Uint8Array();
  };
  expect(kit.commit(prepared, content)).toBe("bug");
  expect(readTree(kit.root)).toEqual({ "c/b/f": "old\n", "c/b/g": "old\n", z: "old\n" });
  expect(journals()).toEqual([]);
});

test("a directory that was moved after the crash is waited for, and nothing is done in others", () => {
  layBelow();
  dieWhen(three, has("a/b/f", "new\n"));
  renameSync(inRoot("a"), inRoot("c"));
  expect(recover()).toEqual([]);
  expect(journals()).toHaveLength(1);
  mkdirSync(inRoot("a/b"), { recursive: true });
  expect(recover()).toEqual([]);
  expect(readdirSync(inRoot("a/b"))).toEqual([]);
  expect(readFileSync(inRoot("z"), "utf8")).toBe("new\n");
  renameSync(inRoot("a"), inRoot("d"));
  renameSync(inRoot("c"), inRoot("a"));
  expect(recover()).toEqual(["taken_back"]);
  expect(readTree(kit.root)).toEqual({
    "a/b/f": "old\n",
    "a/b/g": "old\n",
    "d/b": { directory: true },
    z: "old\n",
  });
  expect(journals()).toEqual([]);
});

test("a directory of the transaction's own that somebody moved is told of as a conflict", () => {
  kit.put("z", "old\n");
  dieWhen(() => kit.prepare(write("deep/er/n", "new\n"), write("z", "new\n")), has("deep/er/n", "new\n"));
  renameSync(inRoot("deep"), inRoot("theirs"));
  expect(recover()).toEqual(["taken_back"]);
  expect(readTree(kit.root)).toEqual({ "theirs/er/n": "new\n", z: "old\n" });
  expect(kit.stores.history.list()[0]?.conflict).toBe(true);
});

test("a file that is made below a directory that is copied is no part of the copy, also not its directory", () => {
  mkdirSync(inRoot("f"));
  kit.put("f/a", "x\n");
  const copy: Change = { op: "copy", source: "f", destination: "a", overwrite: false, recursive: true };
  for (let nth = 0; nth < MOST_STEPS; nth++) {
    const prepared = kit.prepare(copy, { op: "append", path: "f/e/a", content: "z\n" });
    const isDead = commitUntil(kit, prepared, nth);
    expect(recover()).toEqual([isDead ? "taken_back" : "finished"]);
    const tree = readTree(kit.root);
    if (!isDead) {
      expect(tree).toEqual({ "a/a": "x\n", "f/a": "x\n", "f/e/a": "z\n" });
      return;
    }
    expect(tree).toEqual({ "f/a": "x\n" });
    expect(kit.stores.history.list()).toEqual([]);
  }
  throw new Error("it never came to its end");
});
