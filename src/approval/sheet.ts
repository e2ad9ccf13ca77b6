/**
 * The sheet of a proposal: all that its approval does, as data and as text. `show`, the form, `get` and the question at
 * a terminal print this text, and the approver sees nothing else.
 *
 * Order: the point, for those who see only the first lines; every operation in a line; the diffs; what it is called and
 * how long it waits; notes. A long diff can hide no operation.
 */
import { escapeControls, escapeLine } from "../text/index.ts";
import { linesOf } from "./changed-lines.ts";
import { diffOf, isOtherwiseRead, operationLine, type FileChange } from "./operation-line.ts";
import { showBytes } from "./shorten.ts";

export interface Sheet {
  /** `ID@DIGEST` */
  readonly label: string;
  /** The first lines. */
  readonly lead: readonly string[];
  readonly tool: string;
  readonly risk: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly expiresAt: string;
  /** The lines of a call; a change has its operations. */
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

/** Gives the lines of the sheet, without line feeds and with every hidden or commanding character escaped. */
export function* sheetLines(sheet: Sheet): Generator<string> {
  const { operations } = sheet;
  if (sheet.problem !== undefined) yield escapeLine(`It cannot be applied now: ${sheet.problem}`);
  for (const line of sheet.lead) yield escapeLine(line);
  for (const [index, { file }] of operations.entries()) yield `${index + 1}. ${operationLine(file, "full")}`;
  yield* sheet.lines;
  for (const operation of operations) yield* bodyOf(operation, operations.length === 1);
  yield `id: ${sheet.label}`;
  yield escapeLine(`tool: ${sheet.tool}, risk ${sheet.risk}`);
  yield `made: ${sheet.createdAt}, expires: ${sheet.expiresAt}`;
  for (const warning of sheet.warnings) yield escapeLine(`Note: ${warning}`);
}

/** @param isOnly there is no other operation that the diff could belong to, so the lines that name the file are left out */
function* bodyOf({ file, content }: ShownOperation, isOnly: boolean): Generator<string> {
  let left = isOnly ? NAME_LINES : 0;
  for (const line of linesOf(diffOf(file))) if (left-- <= 0) yield escapeControls(line);
  if (!content || !isOtherwiseRead(file)) return;
  yield escapeLine(`${file.path}, as a program sees it that reads bytes:`);
  const bytes = content();
  yield* showBytes(file.after?.encoding === "utf-8-bom" ? firstLine(bytes) : bytes);
}

/** `---` and `+++` */
const NAME_LINES = 2;

/** The first line, which holds the byte order mark; the rest is the text of the diff. */
function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0x0a);
  return end === -1 ? bytes : bytes.subarray(0, end);
}
