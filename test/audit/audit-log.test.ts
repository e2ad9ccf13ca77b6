/**
 * The record: one JSON line an event, written when asked and soon otherwise, private, and never a reason to die.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAuditLog } from "../../src/audit/index.ts";

describe("openAuditLog", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "audit-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const lines = (): Record<string, unknown>[] =>
    readFileSync(join(folder, "audit.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test("writes what was recorded, in order, when flushed", () => {
    using log = openAuditLog(folder);
    log.record("call", { tool: "read_file", paths: ["a\nb"] });
    log.record("done", { chars: 3 });
    log.flush();
    expect(lines()).toMatchObject([
      { event: "call", tool: "read_file", paths: ["a\nb"] },
      { event: "done", chars: 3 },
    ]);
    expect(lines()[0]?.["time"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(statSync(join(folder, "audit.jsonl")).mode & 0o777).toBe(0o600);
  });

  test("writes by itself after a moment, and what is left when it ends", async () => {
    const log = openAuditLog(folder);
    log.record("one", {});
    await Bun.sleep(200);
    expect(lines().length).toBe(1);
    log.record("two", {});
    log[Symbol.dispose]();
    expect(lines().map(({ event }) => event)).toEqual(["one", "two"]);
  });

  test("a folder that is gone does not throw", () => {
    const log = openAuditLog(join(folder, "gone"));
    log.record("one", {});
    expect(() => log.flush()).not.toThrow();
  });
});
