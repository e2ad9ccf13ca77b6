/**
 * How proposals were decided, for calls that wait for it. While a call waits, its proposal is marked, so that a reviewer
 * knows that an approved call is made at once.
 */
import { labelOf } from "../../approval/index.ts";
import type { PassedProposal } from "../../calls/index.ts";
import { Failure, nowMs } from "../../base/index.ts";
import type { Ending } from "../../state/index.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { contentsOf } from "./preview.ts";
import { refuseElsewhere, refuseOther } from "./refuse.ts";

export interface DecisionsInput {
  readonly ids: readonly string[];
  /** `begin` and `end` mark the time in which a call waits. */
  readonly waiting?: "begin" | "end" | undefined;
}

export interface Decisions {
  /** A reviewer is attached to the state folder. */
  readonly isReviewed: boolean;
  /** The proposals that are decided, in the order in which they were asked for. */
  readonly decided: readonly DecidedProposal[];
}

/** A proposal that ended, or whose call a person approved: its host has to make it now. */
export type DecidedProposal =
  | { readonly id: string; readonly ending: Ending }
  | { readonly id: string; readonly approved: { readonly label: string } };

export function lookForDecisions({ ids, waiting }: DecisionsInput, { store, board }: ChangeBench): Decisions {
  if (waiting === "begin") for (const id of ids) board.waitFor(id);
  const decided = ids.flatMap((id): DecidedProposal[] => {
    const ending = store.endingOf(id);
    if (ending) return [{ id, ending }];
    const approval = board.approvalOf(id);
    return approval ? [{ id, approved: { label: labelOf({ id, digest: approval.digest }) } }] : [];
  });
  if (waiting === "end") for (const id of ids) board.letGo(id);
  return { isReviewed: board.isReviewed(), decided };
}

/** A call that was proposed just now is about to wait. */
const ABOUT_TO_WAIT_MS = 1000;
const LOOK_EVERY_MS = 20;

/** @throws Failure `conflict` when no host waits for it; as `get` for one that has ended */
export async function passApproval(
  { id, digest }: { readonly id: string; readonly digest: string },
  bench: ChangeBench,
): Promise<PassedProposal> {
  const { store, board } = bench;
  const proposal = store.get(id);
  refuseElsewhere(proposal, false);
  refuseOther(proposal, contentsOf(proposal, bench), digest, bench);
  for (let left = ABOUT_TO_WAIT_MS; !board.isWaitedFor(id); left -= LOOK_EVERY_MS) {
    if (left <= 0) throw notWaitedFor(id);
    await Bun.sleep(LOOK_EVERY_MS);
  }
  board.approve(id, { digest });
  return { id, status: "approved" };
}

function notWaitedFor(id: string): Failure {
  return new Failure(
    "conflict",
    `Cannot approve the call of the proposal "${id}": the host that proposed it has ended`,
    {
      hint: "Only that host could make the call. Reject it; when the agent makes the call again, a new proposal waits.",
    },
  );
}

export function withdrawProposal({ id }: { readonly id: string }, { store }: ChangeBench): null {
  store.take(id);
  store.end({ id, outcome: "expired", reason: "the call that it was for has ended", at: nowMs() });
  return null;
}
