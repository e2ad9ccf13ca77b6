/** Edits that a test expects to be made, or to be refused. */
import { applyEdits, type EditProblem, type TextEdit } from "../../src/text/index.ts";

export function edited(text: string, ...edits: TextEdit[]): string {
  const result = applyEdits(text, edits);
  if (result.kind !== "edited") throw new Error(JSON.stringify(result));
  return result.text;
}

export function problem(text: string, ...edits: TextEdit[]): EditProblem {
  const result = applyEdits(text, edits);
  if (result.kind !== "problem") throw new Error(JSON.stringify(result));
  return result.problem;
}

export function edit(oldText: string, newText: string, replaceAll?: boolean): TextEdit {
  return replaceAll === undefined ? { oldText, newText } : { oldText, newText, replaceAll };
}
