/**
 * A disk that fails, and fails again while the change is taken back: the journal stands then, for this process too, and
 * whoever looks next makes the tree whole.
 */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { Journal } from "../../src/state/index.ts";
import { commitChanges, type PreparedChanges } from "../../src/txn/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { readTree } from "../host/file-tree.ts";
import { TransactionKit, write } from "./transaction-kit.ts";

const NAMES = ["a", "b", "c"];
const OLD = { a: "old\n", b: "old\n", c: "old\n" };

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit(memoryFolder());
  for (const name of NAMES) kit.put(name, "old\n");
});
afterEach(() => kit[Symbol.dispose]());

/** As it is before a test puts something in its place. */
const writeLine: (this: Journal, record: object, isHint?: boolean) => void = Reflect.get(Journal.prototype, "write");

const prepare = (): PreparedChanges => kit.prepare(...NAMES.map((name) => write(name, "new\n")));
const broken = (): Error => Object.assign(new Error("EIO: i/o error"), { code: "EIO" });

const recover = (): string[] => kit.recover();

/** Every look at a place fails from the `first` to before the `last`. @returns what was thrown */
function commitWith(first: number, last: number): { readonly thrown: unknown; readonly looks: number } {
  let looks = 0;
  const scope = new Proxy(kit.scope, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        if (key === "denies" && ++looks > first && looks <= last) throw broken();
        return Reflect.apply(value, target, given);
      };
    },
  });
  const prepared = prepare();
  const roots = [{ path: kit.root, readOnly: false }];
  const about = { tool: "test", summary: prepared.summary, files: prepared.files, scope: { roots } };
  const content = (index: number): Uint8Array => kit.contents[index] ?? new Uint8Array();
  try {
    const { stores } = kit;
    commitChanges(prepared, about, {
      scope,
      stores,
      cancel: NEVER_CANCELLED,
      content,
      recover: () => void kit.recover(),
    });
    return { thrown: undefined, looks };
  } catch (thrown) {
    return { thrown, looks };
  }
}

test("one that fails for good leaves a journal that this process can go on with", () => {
  const { looks } = commitWith(Infinity, Infinity);
  let half = 0;
  for (let first = 0; first < looks; first++) {
    for (const name of NAMES) kit.put(name, "old\n");
    const { thrown } = commitWith(first, Infinity);
    const left = readdirSync(kit.stores.journal);
    if (left.length > 0 && thrown !== undefined) {
      expect(thrown).toMatchObject({
        code: "conflict",
        message: expect.stringContaining("cannot take back now"),
      });
      half++;
    }
    const tree = readTree(kit.root);
    const outcome = recover();
    // Only the note of it was missing.
    const isDone = thrown === undefined;
    expect([first, readTree(kit.root)]).toEqual([first, isDone ? { a: "new\n", b: "new\n", c: "new\n" } : OLD]);
    expect(outcome).toEqual(left.map(() => (isDone ? "finished" : "taken_back")));
    if (left.length === 0) expect(Object.keys(tree)).toEqual(NAMES);
    expect(readdirSync(kit.stores.journal)).toEqual([]);
  }
  expect(half).toBeGreaterThan(3);
});

test("one that fails once is taken back at once", () => {
  const { looks } = commitWith(Infinity, Infinity);
  for (let first = 0; first < looks; first++) {
    for (const name of NAMES) kit.put(name, "old\n");
    if (commitWith(first, first + 1).thrown === undefined) continue;
    expect([first, readTree(kit.root)]).toEqual([first, OLD]);
    expect(readdirSync(kit.stores.journal)).toEqual([]);
  }
});

test("a last line that could not be flushed counts for nothing, also when the taking back dies", () => {
  let isFailing = false;
  const spies = [
    spyOn(Journal.prototype, "write").mockImplementation(function (this: Journal, record, isHint) {
      writeLine.call(this, record, isHint);
      if ((record as { kind?: string }).kind !== "committed") return;
      isFailing = true;
      throw broken();
    }),
    spyOn(kit.scope, "denies").mockImplementation(() => {
      if (isFailing) throw broken();
      return false;
    }),
  ];
  try {
    expect(kit.commit(prepare())).toBe("conflict");
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(readTree(kit.root)).toMatchObject({ a: "new\n" });
  const [name = ""] = readdirSync(kit.stores.journal);
  expect(readFileSync(join(kit.stores.journal, name), "utf8")).not.toContain("committed");
  expect(recover()).toEqual(["taken_back"]);
  expect(readTree(kit.root)).toEqual(OLD);
});

test("a last line that cannot be taken back is believed: nothing is undone under it", () => {
  const spies = [
    spyOn(Journal.prototype, "write").mockImplementation(function (this: Journal, record, isHint) {
      writeLine.call(this, record, isHint);
      if ((record as { kind?: string }).kind === "committed") throw broken();
    }),
    spyOn(Journal.prototype, "unsay").mockImplementation(() => {
      throw broken();
    }),
  ];
  let thrown: unknown;
  try {
    thrown = commitWith(Infinity, Infinity).thrown;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(thrown).toBeInstanceOf(Failure);
  expect(recover()).toEqual(["finished"]);
  expect(readTree(kit.root)).toEqual({ a: "new\n", b: "new\n", c: "new\n" });
});
