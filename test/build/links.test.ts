/**
 * Links and headings as the docs check reads them.
 */
import { expect, test } from "bun:test";
import { findLinks, headingIds } from "../../scripts/docs/links.ts";

test("inline links and definitions are found with their lines, code is left out", () => {
  const text = 'See [a](docs/a.md) and [b](<b.md> "B").\n```\n[no](no.md)\n```\n`[no](no.md)`\n[ref]: c.md#d\n';
  expect(findLinks(text)).toEqual([
    { line: 1, link: "docs/a.md" },
    { line: 1, link: "b.md" },
    { line: 6, link: "c.md#d" },
  ]);
});

test("headings become fragments as on GitHub", () => {
  expect([...headingIds("# The walk: one call\n## `serve` & more\n```\n# no\n```\n## Again\n## Again\n")]).toEqual([
    "the-walk-one-call",
    "serve--more",
    "again",
    "again-1",
  ]);
});
