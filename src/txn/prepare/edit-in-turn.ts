/**
 * New content of one file by edits that are made in order, for callers that were trained on that. What was matched in another
 * way than exactly makes the part tolerant, so that a person looks at it unless nothing is looked at.
 */
import { applyInTurn } from "../../text/index.ts";
import type { EditChange } from "../model.ts";
import { editFailure, encodeOrFail, existingText, preparePut, SAME_TEXT } from "./content.ts";
import { type PreparedPart, type Preparing, unchanged } from "./context.ts";

export function prepareInTurn(change: EditChange, ctx: Preparing): PreparedPart {
  const target = existingText(change, ctx, "edit");
  const { text, encoding } = target.decoded;
  const result = applyInTurn(text, change.edits);
  if (result.kind === "problem") throw editFailure(change.path, result.problem);
  if (result.kind === "unchanged") return unchanged(target, ctx, SAME_TEXT);
  const bytes = encodeOrFail(result.text, encoding, change.path, "edit");
  const part = preparePut(target, bytes, ctx, { operation: "edit", inPlace: change.inPlace ?? false });
  const { replacements, tolerances } = result;
  const said = { ...part, file: { ...part.file, replacements }, warnings: [...tolerances, ...part.warnings] };
  return tolerances.length === 0 ? said : { ...said, tolerant: true };
}
