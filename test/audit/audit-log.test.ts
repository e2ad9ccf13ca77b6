/**
 * The record on disk: whole lines of JSON in the order of the events, private, put aside when it is large, and never a
 * reason for a call to fail.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAuditLog } from "../../src/audit/index.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfence-audit-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const linesOf = (name = "audit.jsonl"): Record<string, unknown>[] =>
  readFileSync(join(folder, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("events are lines with a time, in their order", () => {
  using log = openAuditLog(folder);
  for (let n = 0; n < 500; n++) log.record("call", { n, text: "line\nbreak \u2028" });
  log.flush();
  const lines = linesOf();
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  expect(lines[0]).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    event: "call",
    n: 0,
    text: "line\nbreak \u2028",
  });
  expect(statSync(join(folder, "audit.jsonl")).mode & 0o777).toBe(0o600);
});

test("they are written soon without being asked, and at the end", async () => {
  const log = openAuditLog(folder);
  log.record("one", {});
  while (!existsSync(join(folder, "audit.jsonl"))) await Bun.sleep(5);
  log.record("two", {});
  log[Symbol.dispose]();
  expect(linesOf().map(({ event }) => event)).toEqual(["one", "two"]);
});

test("a full file is put aside and four old ones are kept", () => {
  using log = openAuditLog(folder);
  for (let round = 0; round < 7; round++) {
    writeFileSync(join(folder, "audit.jsonl"), "");
    truncateSync(join(folder, "audit.jsonl"), 32 * 1024 * 1024);
    log.record("round", { round });
    log.flush();
  }
  const kept = [1, 2, 3, 4, 5].map((index) => existsSync(join(folder, `audit.jsonl.${index}`)));
  expect(kept).toEqual([true, true, true, true, false]);
  log.record("after", {});
  log.flush();
  expect(linesOf()).toHaveLength(1);
});

test("a record that cannot be written does not stop the work", () => {
  using log = openAuditLog(join(folder, "missing"));
  log.record("lost", {});
  expect(() => log.flush()).not.toThrow();
});
