/**
 * What large jobs leave is collected when the worker is quiet, and after a few of them whatever comes. The timers are the
 * test's: it says when a moment has passed.
 */
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { collectSoonAfter, GarbageCollection } from "../../src/pool/idle-policy.ts";

const [SMALL_MS, LARGE_MS] = [1, 50];

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("garbage is not collected while jobs keep coming, and once when they do not", () => {
  let count = 0;
  const garbage = new GarbageCollection(() => count++);
  expect(garbage.after(LARGE_MS, 0)).toBe(false);
  garbage.quiet();
  for (let at = 0; at < 8; at++) {
    jest.advanceTimersByTime(8);
    garbage.putOff();
    // Longer than a quiet moment.
    jest.advanceTimersByTime(30);
    expect(garbage.after(SMALL_MS, 10)).toBe(false);
    garbage.quiet();
  }
  expect(count).toBe(0);
  jest.advanceTimersByTime(100);
  expect(count).toBe(1);
  garbage.putOff();
  garbage.quiet();
  jest.advanceTimersByTime(100);
  expect(count).toBe(1);
});

test("a few of many large jobs are followed by a collection, by their time or by their answers", () => {
  let count = 0;
  const garbage = new GarbageCollection(() => count++);
  const owed = (): boolean[] => [
    garbage.after(LARGE_MS, 0),
    garbage.after(SMALL_MS, 300_000),
    garbage.after(LARGE_MS * 10, 0),
    garbage.after(LARGE_MS, 0),
  ];
  expect(owed()).toEqual([false, false, false, true]);
  garbage.now();
  expect(count).toBe(1);
  expect(owed()).toEqual([false, false, false, true]);
});

test("a work of many parts is tidied up now and then, and one of a moment never", () => {
  let [count, nowMs, takesMs] = [0, 1000, 2];
  const garbage = new GarbageCollection(
    () => {
      count++;
      nowMs += takesMs;
    },
    () => nowMs,
  );
  const work = (parts: number): number => {
    const before = count;
    for (let part = 0; part < parts; part++, nowMs += 10) garbage.between();
    return count - before;
  };
  expect(work(24)).toBe(0);
  nowMs += 1000;
  // Later parts are another work.
  expect(work(20)).toBe(0);
  expect(work(80)).toBe(3);
  // One that takes long is not repeated soon.
  takesMs = 20;
  expect(work(100)).toBe(1);
  expect(work(100)).toBe(1);
});

test("garbage is collected on the main thread once for all that comes together, and not before the next request", () => {
  let count = 0;
  const collect = (): void => void count++;
  collectSoonAfter(10, collect);
  jest.advanceTimersByTime(50);
  expect(count).toBe(0);
  collectSoonAfter(300_000, collect);
  collectSoonAfter(300_000, collect);
  jest.advanceTimersByTime(1);
  expect(count).toBe(0);
  jest.advanceTimersByTime(100);
  expect(count).toBe(1);
  collectSoonAfter(300_000, collect);
  jest.advanceTimersByTime(100);
  expect(count).toBe(2);
});

test("garbage on the main thread is collected for a twentieth of the time, however many large answers come", () => {
  let [now, count] = [0, 0];
  const collect = (): void => {
    count++;
    now += 10;
  };
  for (let ms = 0; ms < 2000; ms += 5) {
    collectSoonAfter(300_000, collect, () => now);
    jest.advanceTimersByTime(5);
    now += 5;
  }
  expect(count).toBeGreaterThan(5);
  expect(count).toBeLessThanOrEqual(10);
  // Later tests begin without a rest that is owed.
  collectSoonAfter(
    300_000,
    () => undefined,
    () => 0,
  );
  jest.advanceTimersByTime(5000);
});
