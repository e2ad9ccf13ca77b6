/** A diff that was not cut must turn the one text into the other; a cut one must say so. */
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPatch } from "diff";
import { fc } from "../property.ts";
import { component } from "../components/component.ts";
import { unifiedDiff } from "../../src/text/index.ts";
import type * as text from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

const counted = await loadCounted<typeof text>("src/text/index.ts");

const OPTIONS = { path: "dir/a.txt", maxBytes: 64 * 1024 };

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

function apply(before: string, patch: string): string | false {
  return applyPatch(before, patch, { autoConvertLineEndings: false });
}

test("unifiedDiff() shows one changed line in the middle", () => {
  const before = numbered(20);
  const result = unifiedDiff(before, before.replace("line 10\n", "LINE\n"), OPTIONS);
  expect(result).toEqual({
    text:
      "--- a/dir/a.txt\n+++ b/dir/a.txt\n@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+LINE\n" +
      " line 11\n line 12\n line 13\n",
    added: 1,
    removed: 1,
    truncated: false,
  });
});

test("unifiedDiff() is empty where nothing differs", () => {
  expect(unifiedDiff("a\n", "a\n", OPTIONS)).toEqual({ text: "", added: 0, removed: 0, truncated: false });
});

test("unifiedDiff() shows a new file, a removed file and an empty new file", () => {
  expect(unifiedDiff("", "a\nb", { ...OPTIONS, missingBefore: true }).text).toBe(
    "--- /dev/null\n+++ b/dir/a.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
  );
  expect(unifiedDiff("a\n", "", { ...OPTIONS, missingAfter: true }).text).toBe(
    "--- a/dir/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
  );
  expect(unifiedDiff("", "", { ...OPTIONS, missingBefore: true }).text).toBe("--- /dev/null\n+++ b/dir/a.txt\n");
});

test("texts with more lines than are compared are shown whole, one removed and the other added", () => {
  const before = `same\n${"x\n".repeat(250_000)}`;
  const after = `same\n${"y\n".repeat(250_000)}end`;
  const whole = unifiedDiff(before, after, { ...OPTIONS, maxBytes: 16 * 1024 * 1024 });
  expect(whole).toMatchObject({ added: 250_001, removed: 250_000, truncated: false, isWhole: true });
  const [, , range, ...lines] = whole.text.split("\n");
  expect(range).toBe("@@ -2,250000 +2,250001 @@");
  const side = (sign: string): string =>
    lines.flatMap((line) => (line.startsWith(sign) ? `${line.slice(1)}\n` : [])).join("");
  expect(`same\n${side("-")}` === before).toBe(true);
  expect(`same\n${side("+")}` === `${after}\n`).toBe(true);
  expect(whole.text).toEndWith("+end\n\\ No newline at end of file\n");
  const cut = unifiedDiff(before, after, OPTIONS);
  expect(cut).toMatchObject({ added: 250_001, removed: 250_000, truncated: true, isWhole: true });
  expect(cut.text.length).toBeLessThan(OPTIONS.maxBytes + 200);
});

test("a final newline that comes or goes is a change", () => {
  expect(unifiedDiff("a", "a\n", OPTIONS).text).toBe(
    "--- a/dir/a.txt\n+++ b/dir/a.txt\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
  );
});

test("a line whose only change is its ending is shown", () => {
  const result = unifiedDiff("a\nb\nc\n", "a\nb\r\nc\n", { ...OPTIONS, context: 0 });
  expect(result).toMatchObject({ added: 1, removed: 1 });
  expect(result.text).toEndWith("@@ -2,1 +2,1 @@\n-b\n+b\r\n");
});

test("a moved file, and names that need quotes", () => {
  expect(unifiedDiff("a\n", "a\n", { ...OPTIONS, newPath: "b.txt" }).text).toBe("--- a/dir/a.txt\n+++ b/b.txt\n");
  expect(unifiedDiff("a\n", "b\n", { ...OPTIONS, path: 'x\n"y' }).text).toStartWith('--- "a/x\\012\\"y"\n');
});

describe("bounds", () => {
  test("unifiedDiff() cuts at a line and says how much is missing, with exact counts", () => {
    const result = unifiedDiff("", numbered(1000), { ...OPTIONS, maxBytes: 200, missingBefore: true });
    expect(result).toMatchObject({ added: 1000, removed: 0, truncated: true });
    const lines = result.text.trimEnd().split("\n");
    expect(lines.at(-1)).toBe(`… ${1000 - (lines.length - 4)} more lines of the diff left out (9.7 kB)`);
    expect(lines.at(-2)).toMatch(/^\+line \d+$/);
    expect(Buffer.byteLength(result.text)).toBeLessThan(300);
  });

  test("unifiedDiff() falls back to one block for texts that share nothing, and stays exact", () => {
    const before = `same\n${numbered(6000)}end\n`;
    const after = `same\n${numbered(6000).replaceAll("line", "other")}end\n`;
    const result = unifiedDiff(before, after, { path: "a", maxBytes: 10_000_000 });
    expect(result).toMatchObject({ added: 6000, removed: 6000, truncated: false });
    expect(result.text.slice(0, 60)).toContain("@@ -1,6002 +1,6002 @@\n");
    expect(apply(before, result.text)).toBe(after);
  });

  test("10 MB with one changed line takes no longer than finding it", () => {
    const row = "const value = compute(someArgument, otherArgument); // line\n";
    const before = (rows: number): string => `${row.repeat(rows / 2)}let a = 1;\n${row.repeat(rows / 2)}`;
    const after = (rows: number): string => before(rows).replace("let a = 1;", "let a = 2;");
    // Each character is compared once, and the line feeds before the change are counted.
    expectGrowth({ size: 16_000, mostGrowth: 2.1, mostPerUnit: 5 * row.length }, (rows) => {
      const [old, changed] = [before(rows), after(rows)];
      return () => counted.unifiedDiff(old, changed, OPTIONS);
    });
    const result = unifiedDiff(before(170_000), after(170_000), OPTIONS);
    expect(result.text).toContain("@@ -84998,7 +84998,7 @@\n");
  });

  test("10 MB with every line changed ends", () => {
    const row = "const value = compute(someArgument);\n";
    // So many that the search for the shortest script is over before all of them are looked at.
    expectGrowth({ size: 16_000, mostGrowth: 2.1, mostPerUnit: 2800 }, (rows) => {
      const [old, changed] = [row.repeat(rows), row.repeat(rows).replaceAll("v", "w")];
      return () => counted.unifiedDiff(old, changed, OPTIONS);
    });
    const before = row.repeat(280_000);
    const result = unifiedDiff(before, before.replaceAll("v", "w"), OPTIONS);
    expect(result).toMatchObject({ added: 280_000, removed: 280_000, truncated: true });
  });
});

test("applied to the one text it gives the other", () => {
  const text = fc
    .array(fc.tuple(fc.constantFrom("a", "b", "c", "", "- d", "+ e", "\\ f"), fc.constantFrom("\n", "\r\n", "\n", "")))
    .map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(text, text, fc.nat(4), (before, after, context) => {
      const result = unifiedDiff(before, after, { path: "x", maxBytes: 1_000_000, context });
      if (before === after) expect(result.text).toBe("");
      else expect(apply(before, result.text)).toBe(after);
    }),
    { numRuns: 2000 },
  );
});

test("a few changes in a long text apply too", () => {
  const changes = fc.array(fc.tuple(fc.nat(199), fc.constantFrom("x\n", "", "x\ny\r\n")), { maxLength: 6 });
  fc.assert(
    fc.property(changes, (edits) => {
      const lines = numbered(200).split(/(?<=\n)/);
      const before = lines.join("");
      for (const [at, replacement] of edits) lines[at] = replacement;
      const after = lines.join("");
      const result = unifiedDiff(before, after, { path: "x", maxBytes: 1_000_000 });
      if (before !== after) expect(apply(before, result.text)).toBe(after);
    }),
    { numRuns: 500 },
  );
});

describe("among repeated lines", () => {
  test("a change has its context on both sides", () => {
    const result = unifiedDiff("a\n".repeat(8), `a\nnew\n${"a\n".repeat(6)}`, OPTIONS);
    expect(result.text).toEndWith("@@ -1,5 +1,5 @@\n a\n-a\n+new\n a\n a\n a\n");
  });

  test("the last line of the context may have no end", () => {
    const result = unifiedDiff("a\na\na\na", "a\nb\na\na", OPTIONS);
    expect(result.text).toEndWith("@@ -1,4 +1,4 @@\n a\n-a\n+b\n a\n a\n\\ No newline at end of file\n");
  });

  test.skipIf(component("git").isMissing)(`git applies every diff${component("git").note}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "ringfence-diff-"));
    try {
      const pairs = fc.sample(fc.tuple(repetitive(), repetitive()), { numRuns: 600, seed: 41 });
      const changed = pairs.filter(([before, after]) => before !== after && before !== "" && after !== "");
      expect(changed.length).toBeGreaterThan(300);
      expect(gitApply(folder, changed)).toEqual(changed.map(([, after]) => after));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Lines that can hardly be told apart. */
function repetitive(): fc.Arbitrary<string> {
  const lines = fc.array(fc.constantFrom("a\n", "a\n", "a\n", "b\n"), { maxLength: 24 });
  return fc.tuple(lines, fc.boolean()).map(([all, isEnded]) => (isEnded ? all.join("") : all.join("").trimEnd()));
}

/** All of them by one call of git, each on a file of its own. */
function gitApply(folder: string, pairs: readonly (readonly [string, string])[]): string[] {
  const patch = pairs.map(([before, after], index) => {
    writeFileSync(join(folder, String(index)), before);
    return unifiedDiff(before, after, { path: String(index), maxBytes: 1_000_000 }).text;
  });
  // Without configuration of the machine, and never inside a repository.
  const git = {
    GIT_CEILING_DIRECTORIES: join(folder, ".."),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const applied = spawnSync("git", ["apply", "--whitespace=nowarn", "-"], {
    cwd: folder,
    input: patch.join(""),
    env: { ...process.env, ...git },
    encoding: "utf8",
  });
  expect(applied.stderr).toBe("");
  return pairs.map((_, index) => readFileSync(join(folder, String(index)), "utf8"));
}
