/**
 * What the tests of patches share: texts of patches from lines, and steps that throw with everything they know when a
 * patch is not read, placed or refused as the test needs it.
 */
import { expect } from "bun:test";
import { fc } from "../property.ts";
import {
  applyHunks,
  parsePatch,
  type FilePatch,
  type Hunk,
  type HunkProblem,
  type HunksResult,
  type ParsedPatch,
  type PatchProblem,
} from "../../src/text/index.ts";

/** One text as it is; several lines, each ended. */
function textFrom(lines: readonly string[]): string {
  const [first = "", ...more] = lines;
  return more.length === 0 ? first : `${lines.join("\n")}\n`;
}

export function begin(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
}

export function update(...lines: string[]): string {
  return begin("*** Update File: a.ts", ...lines);
}

export function block(search: readonly string[], replace: readonly string[], signs: number = 7): string[] {
  const sign = (character: string): string => character.repeat(signs);
  return [`${sign("<")} SEARCH`, ...search, sign("="), ...replace, `${sign(">")} REPLACE`];
}

export function parsed(...lines: string[]): ParsedPatch {
  const result = parsePatch(textFrom(lines));
  if (result.kind === "problem") throw new Error(JSON.stringify(result));
  return result;
}

export function refused(...lines: string[]): PatchProblem {
  const result = parsePatch(textFrom(lines));
  if (result.kind === "patch") throw new Error(JSON.stringify(result));
  return result;
}

export function only(...lines: string[]): FilePatch {
  const [file, ...others] = parsed(...lines).files;
  if (!file || others.length > 0) throw new Error("not one file");
  return file;
}

/** The hunks of a patch that has one file. */
export function hunksOf(...lines: string[]): readonly Hunk[] {
  const file = only(...lines);
  if (file.kind !== "update") throw new Error(JSON.stringify(file));
  return file.hunks;
}

export function applyTo(before: string, ...lines: string[]): HunksResult {
  return applyHunks(before, hunksOf(...lines));
}

export function textOf(result: HunksResult): string {
  if (result.kind !== "applied") throw new Error(JSON.stringify(result));
  return result.text;
}

export function applied(before: string, ...lines: string[]): string {
  return textOf(applyTo(before, ...lines));
}

/** The lines of an update of one file, from here on. */
export function apply(before: string, ...lines: string[]): HunksResult {
  return applyTo(before, update(...lines));
}

export function exact(before: string, ...lines: string[]): string {
  const result = apply(before, ...lines);
  if (result.kind === "applied") expect(result.tolerances).toEqual([]);
  return textOf(result);
}

export function tolerated(before: string, ...lines: string[]): { text: string; tolerance: string } {
  const result = apply(before, ...lines);
  if (result.kind !== "applied") throw new Error(JSON.stringify(result));
  expect(result.tolerances).toHaveLength(1);
  return { text: result.text, tolerance: result.tolerances[0] ?? "" };
}

export function failed(result: HunksResult): HunkProblem {
  if (result.kind !== "failed" || result.hunks.length !== 1) throw new Error(JSON.stringify(result));
  const [problem] = result.hunks;
  if (!problem) throw new Error("no problem");
  expect(problem.hint).not.toBe("");
  return problem;
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
/** Short, with lines that look like parts of a patch, and every kind of ending mixed. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.tuple(word, ending), { maxLength: 14 })
  .map((parts) => parts.flat().join(""));

/** Applies a unified diff of one file, without its names. */
export function unified(before: string, ...lines: string[]): HunksResult {
  return applyTo(before, "--- a/x", "+++ b/x", ...lines);
}
