/**
 * First answers by key: kept for a while, for one call, and the key is held by one caller at a time.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, limits, NEVER_CANCELLED } from "../../src/base/index.ts";
import { AnswerStore } from "../../src/state/index.ts";

let folder: string;
let store: AnswerStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfence-answers-"));
  store = new AnswerStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kept = { key: "k", digest: "d", payload: "{}", facts: "" };

test("an answer is found by its key, for the same call", () => {
  expect(store.find("k", "d")).toBeUndefined();
  store.put(kept);
  expect(store.find("k", "d")).toEqual(kept);
  expect(() => store.find("k", "another")).toThrow(Failure);
});

test("one that is too old is neither found nor kept", () => {
  store.put(kept);
  const [name = ""] = readdirSync(folder);
  const longAgo = (Date.now() - limits.IDEMPOTENCY_TTL_MS - 1000) / 1000;
  utimesSync(join(folder, name), longAgo, longAgo);
  expect(store.find("k", "d")).toBeUndefined();
  store.sweep();
  expect(readdirSync(folder)).toEqual([]);
});

test("a key is held by one caller, another key by another", () => {
  const [held, other] = [store.hold("k", NEVER_CANCELLED), store.hold("o", NEVER_CANCELLED)];
  let asked = 0;
  const impatient = { state: () => (++asked > 2 ? ("cancelled" as const) : ("none" as const)) };
  expect(() => new AnswerStore(folder).hold("k", impatient)).toThrow("cancelled");
  held[Symbol.dispose]();
  other[Symbol.dispose]();
  using again = new AnswerStore(folder).hold("k", NEVER_CANCELLED);
  expect(again.hasWaited).toBe(false);
});

test("a lock whose owner died is nobody's, and leaves nothing", () => {
  store.hold("k", NEVER_CANCELLED)[Symbol.dispose]();
  expect(readdirSync(folder)).toEqual([]);
  const held = store.hold("k", NEVER_CANCELLED);
  const [name = ""] = readdirSync(folder);
  held[Symbol.dispose]();
  writeFileSync(join(folder, name), "");
  using again = store.hold("k", NEVER_CANCELLED);
  expect(again.hasWaited).toBe(false);
});
