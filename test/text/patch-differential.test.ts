/**
 * Where `git apply` and GNU patch agree on what a diff makes of a file, so do we: with our own diffs and with theirs, on the
 * file that a diff was made for and on one that has changed since. Skipped where one of the tools is missing.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc } from "../property.ts";
import { component } from "../components/component.ts";
import { unifiedDiff } from "../../src/text/index.ts";
import { applied, applyTo, hunksOf } from "./patch-kit.ts";

const tools = component("git", "patch", "diff");
const folder = mkdtempSync(join(tmpdir(), "patch-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the tool makes of `before`, or nothing when it refuses. */
function run(command: readonly string[], before: string, diff: string): string | undefined {
  writeFileSync(join(folder, "x"), before);
  writeFileSync(join(folder, "p.diff"), diff);
  const result = Bun.spawnSync([...command], {
    cwd: folder,
    env: { ...process.env, ...NO_CONFIG },
    stdout: "ignore",
    stderr: "ignore",
  });
  return result.exitCode === 0 ? readFileSync(join(folder, "x"), "utf8") : undefined;
}

/** Without configuration of the machine, and never inside a repository. */
const NO_CONFIG = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CEILING_DIRECTORIES: folder,
};
const GIT = ["git", "apply", "p.diff"];
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

/** As the tools make it, with names as in a repository. */
function make(tool: "git" | "diff", before: string, after: string): string {
  writeFileSync(join(folder, "old"), before);
  writeFileSync(join(folder, "new"), after);
  const options = tool === "git" ? ["diff", "--no-index", "--no-color", "--no-ext-diff"] : ["-u"];
  const made = Bun.spawnSync([tool, ...options, "old", "new"], {
    cwd: folder,
    env: { ...process.env, ...NO_CONFIG },
  });
  return made.stdout
    .toString()
    .replace(/^diff --git .*\n(?:index .*\n)?/, "")
    .replace(/^--- .*\n\+\+\+ .*\n/, "--- a/x\n+++ b/x\n");
}

/** The old lines of each hunk stand once, or at the very line that it names. */
function isOnlyPlaceOrNumbered(now: string, diff: string): boolean {
  const file = now.split("\n").slice(0, -1);
  return hunksOf(diff).every(({ lines, startLine }) => {
    const old = lines.flatMap(({ kind, text }) => (kind === "insert" ? [] : [text]));
    const starts = file.flatMap((_, start) => (old.every((text, at) => file[start + at] === text) ? [start + 1] : []));
    return starts.length === 1 || starts.includes(startLine ?? 0);
  });
}

describe.skipIf(tools.isMissing)(`agrees with git apply and GNU patch${tools.note}`, () => {
  const plain = fc
    .array(fc.tuple(fc.constantFrom("a", "b", "c", "", "}", "  a"), fc.constantFrom("\n", "\n", "\r\n")), {
      minLength: 1,
      maxLength: 16,
    })
    .map((parts) => parts.flat().join(""));

  test("a patch gives what git apply and GNU patch give on the file that the diff was made for", () => {
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

  test("a patch gives what git apply and GNU patch give on the same file with other lines around it", () => {
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
          const result = applyTo(moved, diff);
          if (git !== undefined && git === gnu) expect(result).toMatchObject({ kind: "applied", text: git });
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each(["git", "diff"] as const)(
    "a patch gives what git apply and GNU patch give on the diffs that %s makes",
    (tool) => {
      let agreed = 0;
      fc.assert(
        fc.property(plain, plain, fc.boolean(), (start, after, isOpen) => {
          const before = isOpen ? start.replace(/\r?\n$/, "") : start;
          if (before === after || before === "") return;
          const diff = make(tool, before, after);
          expect(applied(before, diff)).toBe(after);
          if (run(GIT, before, diff) === after && run(GNU, before, diff) === after) agreed++;
        }),
        { numRuns: 60 },
      );
      expect(agreed).toBeGreaterThan(20);
    },
  );

  test("on a file that has changed since: the same, or where the lines can only be meant", () => {
    const drift = fc.array(fc.tuple(fc.nat(40), fc.constantFrom("", "a\n", "}\n", "drift\n")), {
      maxLength: 3,
    });
    const long = fc.array(fc.constantFrom("a\n", "b\n", "}\n", "\n", "one\n", "two\n"), {
      minLength: 8,
      maxLength: 24,
    });
    const seen = { same: 0, refused: 0 };
    fc.assert(
      fc.property(long, fc.nat(23), fc.constantFrom("new\n", "}\n", ""), drift, (lines, at, line, edits) => {
        const before = lines.join("");
        const after = [...lines.slice(0, at), line, ...lines.slice(at + 1)].join("");
        if (before === after) return;
        const drifted: string[] = [...lines];
        for (const [place, other] of edits) drifted.splice(place % lines.length, place % 2, other);
        const now = drifted.join("");
        const diff = make("git", before, after);
        const [git, gnu] = [run(GIT, now, diff), run(GNU, now, diff)];
        if (git !== gnu) return;
        const ours = applyTo(now, diff);
        const isSilent = ours.kind === "applied" && ours.tolerances.length === 0;
        if (git === undefined) {
          // They also refuse a hunk that lacks context on one side and is not at that end of the file.
          if (isSilent) expect(isOnlyPlaceOrNumbered(now, diff)).toBe(true);
          seen.refused++;
        } else if (isSilent) {
          expect(ours.text).toBe(git);
          seen.same++;
        }
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seen.same, seen.refused)).toBeGreaterThan(10);
  });
});
