/**
 * What stands in the way of a decision: the proposal is decided elsewhere, is not what was shown, or its files have changed.
 *
 * Invariant: whoever decides names the digest of what was shown; what would be done now must have the same.
 */
import type { WaitingCall } from "../../approval/index.ts";
import { Failure } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { terminalCommand } from "../../text/index.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { hashesOf } from "./preview.ts";
import { digestOf, madeIn, refuseLaterForm, type Proposal } from "./proposal.ts";
import { hashNow } from "./propose.ts";

/** @throws Failure `denied` for a proposal that only the process applies which made it */
export function refuseElsewhere({ id, ask }: Proposal, isOwn: boolean): void {
  if (ask !== "client" || isOwn) return;
  throw new Failure("denied", `Cannot apply the proposal "${id}" here: it is decided at the client alone`, {
    hint: "The host that made it was started with ask: client. Answer in that client while the host runs, or start the host with ask: both.",
  });
}

/** @throws Failure `conflict` when what would be done is not what was shown */
export function refuseOther(
  proposal: Proposal,
  contents: (index: number) => Uint8Array,
  digest: string,
  bench: ChangeBench,
): void {
  refuseLaterForm(proposal);
  let now: string;
  try {
    now = digestOf(proposal, hashesOf(contents));
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw otherDigest(proposal.id, digest, bench);
  }
  if (now !== digest) throw otherDigest(proposal.id, digest, bench);
}

export function otherDigest(id: string, digest: string, { config }: ChangeBench): Failure {
  return new Failure("conflict", `Cannot apply the proposal "${id}": it is not what was shown as ${digest}`, {
    hint: `Look at it again: \`${terminalCommand(["proposals", "show", id], config.stateDir)}\`. If you looked at this one before, somebody has changed it in the state folder: reject it, and find out who.`,
  });
}

/** @throws Failure `stale` when a file that the call named has changed */
export function refuseChanged(
  proposal: Proposal,
  paths: WaitingCall["paths"],
  bench: ChangeBench,
  { cancel }: JobContext,
): void {
  const scope = bench.scopeOf(madeIn(proposal));
  const changed = paths.find(({ path, hash }) => hashNow(scope, path, cancel) !== hash);
  if (changed)
    throw new Failure(
      "stale",
      `Cannot apply the proposal "${proposal.id}": "${changed.path}" has changed since it was made`,
      {
        hint: "Nothing was executed. Call the tool again for a new proposal.",
      },
    );
}
