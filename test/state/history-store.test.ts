/**
 * What is kept of past transactions: bounded by age, bytes and number, the oldest first, never the newest.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, limits, newId, nowMs } from "../../src/base/index.ts";
import { HistoryStore, Journal, type HistoryRecord } from "../../src/state/index.ts";

let top: string;
let journals: string;
let store: HistoryStore<HistoryRecord>;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "ringfence-history-"));
  journals = mkdtempSync(join(tmpdir(), "ringfence-journals-"));
  store = new HistoryStore(top, journals);
});
afterEach(() => [top, journals].forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function add(ageMs: number, bytes = 1): string {
  const transaction = newId("t");
  store.put({ transaction, at: nowMs() - ageMs, bytes });
  writeFileSync(store.objectOf(transaction, 0), "old");
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
  expect(existsSync(store.objectOf(old, 0))).toBe(false);
  expect(existsSync(store.objectOf(young, 0))).toBe(true);
});

test("what is too much goes, the oldest first, and the newest stays whatever its size", () => {
  const half = limits.MAX_UNDO_BYTES / 2 + 1;
  const [first, second] = [add(3000, half), add(2000, half)];
  store.sweep();
  expect(store.list().map(({ transaction }) => transaction)).toEqual([second]);
  const third = add(1000, limits.MAX_UNDO_BYTES * 2);
  store.sweep();
  expect(store.list().map(({ transaction }) => transaction)).toEqual([third]);
  expect(existsSync(store.objectOf(first, 0))).toBe(false);
});

const LATER_MS = limits.UNDO_TTL_MS + 1000;
const later = (): HistoryStore<HistoryRecord> => new HistoryStore(top, journals, undefined, () => nowMs() + LATER_MS);

test("what was kept a moment ago stays, however long ago its owner wrote it", () => {
  const object = store.objectOf(newId("t"), 0);
  writeFileSync(object, "precious");
  utimesSync(object, 0, 0);
  store.sweep();
  expect(store.list()).toEqual([]);
  expect(existsSync(object)).toBe(true);
});

test("what has neither a note nor a journal goes when its time is over", () => {
  const object = store.objectOf(newId("t"), 0);
  mkdirSync(object);
  later().sweep();
  expect(existsSync(object)).toBe(false);
  expect(() => new HistoryStore(join(top, "missing"), journals).sweep()).not.toThrow();
});

test("what a journal tells of stays whatever its age, until the journal has ended", () => {
  const transaction = newId("t");
  writeFileSync(store.objectOf(transaction, 0), "precious");
  const journal = Journal.begin(journals, transaction, "fast", true);
  later().sweep();
  expect(existsSync(store.objectOf(transaction, 0))).toBe(true);
  journal.finish();
  later().sweep();
  expect(existsSync(store.objectOf(transaction, 0))).toBe(false);
});

/** As a commit does it. */
function commit(to: HistoryStore<HistoryRecord>, bytes = 1, ageMs = 0): string {
  const transaction = newId("t");
  const journal = Journal.begin(top, transaction, "fast", true);
  to.keep(journal, { transaction, at: nowMs() - ageMs, bytes });
  journal.leave();
  return transaction;
}

test("a host that runs for long keeps no more than one that was just started", () => {
  store.sweep();
  for (let count = 0; count <= limits.MAX_UNDO_TRANSACTIONS; count++) {
    commit(store);
    store.sweepWhenFull();
  }
  const left = store.list().length;
  expect(left).toBeLessThanOrEqual(limits.MAX_UNDO_TRANSACTIONS);
  // With some room, so that the next sweep is not at the next change.
  expect(left).toBeGreaterThan(limits.MAX_UNDO_TRANSACTIONS * 0.8);
  expect(left).toBeLessThan(limits.MAX_UNDO_TRANSACTIONS * 0.95);
});

test("after a change nothing is looked at while there is room", () => {
  store.sweep();
  const stale = add(limits.UNDO_TTL_MS + 1000);
  commit(store);
  store.sweepWhenFull();
  expect(existsSync(store.objectOf(stale, 0))).toBe(true);
});

test("the history has bounds of its own: bytes and age", () => {
  const small = new HistoryStore<HistoryRecord>(top, journals, { maxBytes: 100, maxAgeMs: 60_000 });
  const old = add(61_000);
  small.sweep();
  expect(existsSync(store.objectOf(old, 0))).toBe(false);
  const [first, second] = [commit(small, 60, 1000), commit(small, 60)];
  small.sweepWhenFull();
  expect(small.list().map(({ transaction }) => transaction)).toEqual([second]);
  expect(existsSync(store.objectOf(first, "note"))).toBe(false);
});
