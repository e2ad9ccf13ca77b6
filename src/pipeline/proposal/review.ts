/**
 * A call waits for a reviewer. While somebody reviews, a call that became a proposal is answered with the decision: what was
 * applied, what was left out, the reason and the comments. Nobody is asked twice: where a reviewer is attached, the client
 * is not asked.
 *
 * Nothing holds its turn meanwhile. The reviewer's own process applies a change; a call is made here, once it is approved.
 */
import { commentLines, editedLines, leftOutLines } from "../../approval/index.ts";
import type { PendingProposal } from "../../calls/index.ts";
import { Failure } from "../../base/index.ts";
import { resultMembers } from "../../contract/index.ts";
import type { DecidedProposal } from "../../jobs/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import type { Ending } from "../../state/index.ts";
import type { Call, Work } from "../call.ts";
import { rejected } from "../form.ts";
import { changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { appliedOutcome, approveInOrder } from "./apply.ts";
import { waitingOutcome } from "./waiting.ts";

/** How often a decision is looked for: the answer comes soon after the key. */
const LOOK_EVERY_MS = 100;
const PROGRESS_EVERY_MS = 5000;

/** Whether somebody reviews the proposals of this state folder. */
export async function isReviewed(host: Services): Promise<boolean> {
  const { ask, reviewWaitMs } = host.config;
  if (ask === "client" || reviewWaitMs === 0) return false;
  return (await changeJob(host, "decisions", { ids: [] })).isReviewed;
}

/** @returns `undefined` when nobody reviews. @throws Failure for a rejection */
export async function reviewed(
  host: Services,
  work: Work,
  made: Outcome,
  { id }: PendingProposal,
): Promise<Outcome | undefined> {
  if (!(await isReviewed(host))) return undefined;
  const { call } = work;
  return await askReviewer(host, work, id, async (decided) => {
    if (decided) return await outcomeOf(host, call, decided);
    return call.signal.aborted ? made : await waitingOutcome(host, call, id, { note: STILL_WAITS });
  });
}

/**
 * The time in which a person thinks is not the call's. Until `goOn` has ended the proposal is this call's: nobody else here
 * makes what was approved.
 *
 * @param goOn gets `undefined` when nobody decided in time
 */
export async function askReviewer<T>(
  host: Services,
  { call, record }: Pick<Work, "call" | "record">,
  id: string,
  goOn: (decided: DecidedProposal | undefined) => Promise<T>,
): Promise<T> {
  const line = { call: record.id, request: call.request, proposal: id, by: "reviewer" };
  host.audit.record("asked", line);
  const begun = host.clock.monotonicMs();
  host.proposed.awaited.add(id);
  try {
    const [decided] = await awaitDecisions(host, call, { ids: [id], waitMs: host.config.reviewWaitMs });
    const ms = host.clock.monotonicMs() - begun;
    record.askedMs += ms;
    const answer = decided === undefined ? "wait" : "approved" in decided ? "approved" : decided.ending.outcome;
    host.audit.record("answered", { ...line, answer, ms: Math.round(ms) });
    return await goOn(decided);
  } finally {
    host.proposed.awaited.delete(id);
  }
}

const STILL_WAITS = "A person is reviewing, and has not decided yet: await_review waits for the decision.";

interface Wait {
  readonly ids: readonly string[];
  readonly waitMs: number;
  /** The wait ends when so many are decided. Default: one. */
  readonly enough?: number;
}

/** Gives those that are decided when the wait ends; it ends early when the call is cancelled. */
export async function awaitDecisions(
  host: Services,
  { signal, onProgress }: Pick<Call, "signal" | "onProgress">,
  { ids, waitMs, enough = 1 }: Wait,
): Promise<readonly DecidedProposal[]> {
  const begun = host.clock.monotonicMs();
  let toldMs = begun;
  let wake: (() => void) | undefined;
  signal.addEventListener("abort", () => wake?.());
  await changeJob(host, "decisions", { ids, waiting: "begin" });
  try {
    for (;;) {
      const { decided } = await changeJob(host, "decisions", { ids });
      const now = host.clock.monotonicMs();
      if (decided.length >= enough || now - begun >= waitMs || signal.aborted) break;
      if (now - toldMs >= PROGRESS_EVERY_MS) {
        toldMs = now;
        onProgress?.(now - begun, waitMs, "waiting for a person to review");
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      using _ = host.clock.after(Math.min(LOOK_EVERY_MS, waitMs - (now - begun)), resolve);
      await promise;
    }
  } catch (thrown) {
    await changeJob(host, "decisions", { ids, waiting: "end" });
    throw thrown;
  }
  // What a person decides until the end of the wait counts.
  return (await changeJob(host, "decisions", { ids, waiting: "end" })).decided;
}

/** @throws Failure for a rejection, and what the call throws that was approved */
async function outcomeOf(host: Services, call: Call, decided: DecidedProposal): Promise<Outcome> {
  if ("approved" in decided) return appliedOutcome(await approveInOrder(host, decided.approved.label, {}, call));
  const { ending } = decided;
  noteEnding(host, ending);
  if (ending.outcome !== "applied") throw endedFailure(ending);
  const structured = appliedFacts(ending);
  const text = appliedText(host, ending);
  const members = resultMembers({ text, structured }, host.config.results);
  return { members, stands: { status: "applied", transaction: ending.transaction } };
}

/** What another process wrote is known here, so that the next change of the file need not read it again. */
export function noteEnding(host: Services, { outcome, files = [] }: Ending): void {
  if (outcome !== "applied") return;
  host.policy.baselines.noteChange(files, true);
}

function appliedFacts({
  transaction,
  summary,
  files = [],
  left_out,
  edited,
  comments,
}: Ending): Record<string, unknown> {
  return {
    status: "applied",
    ...(transaction === undefined ? {} : { transaction }),
    ...(summary === undefined ? {} : { summary }),
    files,
    ...(left_out ? { left_out } : {}),
    ...(edited ? { edited } : {}),
    ...(comments ? { comments } : {}),
  };
}

function appliedText(host: Services, ending: Ending): string {
  const { id, transaction, summary = host.proposed.get(id)?.view.summary, left_out: leftOut = [], edited } = ending;
  return [
    `Applied${summary === undefined ? "" : `: ${summary}`}. A person approved it${edited ? ", and edited it before" : ""}${leftOut.length > 0 ? ", and left out parts of it" : ""}.`,
    ...wordsOf(ending),
    ...(transaction === undefined ? [] : [`Transaction ${transaction}`]),
  ].join("\n");
}

/** What was left out, what the person wrote instead, and what they said. */
export function wordsOf({ left_out: leftOut = [], edited = [], comments = [] }: Ending): string[] {
  return [
    ...leftOutLines(leftOut),
    ...editedLines(edited),
    ...(comments.length > 0 ? ["The person says:", ...commentLines(comments)] : []),
  ];
}

function endedFailure(ending: Ending): Failure {
  const { outcome, reason } = ending;
  if (outcome === "expired")
    return new Failure("stale", "Cannot make the change: its proposal expired before a person decided", {
      hint: "Make the change again to get a new proposal.",
    });
  return rejected("Cannot make the change", reason, wordsOf(ending));
}
