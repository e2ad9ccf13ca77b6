/**
 * The sheet of a proposal: all that its approval does, as data and as text. `show`, the form, `get` and the question at a terminal
 * print this text, and nothing else is shown to who decides.
 *
 * Order: what it is, then every operation in a line, then what there is to say, then the diffs. A long diff can hide no operation.
 */
import { escapeControls, escapeLine } from "../text/index.ts";
import type { FileChange } from "./file-change.ts";
import { operationLine } from "./operation-line.ts";
import { showBytes } from "./show-bytes.ts";

export interface Sheet {
  /** `ID@DIGEST` */
  readonly label: string;
  readonly summary: string;
  readonly tool: string;
  readonly risk: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Of a call; a change has its operations. */
  readonly lines: Iterable<string>;
  readonly operations: readonly ShownOperation[];
  readonly warnings: readonly string[];
  /** Why it cannot be applied now. */
  readonly problem?: string | undefined;
}

export interface ShownOperation {
  readonly file: FileChange;
  /** The new content, where there is one. */
  readonly content?: (() => Uint8Array) | undefined;
}

/** One line each, without line feeds, with nothing in it that hides or commands. */
export function* sheetLines(sheet: Sheet): Generator<string> {
  const { operations } = sheet;
  yield escapeLine(sheet.summary);
  yield `id: ${sheet.label}`;
  yield escapeLine(`tool: ${sheet.tool}, risk ${sheet.risk}`);
  yield `made: ${sheet.createdAt}, expires: ${sheet.expiresAt}`;
  if (sheet.problem !== undefined) yield escapeLine(`It cannot be applied now: ${sheet.problem}`);
  for (const [index, { file }] of operations.entries()) yield `${index + 1}. ${operationLine(file, "full")}`;
  yield* sheet.lines;
  for (const warning of sheet.warnings) yield escapeLine(`Note: ${warning}`);
  if (operations.some(hasBody)) yield "";
  for (const operation of operations) yield* bodyOf(operation);
}

function hasBody({ file }: ShownOperation): boolean {
  return diffOf(file) !== "" || isOtherwiseRead(file);
}

function diffOf({ diff, replaced_diff }: FileChange): string {
  return diff ?? replaced_diff ?? "";
}

function* bodyOf({ file, content }: ShownOperation): Generator<string> {
  // A line at a time, so that a long diff is not held twice.
  const diff = diffOf(file);
  for (let at = 0; at < diff.length;) {
    const end = diff.indexOf("\n", at);
    yield escapeControls(diff.slice(at, end === -1 ? diff.length : end));
    at = end === -1 ? diff.length : end + 1;
  }
  if (!content || !isOtherwiseRead(file)) return;
  yield escapeLine(`${file.path}, as a program sees it that reads bytes:`);
  const bytes = content();
  yield* showBytes(file.after?.encoding === "utf-8-bom" ? firstLine(bytes) : bytes);
}

/** The bytes differ from what the text of the diff says. */
function isOtherwiseRead({ after }: FileChange): boolean {
  return after?.encoding !== undefined && after.encoding !== "utf-8";
}

/** After the mark it is the text of the diff. */
function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0x0a);
  return end === -1 ? bytes : bytes.subarray(0, end);
}
