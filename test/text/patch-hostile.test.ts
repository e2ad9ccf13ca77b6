/**
 * Whatever is sent as a patch, parsing and placing end, after a bounded number of steps, with a result or a refusal
 * that says why.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import * as text from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { anyText } from "./patch-kit.ts";

const { applyHunks, parsePatch } = text;
const counted = await loadCounted<typeof text>("src/text/index.ts");

const MEGABYTES_2 = 2 * 1024 * 1024;

/** Each block is looked for in the whole text; from 128 KiB on the budget for that ends it (the line finder). */
const BUDGETED = "blocks inside lines";

describe("never throws or hangs", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "*** Begin Patch\n",
      "*** End Patch\n",
      "*** Add File: a\n",
      "*** Update File: a\n",
      "*** Delete File: a\n",
      "*** Move to: b\n",
      "*** End of File\n",
      "@@\n",
      "@@ a\n",
      "@@ -1,2 +1,3 @@ f\n",
      "--- a/a\n",
      "+++ b/a\n",
      "diff --git a/a b/a\n",
      "rename from a\n",
      "rename to b\n",
      "new mode 100755\n",
      "--- /dev/null\n",
      "<<<<<<< SEARCH\n",
      "=======\n",
      ">>>>>>> REPLACE\n",
      "```\n",
      " a\n",
      "-a\n",
      "+b\n",
      "a\n",
      "\n",
      "\r\n",
      "\\ No newline at end of file\n",
      '"',
      "{",
      "\\n",
      "`n",
      "<<EOF\n",
      "GIT binary patch\n",
      '--- "a/\\303"\n',
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const patch = fc.array(piece, { maxLength: 24 }).map((parts) => parts.join(""));

  test("a patch of any text never throws or hangs", () => {
    fc.assert(
      fc.property(patch, fc.boolean(), anyText, (body, isWrapped, file) => {
        const parsed = parsePatch(isWrapped ? `*** Begin Patch\n*** Update File: a\n${body}*** End Patch\n` : body);
        if (parsed.kind === "problem") {
          expect(parsed.message).not.toBe("");
          expect(parsed.hint).not.toBe("");
          expect(parsed.line).toBeGreaterThan(0);
          return;
        }
        for (const entry of parsed.files) {
          if (entry.kind === "update") expect(applyHunks(file, entry.hunks).kind).toBeString();
        }
      }),
      { numRuns: 4000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (body) => void parsePatch(body)),
      { numRuns: 1000 },
    );
  });

  /** What today's code takes, about twice: steps for each byte of the patch, to which comes twice as much file. */
  const cases: [name: string, mostPerByte: number, bodyOf: (size: number) => string][] = [
    ["blanks", 2, (size) => big(size, " ")],
    ["begin markers", 22, (size) => big(size, "*** Begin Patch\n")],
    ["sections", 70, (size) => `*** Begin Patch\n${big(size, "*** Update File: a\n@@\n-a\n+b\n")}*** End Patch\n`],
    ["an insertion", 72, (size) => begin(`@@\n a\n${big(size, "+new line\n")}`)],
    ["one long line", 200, (size) => begin(`@@\n-${big(size, "x y")}\n+b`)],
    ["a long run of blanks", 160, (size) => begin(`@@\n-a${big(size, " ")}b\n+b`)],
    ["hunks", 100, (size) => begin(big(size, "@@\n-a\n+b\n"))],
    ["hunks that are nowhere", 200, (size) => begin(big(size, "@@\n-zebra zoo\n+b\n"))],
    ["anchors", 1400, (size) => begin(`${big(size, "@@ a\n")}-a\n+b`)],
    ["hunks with anchors in the middle of lines", 110, (size) => begin(big(size, "@@ b\n+b\n"))],
    ["lines without a sign", 300, (size) => begin(`@@\n${big(size, "a\n")}+b`)],
    ["hunk headers", 41, (size) => `--- a/a\n+++ b/a\n${big(size, "@@ -1,3 +1,3 @@\n")}`],
    ["wrong counts", 270, (size) => `--- a/a\n+++ b/a\n${big(size, "@@ -1,900000 +1,3 @@\n a\n-a\n+b\n")}`],
    ["one wrong count", 220, (size) => `--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n${big(size, "-a\n+b\n")}`],
    ["file names", 27, (size) => big(size, "--- a/a\n+++ b/a\n")],
    ["git headers", 20, (size) => big(size, "diff --git a/a b/a\n")],
    ["a quoted name", 54, (size) => `--- "a/${big(size, "\\303\\251")}"\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n`],
    ["an open block", 43, (size) => `a\n<<<<<<< SEARCH\n${big(size, "a\n")}`],
    ["blocks", 62, (size) => big(size, "a\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")],
    [BUDGETED, 5000, (size) => numbered(size, "a\n<<<<<<< SEARCH\nx#;\n=======\nx#:\n>>>>>>> REPLACE\n")],
    ["sections of pairs", 35, (size) => numbered(size, "*** Delete File: #\n*** Add File: #\n+a\n")],
    [
      "a block of equal lines",
      360,
      (size) => `a\n<<<<<<< SEARCH\n${big(size, "a\n")}=======\n${big(size, "a\nb\n")}>>>>>>> REPLACE\n`,
    ],
    ["opened blocks", 27, (size) => big(size, "<<<<<<< SEARCH\n")],
    ["inner markers", 22, (size) => `+++ \`n${big(size, "+++ ")}`],
    ["JSON", 125, (size) => JSON.stringify({ input: begin(`@@\n a\n${big(size, "+x\n")}`) })],
    ["brackets", 22, (size) => big(size, "[")],
    ["escapes", 90, (size) => `*** Begin Patch\\n*** Update File: a\\n@@\\n${big(size, "+x\\n")}*** End Patch`],
    ["quotes", 22, (size) => big(size, '"')],
    ["placeholders", 155, (size) => begin(`@@\n a\n${big(size, "+... rest of the\n")}`)],
    ["digits before lines", 300, (size) => begin(`@@\n${big(size, "-12: a\n")}+b`)],
    ["backslashes", 220, (size) => begin(`@@\n-${big(size, "\\\\n")}\n+b`)],
  ];

  test.each(cases)("a patch of 2 MB of %s never throws or hangs", (name, mostPerByte, bodyOf) => {
    const bounds = {
      size: (name === BUDGETED ? 128 : 32) * 1024,
      mostGrowth: name === BUDGETED ? 1.5 : 2.1,
      mostPerUnit: mostPerByte,
    };
    expectGrowth(bounds, (size) => {
      const [body, file] = [bodyOf(size), fileOf(size)];
      return () => play(counted, body, file);
    });
    // Without counters, and without a clock: what would hang, hangs here.
    play(text, bodyOf(MEGABYTES_2), fileOf(MEGABYTES_2));
  });
});

/** Everything that is done with a patch before the disk is asked. */
function play({ applyHunks: apply, parsePatch: parse }: typeof text, body: string, file: string): void {
  const parsed = parse(body);
  if (parsed.kind !== "patch") return;
  for (const entry of parsed.files) if (entry.kind === "update") apply(file, entry.hunks);
}

function fileOf(size: number): string {
  return numbered(size, "# x#;\n") + big(size, "a\nb\n    ab\n}\n");
}

function big(size: number, row: string): string {
  return row.repeat(Math.ceil(size / row.length));
}

function begin(body: string): string {
  return `*** Begin Patch\n*** Update File: a\n${body}\n*** End Patch\n`;
}

/** Rows that differ, about as much as is asked for with their numbers. */
function numbered(size: number, row: string): string {
  const count = size / (row.length + 8);
  return Array.from({ length: count }, (_, at) => row.replaceAll("#", () => String(at))).join("");
}
