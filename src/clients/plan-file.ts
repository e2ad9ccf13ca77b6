/**
 * What becomes of one file of a client: the bytes afterwards, from the bytes before and what the table wants in it. Pure; the
 * caller reads the file, and writes it.
 */
import { Failure } from "../base/index.ts";
import type { ClientFile } from "./client.ts";
import { editText, type EditPiece } from "./edit/edit-text.ts";

export interface PlannedFile {
  readonly path: string;
  /** Absent where there is no file yet. */
  readonly before?: Uint8Array | undefined;
  readonly after: string;
  readonly pieces: readonly EditPiece[];
}

/**
 * @param path where the file is: under its own name, or another that the client reads
 * @returns `undefined` when it says all of it already
 * @throws Failure `invalid_input` for a file that cannot be read without doubt, `conflict` for one that somebody else wrote
 */
export function planFile(file: ClientFile, path: string, before: Uint8Array | undefined): PlannedFile | undefined {
  if (file.form !== "whole") {
    const edits = file.edits.map(({ edit }) => edit);
    // In JSON each goes first into its object, so the last is put in first.
    if (file.form === "json") edits.reverse();
    const edited = editText(path, before, file.form, edits);
    return edited && { path, before, after: edited.text, pieces: edited.pieces };
  }
  const old = before === undefined ? undefined : Buffer.from(before).toString();
  if (old === file.text) return undefined;
  if (old !== undefined && !old.includes(OUR_MARK))
    throw new Failure("conflict", `Cannot write "${path}": it is there, and ringfence did not write it`, {
      hint: "Nothing is written. Move the file away, or put the lines in by hand: `ringfence init CLIENT --print` shows them.",
    });
  return { path, before, after: file.text, pieces: [{ inserted: file.text, removed: old ?? "" }] };
}

/** Stands in every file that is wholly ours. */
const OUR_MARK = "ritten by ringfence init";

/**
 * The text of a changed file without what was put in. Where the file has changed since, a piece is taken out only if it stands
 * there exactly one time.
 *
 * @returns `undefined` when a piece cannot be found without doubt
 */
export function takeOut(text: string, pieces: readonly EditPiece[]): string | undefined {
  let left = text;
  for (const { inserted, removed } of pieces.toReversed()) {
    const at = left.indexOf(inserted);
    if (inserted === "" || at === -1 || left.includes(inserted, at + 1)) return undefined;
    left = left.slice(0, at) + removed + left.slice(at + inserted.length);
  }
  return left;
}

/** The file as it is where there was none. */
export function freshText(file: ClientFile): string {
  return planFile(file, file.path, undefined)?.after ?? "";
}
