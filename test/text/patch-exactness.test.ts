/**
 * A diff that is read and applied gives the other text, byte for byte: our own diffs, those of the package `diff`, and
 * where git and GNU patch agree, what they make of it.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { applyHunks, parsePatch, unifiedDiff, type Hunk } from "../../src/text/index.ts";

function hunksOf(patch: string): readonly Hunk[] {
  const parsed = parsePatch(patch);
  if (parsed.kind === "problem") throw new Error(`${parsed.message}\n${patch}`);
  const [file] = parsed.files;
  if (parsed.files.length !== 1 || file?.kind !== "update") throw new Error(JSON.stringify(parsed.files));
  expect(parsed.tolerances).toEqual([]);
  return file.hunks;
}

function applied(before: string, patch: string): string {
  const result = applyHunks(before, hunksOf(patch));
  if (result.kind !== "applied")
    throw new Error(`${JSON.stringify(result)}\n${JSON.stringify(before)}\n${patch}`);
  expect(result.tolerances).toEqual([]);
  return result.text;
}

const word = fc.constantFrom(
  "a",
  "b",
  "c",
  "",
  "\ta",
  "  a",
  "- d",
  "+ e",
  "\\ f",
  "-- g",
  "++ h",
  "@@ -1 +1 @@",
  "x".repeat(9),
);
const ending = fc.constantFrom("\n", "\r\n", "\n", "", "\r");
const text = fc.array(fc.tuple(word, ending), { maxLength: 14 }).map((parts) => parts.flat().join(""));

describe("gives the other text", () => {
  test("for our own diffs of small texts that mix endings", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 4 }), (before, after, context) => {
        if (before === after) return;
        const diff = unifiedDiff(before, after, { path: "dir/x", maxBytes: 1_000_000, context });
        expect(applied(before, diff.text)).toBe(after);
      }),
      { numRuns: 4000 },
    );
  });

  test("for diffs of the package", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 4 }), (before, after, context) => {
        if (before === after) return;
        const diff = createTwoFilesPatch("a/x", "b/x", before, after, "", "", { context });
        expect(applied(before, diff)).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });

  test("for a few changes in a long text of repeated lines", () => {
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

const hasTools = Bun.which("git") !== null && Bun.which("patch") !== null;
const folder = mkdtempSync(join(tmpdir(), "patch-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the tool makes of `before`, or nothing when it refuses. */
function run(command: readonly string[], before: string, diff: string): string | undefined {
  writeFileSync(join(folder, "x"), before);
  writeFileSync(join(folder, "p.diff"), diff);
  const result = Bun.spawnSync([...command], { cwd: folder, stdout: "ignore", stderr: "ignore" });
  return result.exitCode === 0 ? readFileSync(join(folder, "x"), "utf8") : undefined;
}

/** Without configuration of the machine, and never inside a repository. */
const GIT = [
  "env",
  "GIT_CONFIG_GLOBAL=/dev/null",
  `GIT_CEILING_DIRECTORIES=${folder}`,
  "git",
  "apply",
  "p.diff",
];
const GNU = [
  "patch",
  "--binary",
  "--fuzz=0",
  "--no-backup-if-mismatch",
  "--reject-file=-",
  "-s",
  "-f",
  "-p1",
  "-i",
  "p.diff",
];

describe.skipIf(!hasTools)("agrees with git apply and GNU patch", () => {
  const plain = fc
    .array(fc.tuple(fc.constantFrom("a", "b", "c", "", "}", "  a"), fc.constantFrom("\n", "\n", "\r\n")), {
      minLength: 1,
      maxLength: 16,
    })
    .map((parts) => parts.flat().join(""));

  test("on the file that the diff was made for", () => {
    fc.assert(
      fc.property(plain, plain, fc.boolean(), (start, other, isOpen) => {
        const before = isOpen ? start.replace(/\r?\n$/, "") : start;
        if (before === other) return;
        const diff = unifiedDiff(before, other, { path: "x", maxBytes: 1_000_000 }).text;
        const ours = applied(before, diff);
        if (before !== "") expect(run(GIT, before, diff)).toBe(ours);
        const gnu = run(GNU, before, diff);
        if (gnu !== undefined) expect(ours).toBe(gnu);
      }),
      { numRuns: 150 },
    );
  });

  test("on the same file with other lines around it", () => {
    const unique = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    fc.assert(
      fc.property(
        fc.nat(29),
        fc.array(fc.constantFrom("new\n", "other\n"), { maxLength: 3 }),
        fc.nat(5),
        (at, inserted, shift) => {
          const before = unique.join("");
          const after = [...unique.slice(0, at), ...inserted, ...unique.slice(at + 1)].join("");
          const diff = unifiedDiff(before, after, { path: "x", maxBytes: 1_000_000 }).text;
          const moved = "above\n".repeat(shift) + before;
          const git = run(GIT, moved, diff);
          const gnu = run(GNU, moved, diff);
          const result = applyHunks(moved, hunksOf(diff));
          if (git !== undefined && git === gnu) expect(result).toMatchObject({ kind: "applied", text: git });
        },
      ),
      { numRuns: 60 },
    );
  });
});
