/**
 * Times of a range as people type them: whole ones, their beginnings, and what is no time although it looks like one.
 */
import { expect, test } from "bun:test";
import { readTime } from "../../../src/cli/show/read-time.ts";

test.each([
  ["2026", "2026"],
  ["2026-11", "2026-11"],
  ["2026-11-21", "2026-11-21"],
  ["2028-02-29", "2028-02-29"],
  ["2026-11-21T09", "2026-11-21T09"],
  ["2026-11-21T09:30Z", "2026-11-21T09:30"],
  ["2026-11-21T09:30:05.123Z", "2026-11-21T09:30:05.123"],
])("readTime() takes %j as the beginning %j of a time", (text, time) => {
  expect(readTime(text)).toBe(time);
});

test.each([
  "2026-13-01",
  "2026-02-31",
  "2026-00-10",
  "2026-11-21T25:00",
  "2026-11-21T09:61",
  "2026-11-21T:",
  "yesterday",
  "",
])("readTime() refuses %j", (text) => {
  expect(readTime(text)).toBeUndefined();
});
