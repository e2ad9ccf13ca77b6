/** Whatever is sent as a patch, parsing and placing end, in time, with a result or a refusal that says why. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { applyHunks, parsePatch } from "../../src/text/index.ts";
import { anyText } from "./patch-kit.ts";

const MEGABYTES_2 = 2 * 1024 * 1024;

function big(row: string): string {
  return row.repeat(Math.ceil(MEGABYTES_2 / row.length));
}

function begin(body: string): string {
  return `*** Begin Patch\n*** Update File: a\n${body}\n*** End Patch\n`;
}

/** Rows that differ, about 2 MB with their numbers. */
function numbered(row: string): string {
  const count = MEGABYTES_2 / (row.length + 8);
  return Array.from({ length: count }, (_, at) => row.replaceAll("#", () => String(at))).join("");
}

/** Of the processor, which other programs on the machine do not lengthen much. */
function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

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

  test("on any text", () => {
    fc.assert(
      fc.property(patch, fc.boolean(), anyText, (body, isWrapped, file) => {
        const parsed = parsePatch(
          isWrapped ? `*** Begin Patch\n*** Update File: a\n${body}*** End Patch\n` : body,
        );
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

  const cases: [name: string, patch: string][] = [
    ["blanks", big(" ")],
    ["begin markers", big("*** Begin Patch\n")],
    ["sections", `*** Begin Patch\n${big("*** Update File: a\n@@\n-a\n+b\n")}*** End Patch\n`],
    ["an insertion", begin(`@@\n a\n${big("+new line\n")}`)],
    ["one long line", begin(`@@\n-${big("x y")}\n+b`)],
    ["a long run of blanks", begin(`@@\n-a${big(" ")}b\n+b`)],
    ["hunks", begin(big("@@\n-a\n+b\n"))],
    ["hunks that are nowhere", begin(big("@@\n-zebra zoo\n+b\n"))],
    ["anchors", begin(`${big("@@ a\n")}-a\n+b`)],
    ["hunks with anchors in the middle of lines", begin(big("@@ b\n+b\n"))],
    ["lines without a sign", begin(`@@\n${big("a\n")}+b`)],
    ["hunk headers", `--- a/a\n+++ b/a\n${big("@@ -1,3 +1,3 @@\n")}`],
    ["wrong counts", `--- a/a\n+++ b/a\n${big("@@ -1,900000 +1,3 @@\n a\n-a\n+b\n")}`],
    ["one wrong count", `--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n${big("-a\n+b\n")}`],
    ["file names", big("--- a/a\n+++ b/a\n")],
    ["git headers", big("diff --git a/a b/a\n")],
    ["a quoted name", `--- "a/${big("\\303\\251")}"\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n`],
    ["an open block", `a\n<<<<<<< SEARCH\n${big("a\n")}`],
    ["blocks", big("a\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")],
    ["blocks inside lines", numbered("a\n<<<<<<< SEARCH\nx#;\n=======\nx#:\n>>>>>>> REPLACE\n")],
    ["sections of pairs", numbered("*** Delete File: #\n*** Add File: #\n+a\n")],
    ["a block of equal lines", `a\n<<<<<<< SEARCH\n${big("a\n")}=======\n${big("a\nb\n")}>>>>>>> REPLACE\n`],
    ["opened blocks", big("<<<<<<< SEARCH\n")],
    ["inner markers", `+++ \`n${big("+++ ")}`],
    ["JSON", JSON.stringify({ input: begin(`@@\n a\n${big("+x\n")}`) })],
    ["brackets", big("[")],
    ["escapes", `*** Begin Patch\\n*** Update File: a\\n@@\\n${big("+x\\n")}*** End Patch`],
    ["quotes", big('"')],
    ["placeholders", begin(`@@\n a\n${big("+... rest of the\n")}`)],
    ["digits before lines", begin(`@@\n${big("-12: a\n")}+b`)],
    ["backslashes", begin(`@@\n-${big("\\\\n")}\n+b`)],
  ];
  const file = numbered("# x#;\n") + big("a\nb\n    ab\n}\n");
  function measure(name: string, body: string): number {
    const start = spentMs();
    const parsed = parsePatch(body);
    const middle = spentMs();
    if (parsed.kind === "patch") {
      for (const entry of parsed.files) if (entry.kind === "update") applyHunks(file, entry.hunks);
    }
    const end = spentMs();
    const spent = [middle - start, end - middle].map(Math.round);
    if (process.env["SHOW_MS"] !== undefined) console.log(name, parsed.kind, ...spent);
    return end - start;
  }

  test.each(cases)("2 MB of %s", (name, body) => {
    // The first run is also the one that is compiled, and memory is swept when it pleases.
    let fastest = Infinity;
    for (let turn = 0; turn < 3 && fastest >= 1000; turn++) fastest = Math.min(fastest, measure(name, body));
    expect(fastest).toBeLessThan(1000);
  });
});
