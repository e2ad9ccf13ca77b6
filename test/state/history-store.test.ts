/**
 * What is kept of past transactions: bounded by age, bytes and number, the oldest first, never the newest.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, limits, newId, nowMs } from "../../src/base/index.ts";
import { HistoryStore, type HistoryRecord } from "../../src/state/index.ts";

let top: string;
let store: HistoryStore<HistoryRecord>;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "ringfence-history-"));
  store = new HistoryStore(top);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function add(ageMs: number, bytes = 1): string {
  const transaction = newId("t");
  store.put({ transaction, at: nowMs() - ageMs, bytes });
  writeFileSync(join(store.folderOf(transaction), "0"), "old");
  return transaction;
}

test("the newest come first, and each is found by its id", () => {
  const [old, young] = [add(2000), add(1000)];
  expect(store.list().map(({ transaction }) => transaction)).toEqual([young, old]);
  expect(store.get(old).bytes).toBe(1);
});

test.each(["t_nothing", "../t_x", "", "t_0123456789012345678901"])("an unknown id is said: %p", (id) => {
  expect(() => store.get(id)).toThrow(Failure);
});

test("what is too old goes", () => {
  const [old, young] = [add(limits.UNDO_TTL_MS + 1000), add(limits.UNDO_TTL_MS - 60_000)];
  store.sweep();
  expect(existsSync(join(top, old))).toBe(false);
  expect(existsSync(join(top, young))).toBe(true);
});

test("what is too much goes, the oldest first, and the newest stays whatever its size", () => {
  const half = limits.MAX_UNDO_BYTES / 2 + 1;
  const [first, second] = [add(3000, half), add(2000, half)];
  store.sweep();
  expect(store.list().map(({ transaction }) => transaction)).toEqual([second]);
  const third = add(1000, limits.MAX_UNDO_BYTES * 2);
  store.sweep();
  expect(store.list().map(({ transaction }) => transaction)).toEqual([third]);
  expect(existsSync(join(top, first))).toBe(false);
});

test("a folder without a note is one of a transaction under way, and stays", () => {
  mkdirSync(join(top, newId("t")));
  store.sweep();
  expect(store.list()).toEqual([]);
  expect(() => new HistoryStore(join(top, "missing")).sweep()).not.toThrow();
});
