/**
 * Cells in the columns of a terminal: what is cut, where, and how wide signs are.
 */
import { expect, test } from "bun:test";
import { columnWidths, cutCell, fitTable } from "../../../src/cli/show/fit-table.ts";
import { saySpan, sayTime } from "../../../src/cli/show/say-time.ts";
import { lookOf } from "../../../src/cli/show/stream-look.ts";
import { fc } from "../../property.ts";

test("cutCell keeps the end of a path, the beginning of everything else, and whole signs", () => {
  expect(cutCell("/srv/a/somebody/tree/project/src", 20)).toBe("/srv/a…e/project/src");
  expect(cutCell("Edit the first of many files", 10)).toBe("Edit the …");
  // Each of these takes two columns.
  expect(cutCell("汉字汉字汉字", 6)).toBe("汉字…");
  expect(cutCell("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4)).toBe("👩‍👩‍👧…");
  expect(cutCell("whole", 5)).toBe("whole");
});

test("fitTable makes every row fit where the least widths allow it, and never cuts the first column", () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 60 }).filter((text) => !/\p{C}/u.test(text));
  const table = fc.array(fc.tuple(fc.constantFrom("id-1", "id-22"), cell, cell, cell), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(table, fc.integer({ min: 5 + 3 * 2 + 3 * 8, max: 250 }), (rows, width) => {
      const fitted = fitTable(rows, width);
      for (const [at, row] of fitted.rows.entries()) {
        expect(row[0]).toBe(rows[at]?.[0] ?? "");
        for (const [column, shown] of row.entries()) if (shown !== rows[at]?.[column]) expect(shown).toContain("…");
      }
      const widths = [0, 1, 2, 3].map((column) =>
        Math.max(...fitted.rows.map((row) => Bun.stringWidth(row[column] ?? ""))),
      );
      expect(widths.reduce((sum, one) => sum + one, 3 * 2)).toBeLessThanOrEqual(width);
      if (!fitted.isCut) expect(fitted.rows).toEqual(rows);
    }),
  );
});

test("fitTable says when not even the least widths fit", () => {
  const rows = [["p_0123456789", "a long cell of the list", "another long cell of it"]];
  expect(fitTable(rows, 12 + 2 * 2 + 2 * 8)).toMatchObject({ isCut: true, isTooWide: false });
  expect(fitTable(rows, 12 + 2 * 2 + 2 * 8 - 1)).toMatchObject({ isCut: true, isTooWide: true });
});

test("columnWidths takes as many rows as a long record has", () => {
  const [short, wide] = [["c1"], ["c100"]];
  const rows = Array.from({ length: 1_000_000 }, (_, at) => (at === 900_000 ? wide : short));
  expect(columnWidths(rows)).toEqual([4]);
});

test("sayTime says how long ago in words, and after a week the date", () => {
  const now = Date.parse("2026-11-23T12:00:00.000Z");
  const said = (iso: string): string => sayTime(iso, now);
  expect(said("2026-11-23T11:59:48.200Z")).toBe("11 s ago");
  expect(said("2026-11-23T11:56:30.000Z")).toBe("3 min ago");
  expect(said("2026-11-22T13:00:00.000Z")).toBe("23 h ago");
  expect(said("2026-11-20T13:00:00.000Z")).toBe("2 days ago");
  expect(said("2026-11-23T13:00:00.000Z")).toBe("in 1 h");
  expect(said("2026-10-01T08:15:00.000Z")).toMatch(/^2026-(?:09-30|10-01) \d\d:\d\d$/);
  expect(said("no time")).toBe("no time");
  expect(saySpan(47 * 60 * 60 * 1000)).toBe("47 h");
});

const hasColor = (environment: Record<string, string>, isTTY = true): boolean =>
  lookOf({ isTTY, columns: 80 }, environment).hasColor;

test("lookOf asks no-color.org first, then those who force colours, then the terminal", () => {
  expect(hasColor({ TERM: "xterm" })).toBe(true);
  expect(hasColor({ TERM: "xterm", NO_COLOR: "" })).toBe(true);
  expect(hasColor({ TERM: "xterm", NO_COLOR: "1", FORCE_COLOR: "1", CLICOLOR_FORCE: "1" })).toBe(false);
  expect(hasColor({ TERM: "dumb" })).toBe(false);
  expect(hasColor({ TERM: "dumb", FORCE_COLOR: "1" })).toBe(true);
  expect(hasColor({ CLICOLOR: "0" })).toBe(false);
  expect(hasColor({}, false)).toBe(false);
  for (const force of ["1", "2", "3", "true"]) expect(hasColor({ FORCE_COLOR: force }, false)).toBe(true);
  for (const none of ["", "0", "false"]) expect(hasColor({ FORCE_COLOR: none }, false)).toBe(false);
  expect(hasColor({ CLICOLOR_FORCE: "1" }, false)).toBe(true);
  expect(hasColor({ CLICOLOR_FORCE: "0" }, false)).toBe(false);
});

test("lookOf cuts nothing in a pipe, nor where the terminal does not say how wide it is", () => {
  expect(lookOf({ columns: 80 }, {}).width).toBeUndefined();
  expect(lookOf({ isTTY: true, columns: 0 }, {}).width).toBeUndefined();
  expect(lookOf({ isTTY: true, columns: 80 }, { TERM: "dumb" })).toMatchObject({ width: 80, canRedraw: false });
});
