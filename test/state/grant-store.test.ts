/**
 * Grants that several hosts share: what one of them adds or revokes, the others know at once, also where the clock of the file
 * system has not ticked in between.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { GrantStore } from "../../src/state/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";

const ONE = {
  id: "g_AAAAAAAAAAAAAAAAAAAAAA",
  rule: "write_file(notes/**)",
  roots: ["/r"],
  at: "2026-01-01T00:00:00.000Z",
  remembered: true,
};

test("a grant that another host adds or revokes within one tick of the clock is known at once", () => {
  const folder = mkdtempSync(join(memoryFolder(), "ringfence-grants-"));
  const [own, other] = [new GrantStore(folder), new GrantStore(folder)];
  const now = new Date();
  const changed = (change: () => void): void => {
    change();
    utimesSync(folder, now, now);
  };
  changed(() => undefined);
  expect(own.list()).toEqual([]);
  changed(() => other.put(ONE));
  expect(own.list()).toEqual([ONE]);
  changed(() => other.remove(ONE.id));
  expect(own.list()).toEqual([]);
});

test("grants are read again only when their folder has changed", () => {
  const folder = mkdtempSync(join(memoryFolder(), "ringfence-grants-"));
  const [own, other] = [new GrantStore(folder), new GrantStore(folder)];
  other.put(ONE);
  const long = new Date("2026-01-01T00:00:00.500Z");
  utimesSync(folder, long, long);
  const first = own.list();
  expect(first).toEqual([ONE]);
  expect(own.list()).toBe(first);
  other.remove(ONE.id);
  expect(own.list()).toEqual([]);
});
