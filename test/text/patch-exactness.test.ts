/** A diff that is read and applied gives the other text, byte for byte: our own diffs, and those of the package `diff`. */
import { describe, expect, test } from "bun:test";
import { createTwoFilesPatch } from "diff";
import { fc } from "../property.ts";
import { applyHunks, unifiedDiff, type Hunk } from "../../src/text/index.ts";
import { anyText, hunksOf as onlyHunksOf, parsed } from "./patch-kit.ts";

/** Read without any liberty. */
function hunksOf(patch: string): readonly Hunk[] {
  expect(parsed(patch).tolerances).toEqual([]);
  return onlyHunksOf(patch);
}

function applied(before: string, patch: string): string {
  const result = applyHunks(before, hunksOf(patch));
  if (result.kind !== "applied") throw new Error(`${JSON.stringify(result)}\n${JSON.stringify(before)}\n${patch}`);
  expect(result.tolerances).toEqual([]);
  return result.text;
}

describe("gives the other text", () => {
  test("our own diffs of small texts that mix endings give the other text", () => {
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 1, max: 4 }), (before, after, context) => {
        if (before === after) return;
        const diff = unifiedDiff(before, after, { path: "dir/x", maxBytes: 1_000_000, context });
        expect(applied(before, diff.text)).toBe(after);
      }),
      { numRuns: 4000 },
    );
  });

  test("diffs of the package give the other text", () => {
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 1, max: 4 }), (before, after, context) => {
        if (before === after) return;
        const diff = createTwoFilesPatch("a/x", "b/x", before, after, "", "", { context });
        expect(applied(before, diff)).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });

  test("a diff of a few changes in a long text of repeated lines gives the other text", () => {
    const changes = fc.array(fc.tuple(fc.nat(199), fc.constantFrom("x\n", "", "x\ny\r\n", "}\n")), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(changes, fc.boolean(), (edits, isEnded) => {
        const lines = Array.from({ length: 200 }, (_, index) => `${["{", "}", "go();", ""][index % 4]}\n`);
        const before = lines.join("") + (isEnded ? "" : "last");
        for (const [at, replacement] of edits) lines[at] = replacement;
        const after = lines.join("") + (isEnded ? "" : "last");
        if (before === after) return;
        const diff = unifiedDiff(before, after, { path: "x", maxBytes: 1_000_000 });
        expect(applied(before, diff.text)).toBe(after);
      }),
      { numRuns: 1000 },
    );
  });
});
