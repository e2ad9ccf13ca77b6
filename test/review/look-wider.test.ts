/**
 * What a reviewer looks at besides the diff: the lines around hunks, changes of blanks alone, and a list narrowed to some words.
 */
import { expect, test } from "bun:test";
import type { ListedProposal } from "../../src/calls/index.ts";
import { batchOf, filterQueue, isBlankChange, reviewLines, type ProposalReview } from "../../src/review/index.ts";
import { readDiff } from "../../src/review/rows/read-diff.ts";
import { unifiedDiff } from "../../src/text/index.ts";
import { fc } from "../property.ts";

const lines = (all: readonly string[]): string => all.map((one) => `${one}\n`).join("");

function reviewOf(old: readonly string[], now: readonly string[]): ProposalReview {
  const { text, added, removed } = unifiedDiff(lines(old), lines(now), { path: "a.txt", maxBytes: 1e6 });
  const file = { path: "a.txt", absolute: "/r/a.txt", line: "Edit a.txt", added, removed, hunks: readDiff(text) };
  return { summary: "Edit a.txt", warnings: [], files: [file], text: "" } as unknown as ProposalReview;
}

/** The lines of the new text that are shown, with both numbers. */
function shownOf(review: ProposalReview, now: readonly string[], count: number): string[] {
  const around = new Map([["a.txt", { lines: now, count }]]);
  return reviewLines(review, new Set(["a.txt"]), [], around).flatMap((line) =>
    "row" in line && line.row.new !== undefined ? [`${line.row.new}:${line.row.raw}`] : [],
  );
}

test("with all lines around its hunks a file is shown whole, each line with its number", () => {
  const word = fc.constantFrom("a", "b", "c");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.array(word, { maxLength: 60 }), (old, now) => {
      fc.pre(old.join() !== now.join());
      const review = reviewOf(old, now);
      expect(shownOf(review, now, Infinity)).toEqual(now.map((text, at) => `${at + 1}:${text}`));
    }),
  );
});

test("some lines around a hunk are those before and behind it, and what is left between is told", () => {
  const old = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
  const now = old.map((text, at) => (at === 19 || at === 49 ? `${text}!` : text));
  const review = reviewOf(old, now);
  const around = new Map([["a.txt", { lines: now, count: 2 }]]);
  const notes = reviewLines(review, new Set(), [], around).flatMap((line) =>
    line.kind === "note" ? [line.text.trim()] : line.kind === "around" ? [line.row.raw] : [],
  );
  expect(notes).toEqual([
    "Edit a.txt",
    "... 14 lines that do not change",
    "line 15",
    "line 16",
    "line 24",
    "line 25",
    "... 19 lines that do not change",
    "line 45",
    "line 46",
    "line 54",
    "line 55",
    "... 5 lines that do not change",
  ]);
});

function isBlank(old: string[], now: string[]): boolean {
  return isBlankChange(reviewOf(old, now).files[0]?.hunks[0]?.rows ?? [], "1.1");
}

test("isBlankChange() knows a change of blanks alone", () => {
  expect(isBlank(["a b"], ["a  b "])).toBe(true);
  expect(isBlank(["a", "b"], ["a", "", "b"])).toBe(true);
  expect(isBlank(["a b"], ["a c"])).toBe(false);
  expect(isBlank(["a"], ["a", "b"])).toBe(false);
});

test("filterQueue() gives the proposals that have all words, and all of them without a word", () => {
  const listed = [
    { change: "Edit src/a.ts", tool: "edit_file", risk: "R2", client: "codex", paths: ["/r/src/a.ts"] },
    { change: "Delete b.md", tool: "delete", risk: "R4", paths: ["/r/b.md"] },
  ] as unknown as readonly ListedProposal[];
  const tools = (words: string): string[] => filterQueue(listed, words).map(({ tool }) => tool);
  expect(tools("")).toEqual(["edit_file", "delete"]);
  expect(tools("  CODEX src/ ")).toEqual(["edit_file"]);
  expect(tools("r4")).toEqual(["delete"]);
  expect(tools("codex r4")).toEqual([]);
});

test("what a person edited, and what they made it of, are decided one by one", () => {
  const entry = { risk: "R2", isCall: false };
  const entries = [
    { ...entry, id: "p_1", edits: undefined },
    { ...entry, id: "p_2", edits: "p_1" },
  ];
  expect(batchOf(entries, () => undefined)).toEqual({
    taken: [],
    left: [
      { id: "p_1", why: "its edited form waits too" },
      { id: "p_2", why: "a person edited it" },
    ],
  });
});
