/**
 * A person edits a proposed text in a program of their own. What they make of it is a new proposal, which stands in the queue
 * beside the first; nothing is written before it is approved.
 *
 * Invariant: no word is lost. What was written stays in its file until there is a proposal of it.
 */
import { labelOf } from "../../approval/index.ts";
import { Failure, toFailure } from "../../base/index.ts";
import type { ProposalParts } from "../../calls/index.ts";
import { noChoices, partsOf, type AskMethods, type ProposalReview, type ReviewChoices } from "../../review/index.ts";
import type { EditFiles, ReviewBoard } from "../../state/index.ts";
import type { ReviewDesk } from "./review-desk.ts";

/** @param note says on the record what a person did */
export function editing(
  ask: AskMethods,
  board: ReviewBoard,
  edits: EditFiles,
  note: (decision: string, about: object) => void,
): Pick<ReviewDesk, "edit" | "text"> {
  return {
    text: async ({ label: id }, path) => (await ask("ringfence/proposals/text", { id, path })).text,
    async edit(review, choices, path, edit) {
      const { label: id } = review;
      const wanted = { id, path, ...partsToEdit(review, choices) };
      const { text: before } = await ask("ringfence/proposals/text", wanted);
      const edited = { id: review.id, label: id, name: path, text: before };
      const own = edits.open(edited);
      await edit(own);
      const text = textIn(edits.read(edited), own);
      if (text === before) {
        edits.drop(edited);
        return undefined;
      }
      try {
        const made = await ask("ringfence/proposals/edit", { ...wanted, text });
        const label = labelOf({ id: made.id, digest: made.digest ?? "" });
        note("edit", { proposal: review.id, label: id, made: label });
        // What was said about the first is said about this one.
        board.keepDraft(made.id, { ...noChoices(label), comments: choices.comments });
        edits.drop(edited);
        return made.id;
      } catch (thrown) {
        const { data } = toFailure(thrown, () => "bug");
        throw new Failure(data.code, `${data.message}. What you wrote is in ${own}`, data);
      }
    },
  };
}

/** What is left out is left out of the edited text too. */
function partsToEdit({ files }: ProposalReview, choices: ReviewChoices): Pick<ProposalParts, "files" | "hunks"> {
  const parts = partsOf(choices, files);
  if (parts === "nothing")
    throw new Failure("invalid_input", "Cannot edit the proposal: all of it is left out", {
      hint: "Take a part of it in again.",
    });
  const { comments: _, ...chosen } = parts;
  return chosen;
}

/** An editor that writes another encoding would change bytes that nobody looked at. */
function textIn(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure("invalid_input", `Cannot read what you wrote: ${path} is not UTF-8`, {
      hint: "Save it as UTF-8 and press e again: it goes on with that file.",
    });
  }
}
