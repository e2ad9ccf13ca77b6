/**
 * Whether a dead owner has left a journal: seen at once, also when nothing in the folder changes; one that lives is left
 * alone; one that stays is told of once in a while.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal, JournalWatch } from "../../src/state/index.ts";
import { TestClock } from "../waits/test-clock.ts";

let folder: string;
let watch: JournalWatch;
/** This clock stands still, so that the duration of a test decides nothing. */
let clock: TestClock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfence-watch-"));
  watch = new JournalWatch(folder, 0);
  clock = new TestClock();
});
afterEach(() => {
  clock[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("nothing is abandoned in an empty folder, nor in one that is gone", () => {
  expect(watch.hasAbandoned()).toBe(false);
  rmSync(folder, { recursive: true });
  expect(watch.hasAbandoned()).toBe(false);
});

test("a journal is abandoned when its owner lets go of it, once", () => {
  const journal = Journal.begin(folder, "t_1", "fast", true);
  expect(watch.hasAbandoned()).toBe(false);
  journal.leave();
  expect(watch.hasAbandoned()).toBe(true);
  expect(watch.hasAbandoned()).toBe(false);
  Journal.begin(folder, "t_2", "fast", true).leave();
  expect(watch.hasAbandoned()).toBe(true);
});

test("a journal is noticed by its time in a folder that was empty for long", () => {
  utimesSync(folder, 1000, 1000);
  expect(watch.hasAbandoned()).toBe(false);
  Journal.begin(folder, "t_1", "fast", true).leave();
  expect(watch.hasAbandoned()).toBe(true);
});

test("a journal is noticed when the folder has the time that it had while it was empty a moment ago", () => {
  expect(watch.hasAbandoned()).toBe(false);
  const now = Math.floor(Date.now() / 1000);
  utimesSync(folder, now, now);
  expect(watch.hasAbandoned()).toBe(false);
  Journal.begin(folder, "t_1", "fast", true).leave();
  utimesSync(folder, now, now);
  expect(watch.hasAbandoned()).toBe(true);
});

test("a process that looks keeps nobody from taking an abandoned journal", () => {
  Journal.begin(folder, "t_1", "fast", true).leave();
  expect(watch.hasAbandoned()).toBe(true);
  const [found] = Journal.abandoned(folder);
  expect(found?.transaction).toBe("t_1");
  found?.journal.leave();
});
