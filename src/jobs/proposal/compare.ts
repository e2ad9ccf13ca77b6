/**
 * A proposal whose files have changed since it was made, as three diffs: what was proposed, what changed meanwhile, and what is
 * left to do. The old bytes are kept with the proposal where they are small; they are believed only when they have the hash that
 * the proposal builds on, which is part of its digest.
 */
import { parseLabel } from "../../approval/index.ts";
import type { ComparedFile } from "../../calls/index.ts";
import { limits, sha256 } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import type { Scope } from "../../scope/index.ts";
import { describeContent, inspect, isUnchanged, locatedFrom, type PreparedStep } from "../../txn/index.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { madeIn, type Proposal } from "./proposal.ts";
import { readable, stepsOf } from "./preview.ts";

type PutStep = Extract<PreparedStep, { op: "put" }>;

/** What all old contents of one proposal may have. */
const MAX_OLD_BYTES: number = 4 * 1024 * 1024;

/** Adds the old bytes of the files behind the new ones. @returns by the number of a step, where its old content is */
export function keepOld(
  steps: readonly PreparedStep[],
  contents: Uint8Array[],
  scope: Scope,
  { cancel }: Pick<JobContext, "cancel">,
): Readonly<Record<number, number>> {
  const olds: Record<number, number> = {};
  let left = MAX_OLD_BYTES;
  for (const [index, step] of steps.entries()) {
    if (!isFilePut(step) || step.before.kind !== "file" || step.before.size > left) continue;
    const bytes = bytesAt(step, scope, { cancel });
    if (!bytes || sha256(bytes) !== step.before.hash) continue;
    left -= bytes.length;
    olds[index] = contents.push(bytes) - 1;
  }
  return olds;
}

export function compareProposal(
  { id: given }: { readonly id: string },
  bench: ChangeBench,
  job: JobContext,
): readonly ComparedFile[] {
  const proposal = bench.store.get(parseLabel(given).id);
  return readable(proposal, () => {
    const scope = bench.scopeOf(madeIn(proposal));
    return stepsOf(proposal).flatMap((step, index) => {
      const compared = step.follows ? undefined : compareStep(proposal, { step, index }, { bench, scope, job });
      return compared ? [compared] : [];
    });
  });
}

interface Around {
  readonly bench: ChangeBench;
  readonly scope: Scope;
  readonly job: JobContext;
}

/** @returns nothing for a file that is still what the proposal builds on */
function compareStep(
  proposal: Proposal,
  { step, index }: { readonly step: PreparedStep; readonly index: number },
  { bench, scope, job }: Around,
): ComparedFile | undefined {
  const at = locatedFrom(scope, step.at);
  const path = scope.show(at);
  const options = { cancel: job.cancel, maxBytes: limits.MAX_EDIT_FILE_BYTES };
  const { before: now, bytes } = inspect(scope, at, "compare", options);
  if (isUnchanged(step.before, now)) return undefined;
  const why = whyStale(step.before.kind, now.kind);
  if (!isFilePut(step)) return { path, why };
  const fresh = bench.store.content(proposal.id, step.content);
  const old = oldOf(proposal, step, index, bench);
  const diff = (before: Uint8Array | undefined, after: Uint8Array): string => {
    const told = describeContent({ path }, before, after, { hideKeys: bench.hideKeys });
    return told.told_diff ?? told.diff ?? "";
  };
  return {
    path,
    why,
    ...(old ? { proposed: diff(old, fresh) } : {}),
    ...(old && bytes ? { meanwhile: diff(old, bytes) } : {}),
    ...(bytes || now.kind === "absent" ? { now: diff(bytes, fresh) } : {}),
  };
}

function whyStale(before: string, now: string): string {
  if (now === "absent") return "the file is gone";
  if (before === "absent") return `a ${now} stands there now`;
  return before === now ? "it was changed meanwhile" : `it was a ${before}, and is a ${now} now`;
}

export function oldOf(proposal: Proposal, step: PutStep, index: number, bench: ChangeBench): Uint8Array | undefined {
  const kept = proposal.olds?.[index];
  if (typeof kept !== "number" || step.before.kind !== "file") return undefined;
  try {
    const bytes = bench.store.content(proposal.id, kept);
    return sha256(bytes) === step.before.hash ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function isFilePut(step: PreparedStep): step is PutStep & PreparedStep {
  return step.op === "put" && !step.follows;
}

/** @returns nothing for what cannot be read, or is too large */
export function bytesAt(step: PreparedStep, scope: Scope, options: Pick<JobContext, "cancel">): Uint8Array | undefined {
  try {
    return inspect(scope, locatedFrom(scope, step.at), "propose", { ...options, maxBytes: MAX_OLD_BYTES }).bytes;
  } catch {
    // The proposal is as good without; a reader is told that the old text is not there.
    return undefined;
  }
}
