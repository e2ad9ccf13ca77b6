/**
 * A prepared change is applied to the disk, or fails as `stale` with the new diff, so that the caller sees at once what
 * the same result would mean now.
 */
import { summarise, type FileChange } from "../../approval/index.ts";
import type { AppliedProposal, ProposalParts } from "../../calls/index.ts";
import { Failure } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import type { Scope } from "../../scope/index.ts";
import { terminalCommand } from "../../text/index.ts";
import {
  checkSteps,
  commitChanges,
  currentDiff,
  isAlreadyMade,
  type AnswerToKeep,
  type PreparedChanges,
} from "../../txn/index.ts";
import { cutDiffs, withoutSharedDiffs, withoutTold } from "../change/change-answer.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { madeIn, type Proposal } from "./proposal.ts";
import { prepareProposalAgain, stepsOf, type ContentOf } from "./preview.ts";
import { selectParts } from "./select-parts.ts";

export type AppliedChanges = Omit<AppliedProposal, "id" | "status" | "result"> & {
  readonly summary: string;
  readonly files: readonly FileChange[];
};

type Contents = readonly Uint8Array[] | ((index: number) => Uint8Array);

export interface Application {
  readonly proposal: Proposal;
  /** As it is described now. */
  readonly prepared: PreparedChanges;
  readonly contents: Contents;
  /** Only these of it. */
  readonly parts?: ProposalParts;
  /** The proposal was stored and waited: the transaction keeps its id, by which it is known as applied after a crash. */
  readonly isStored?: boolean;
  /** What a repeat of the call is answered with. */
  readonly answerOf?: ((transaction: string, prepared: PreparedChanges) => AnswerToKeep) | undefined;
}

/** @throws Failure `stale` with `details.diff`; nothing is written then */
export function applyChanges(
  { proposal, prepared: made, contents, parts = {}, isStored, answerOf }: Application,
  bench: ChangeBench,
  job: JobContext,
): AppliedChanges {
  const scope = bench.scopeOf(madeIn(proposal));
  const whole = (index: number): Uint8Array => {
    const bytes = typeof contents === "function" ? contents(index) : contents[index];
    if (!bytes) throw new Error(`content ${index} of ${proposal.id} is missing`);
    return bytes;
  };
  const { legacyEncoding } = bench.config;
  const select = { scope, cancel: job.cancel, legacyEncoding, hideKeys: bench.hideKeys, content: whole };
  const { prepared: chosen, content, leftOut } = selectParts(made, parts, select);
  const prepared = { ...chosen, files: cutDiffs(chosen.files) };
  try {
    const about = {
      tool: proposal.tool,
      summary: prepared.summary,
      files: prepared.files.map(withoutTold),
      scope: { ...bench.config.scope, ...proposal.scope },
      ...(isStored ? { proposal: proposal.id } : {}),
    };
    const ctx = { scope, ...job, content, stores: bench.books, recover: () => void bench.recover() };
    const { transaction } = commitChanges(prepared, about, ctx, answerOf && ((id) => answerOf(id, prepared)));
    return {
      transaction,
      summary: prepared.summary,
      files: withoutSharedDiffs(prepared.files),
      ...(leftOut ? { left_out: leftOut } : {}),
    };
  } catch (thrown) {
    throw thrown instanceof Failure && thrown.code === "stale"
      ? staleNow(thrown, { proposal, isStored, prepared, scope, content }, bench, job)
      : thrown;
  }
}

/**
 * A stored proposal with the description that it has now.
 * @throws Failure `stale` with `details.diff` when files are not what they were; `conflict` for steps that nobody could
 *   have made
 */
export function prepareStored(
  proposal: Proposal,
  content: ContentOf,
  bench: ChangeBench,
  job: JobContext,
): PreparedChanges {
  const steps = stepsOf(proposal);
  const scope = bench.scopeOf(madeIn(proposal));
  const bare: PreparedChanges = { summary: "", files: [], steps, warnings: [], bytes: 0 };
  let why: string;
  try {
    const { files, warnings, difference } = prepareProposalAgain(proposal, content, bench, job);
    if (difference === undefined) {
      const bytes = files.reduce((sum, file) => sum + (file.hash === undefined ? 0 : (file.size_after ?? 0)), 0);
      return { summary: summarise(files), files, steps, warnings, bytes };
    }
    why = difference;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    why = thrown.message;
  }
  try {
    checkSteps(steps, { scope, cancel: job.cancel });
  } catch (thrown) {
    throw thrown instanceof Failure && thrown.code === "stale"
      ? staleNow(thrown, { proposal, isStored: true, prepared: bare, scope, content }, bench, job)
      : thrown;
  }
  throw new Failure("conflict", `Cannot apply the proposal "${proposal.id}": ${why}`, {
    hint: "Nothing was written. Look at the current state and make the change again.",
  });
}

interface Tried {
  readonly proposal: Proposal;
  /** The proposal waits, and so can be rejected. */
  readonly isStored: boolean | undefined;
  readonly prepared: PreparedChanges;
  readonly scope: Scope;
  readonly content: (index: number) => Uint8Array;
}

/** What the same result would mean now, or that it is there already. */
function staleNow(
  { data }: Failure,
  { proposal, isStored, prepared, scope, content }: Tried,
  bench: ChangeBench,
  { cancel }: JobContext,
): Failure {
  const diff = currentDiff(prepared, { scope, cancel, content, hideKeys: bench.hideKeys });
  const details = { ...data.details, diff };
  if (!isAlreadyMade(prepared.steps, { scope, cancel, content }))
    return new Failure("stale", data.message, { ...data, details });
  const reject = terminalCommand(["proposals", "reject", proposal.id], bench.config.stateDir);
  return new Failure("stale", `Cannot apply the proposal "${proposal.id}": its change is made already`, {
    hint: `Nothing was written, and to apply it would change nothing.${isStored ? ` \`${reject}\` ends the proposal.` : ""}`,
    retry: "never",
    details,
  });
}
