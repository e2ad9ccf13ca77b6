/**
 * An undo is a transaction like any other: it is wholly there or not at all wherever it dies, and it takes away and brings
 * back only what is as the transaction left it.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Scope } from "../../src/scope/index.ts";
import { invertTransaction, undoDiff, type Change } from "../../src/txn/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { readTree } from "../host/file-tree.ts";
import { commitUntil } from "./crash-point.ts";
import { TransactionKit, write } from "./transaction-kit.ts";
import { undoLast } from "./undo-last.ts";

const MOST_STEPS = 120;

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit(memoryFolder());
});
afterEach(() => kit[Symbol.dispose]());

const inRoot = (path: string): string => join(kit.root, path);

const recover = (): string[] => kit.recover();

test("an undo takes back no permissions that somebody has set since", () => {
  kit.put("a", "old\n");
  chmodSync(inRoot("a"), 0o644);
  expect(commit(write("a", "secret\n"))).toBe("ok");
  chmodSync(inRoot("a"), 0o600);
  expect(undoLast(kit)).toBe("stale");
  expect(readTree(kit.root)).toEqual({ a: { mode: "0600", text: "secret\n" } });
  chmodSync(inRoot("a"), 0o644);
  expect(undoLast(kit)).toBe("ok");
  expect(readTree(kit.root)).toEqual({ a: "old\n" });
});

test("what an undo would bring back is shown without opening a FIFO, which would wait for a writer", () => {
  Bun.spawnSync(["mkfifo", inRoot("pipe")]);
  kit.put("a", "old\n");
  expect(commit({ op: "delete", path: "pipe", recursive: false }, write("a", "new\n"))).toBe("ok");
  const record = kit.stores.history.get(kit.transaction);
  expect(undoDiff(record, kit.scope, kit.stores.history, undefined)).toContain("-new\n+old");
  expect(undoLast(kit)).toBe("ok");
  expect(statSync(inRoot("pipe")).isFIFO()).toBe(true);
});

function commit(...changes: readonly Change[]): string {
  kit.contents.length = 0;
  return kit.commit(kit.prepare(...changes));
}

test("with directories that were made on the way it is all or nothing, wherever it dies", () => {
  kit.put("old", "old\n");
  let deaths = 0;
  for (let nth = 0; nth < MOST_STEPS; nth++) {
    expect(commit(write("deep/er/new", "new\n"), write("old", "new\n"), write("deep/b", "b\n"))).toBe("ok");
    const done = readTree(kit.root);
    const { ino } = statSync(inRoot("deep/er"));
    const { changes: prepared, contents } = invertTransaction(
      kit.stores.history.get(kit.transaction),
      kit.stores.history,
      kit.scope,
    );
    const undone = kit.transaction;
    kit.contents.splice(0, Infinity, ...contents);
    const isDead = commitUntil(kit, prepared, nth);
    expect(recover()).toEqual([isDead ? "taken_back" : "finished"]);
    expect([nth, readTree(kit.root)]).toEqual([nth, isDead ? done : { old: "old\n" }]);
    if (!isDead) break;
    deaths++;
    // The same directories, or they would not go with the next try.
    expect(statSync(inRoot("deep/er")).ino).toBe(ino);
    kit.transaction = undone;
    expect(undoLast(kit)).toBe("ok");
    expect(readTree(kit.root)).toEqual({ old: "old\n" });
  }
  expect(deaths).toBeGreaterThan(10);
});

test("a directory that was made on the way stays when something has come into it, and is none to be made again", () => {
  expect(commit(write("deep/er/new", "new\n"))).toBe("ok");
  writeFileSync(inRoot("deep/theirs"), "theirs\n");
  expect(undoLast(kit)).toBe("ok");
  expect(readTree(kit.root)).toEqual({ "deep/theirs": "theirs\n" });
  expect(undoLast(kit)).toBe("ok");
  expect(readTree(kit.root)).toEqual({ "deep/er/new": "new\n", "deep/theirs": "theirs\n" });
});

test("another directory in the place of one that was made on the way stays, also empty", () => {
  expect(commit(write("deep/new", "new\n"))).toBe("ok");
  renameSync(inRoot("deep"), inRoot("was"));
  mkdirSync(inRoot("deep"));
  renameSync(inRoot("was/new"), inRoot("deep/new"));
  rmdirSync(inRoot("was"));
  expect(undoLast(kit)).toBe("ok");
  expect(readTree(kit.root)).toEqual({ deep: { directory: true } });
});

test("an old file that was written into by its other name is not brought back as if it were the old one", () => {
  kit.put("t", "one\n");
  linkSync(inRoot("t"), inRoot("h"));
  expect(commit({ op: "edit", path: "t", edits: [{ oldText: "one", newText: "two" }], inPlace: false })).toBe("ok");
  appendFileSync(inRoot("h"), "APPENDED\n");
  expect(undoLast(kit)).toBe("conflict");
  expect(readTree(kit.root)).toEqual({ t: "two\n", h: "one\nAPPENDED\n" });
});

test("in another directory at the path of the root nothing is undone", () => {
  expect(commit(write("q", "1\n"))).toBe("ok");
  renameSync(kit.root, `${kit.root}-moved`);
  mkdirSync(kit.root);
  writeFileSync(inRoot("q"), "1\n");
  const roots = [{ path: kit.root, readOnly: false }];
  using scope = new Scope({ roots });
  const record = kit.stores.history.get(kit.transaction);
  expect(() => invertTransaction(record, kit.stores.history, scope)).toThrow("another directory stands at the path");
  expect(readdirSync(kit.root)).toEqual(["q"]);
});
