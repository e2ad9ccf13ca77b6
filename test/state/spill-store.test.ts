/**
 * Outputs that are kept: for a day and within a size, as soon as they are swept.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, ftruncateSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import { SpillStore } from "../../src/state/index.ts";

let stateDir = "";
beforeEach(() => (stateDir = mkdtempSync(join(tmpdir(), "ringfence-spill-"))));
afterEach(() => rmSync(stateDir, { recursive: true }));

const kept = (): string[] => readdirSync(join(stateDir, "spill")).toSorted();

/** A sparse spill of this size and age. */
function spillOf(store: SpillStore, bytes: number, ageSeconds: number): string {
  const { id, fd } = store.open();
  ftruncateSync(fd, bytes);
  closeSync(fd);
  const at = Date.now() / 1000 - ageSeconds;
  utimesSync(join(stateDir, "spill", id), at, at);
  return id;
}

test("what is open already is not in the way of a new one, until it is swept", () => {
  const store = new SpillStore(stateDir);
  const half = limits.MAX_SPILL_BYTES / 2;
  const ids = [30, 20, 10, 0].map((age) => spillOf(store, half, age));
  expect(kept()).toEqual(ids.toSorted());
  store.sweep();
  expect(kept()).toEqual(ids.slice(2).toSorted());
});

test("what is older than a day goes", () => {
  const store = new SpillStore(stateDir);
  const day = limits.SPILL_TTL_MS / 1000;
  spillOf(store, 10, day + 60);
  const young = spillOf(store, 10, day - 60);
  store.sweep();
  expect(kept()).toEqual([young]);
});

test("keeping a text sweeps what was there before", () => {
  const store = new SpillStore(stateDir);
  spillOf(store, limits.MAX_SPILL_BYTES + 1, 0);
  const id = store.put("new");
  expect(kept()).toEqual([id]);
});

test("a folder that is gone is nobody's trouble", () => {
  const store = new SpillStore(stateDir);
  rmSync(join(stateDir, "spill"), { recursive: true });
  expect(() => store.sweep()).not.toThrow();
});
