/**
 * Which proposals of a group may be applied with one key: ordinary changes inside the roots (R2) that were on the screen whole.
 * Everything else is decided one by one, and the reader is told why.
 */
import { partsOf, unseen, type ReviewChoices } from "./choices.ts";
import type { ProposalReview } from "./load-review.ts";
import type { QueueEntry } from "./queue.ts";

export interface BatchMember {
  readonly review: ProposalReview;
  readonly choices: ReviewChoices;
}

export interface Batch {
  readonly taken: readonly BatchMember[];
  /** The others, each with why it is decided alone. */
  readonly left: readonly { readonly id: string; readonly why: string }[];
}

type InQueue = Pick<QueueEntry, "id" | "risk" | "isCall" | "edits">;

/** @param entries of the group. @param looked those that were loaded */
export function batchOf(entries: readonly InQueue[], looked: (id: string) => BatchMember | undefined): Batch {
  const taken: BatchMember[] = [];
  const left: { id: string; why: string }[] = [];
  for (const entry of entries) {
    const { id } = entry;
    const member = looked(id);
    const why = whyOfItself(entry) ?? whyEdited(entry, entries) ?? (member ? whyAlone(member) : "it was not looked at");
    if (member && why === undefined) taken.push(member);
    else left.push({ id, why: why ?? "" });
  }
  return { taken, left };
}

function whyEdited({ id, edits }: InQueue, entries: readonly InQueue[]): string | undefined {
  if (edits !== undefined) return "a person edited it";
  return entries.some((other) => other.edits === id) ? "its edited form waits too" : undefined;
}

function whyOfItself({ risk, isCall }: Pick<InQueue, "risk" | "isCall">): string | undefined {
  if (isCall) return "it is a call";
  return risk > "R2" ? `its risk is ${risk}` : undefined;
}

/** The list says what a proposal was; what is looked at says what it is. */
function whyAlone({ review, choices }: BatchMember): string | undefined {
  const { files, problem } = review;
  const why = whyOfItself(review);
  if (why !== undefined) return why;
  if (problem !== undefined) return "it cannot be applied now";
  if (partsOf(choices, files) === "nothing") return "all of it is left out";
  if (isUnseen(choices, review)) return "not all of it was on the screen";
  return undefined;
}

/** Whether something would be applied that was never on the screen; what has no rows is seen with its sheet. */
export function isUnseen(choices: ReviewChoices, { files }: Pick<ProposalReview, "files">): boolean {
  return Object.keys(unseen(choices, files)).length > 0;
}
