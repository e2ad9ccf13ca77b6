/**
 * What the change worker does with one proposal that waits: show, apply, reject. Whoever applies names the digest of what was
 * shown; what would be done now must have the same.
 */
import {
  MAX_PAGE_BYTES,
  operationLine,
  pageText,
  parseLabel,
  sheetLines,
  type CallFacts,
  type FileChange,
} from "../../approval/index.ts";
import type { AppliedProposal, PendingProposal, RejectedProposal } from "../../calls/index.ts";
import { Failure, isoTime, logLine, nowMs } from "../../base/index.ts";
import { resultMembers } from "../../contract/index.ts";
import { ResultText, type JobContext } from "../../pool/index.ts";
import { noteRejection } from "../../state/index.ts";
import { terminalCommand } from "../../text/index.ts";
import type { PreparedChanges } from "../../txn/index.ts";
import { applyProposal, sealedNow, type AppliedChanges } from "./apply-proposal.ts";
import {
  answerFor,
  approvedAnswer,
  boundDiffs,
  cutDiffs,
  proposedAnswer,
  withoutObjects,
} from "../change/change-answer.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import type { KnownProposal, Proposal, ProposalDetails, StoredCall } from "./proposal.ts";
import { digestOf } from "./proposal.ts";
import { contentsOf, hashesOf, listView, openSheet } from "./proposal-sheet.ts";
import type { ChosenParts } from "./select-parts.ts";

export interface GetInput {
  /** `ID`, or `ID@DIGEST`: then it must be that. */
  readonly id: string;
  /** What else the answer to the call says that made it. */
  readonly note?: string | undefined;
  readonly page?: number | undefined;
  readonly page_bytes?: number | undefined;
  /** For a call: what the host would carry out now. */
  readonly facts?: CallFacts | undefined;
  readonly known?: KnownProposal | undefined;
}

/** @throws Failure `conflict` for another digest */
export function getProposal(input: GetInput, bench: ChangeBench, job: JobContext): ResultText<ProposalDetails> {
  const { id, digest } = parseLabel(input.id);
  const proposal = withFacts(bench.store.get(id), input.facts);
  const { page = 1, page_bytes = MAX_PAGE_BYTES } = input;
  const { view, sheet, files, known } = openSheet(proposal, bench, job, { known: input.known });
  if (digest !== undefined && digest !== view.digest) throw otherDigest(id, digest, bench);
  const shown = pageText(sheetLines(sheet), page, page_bytes);
  const details: ProposalDetails = {
    ...view,
    createdAt: isoTime(proposal.created),
    operations: files.map((file) => operationLine(file, "full")),
    files: withBoundDiffs(files, known),
    ...(sheet.problem === undefined ? {} : { problem: sheet.problem }),
    ...shown,
  };
  const sealed: PreparedChanges = {
    summary: view.summary,
    files: cutDiffs(files),
    steps: [],
    warnings: input.note === undefined ? view.warnings : [...view.warnings, input.note],
    bytes: view.bytes,
  };
  return new ResultText(
    resultMembers(proposedAnswer(sealed, view, bench.config.answers), bench.config.facts.results, bench.redactor),
    JSON.stringify(details),
  );
}

/** What a call stands in the store as; `null` for a change. */
export function storedCall({ id }: { readonly id: string }, bench: ChangeBench): StoredCall | null {
  const { tool, call } = bench.store.get(parseLabel(id).id);
  return call ? { tool, input: call.input, facts: call.facts } : null;
}

export function withFacts(proposal: Proposal, facts: CallFacts | undefined): Proposal {
  return proposal.call && facts ? { ...proposal, call: { ...proposal.call, facts } } : proposal;
}

export interface ApplyInput extends ChosenParts {
  readonly id: string;
  /** The digest of what was shown. */
  readonly digest: string;
  /** The process that applies it has made it. */
  readonly isOwn: boolean;
}

/** Kept with a proposal: whether other processes may apply it. */
export function askedAt({ config }: ChangeBench): Pick<Proposal, "ask"> {
  return config.policy.ask === "client" ? { ask: "client" } : {};
}

/** @throws Failure `denied` for a proposal that only the process applies which made it */
export function refuseElsewhere({ id, ask }: Proposal, isOwn: boolean): void {
  if (ask !== "client" || isOwn) return;
  throw new Failure("denied", `Cannot apply the proposal "${id}" here: it is decided at the client alone`, {
    hint: "The host that made it was started with ask: client. Answer in that client while the host runs, or start the host with ask: both.",
  });
}

export function applyOne(input: ApplyInput, bench: ChangeBench, job: JobContext): ResultText<AppliedProposal> {
  const proposal = bench.store.take(input.id);
  let applied: AppliedChanges;
  try {
    refuseElsewhere(proposal, input.isOwn);
    if (proposal.call) throw elsewhere(input.id);
    const contents = contentsOf(proposal, bench);
    refuseOther(proposal, contents, input.digest, bench);
    const sealed = sealedNow(proposal, contents, bench, job);
    const answerOf = proposal.repeat && answerFor(proposal.repeat, bench);
    applied = applyProposal({ proposal, sealed, contents, parts: input, isStored: true, answerOf }, bench, job);
  } catch (thrown) {
    bench.store.release(input.id);
    throw thrown;
  }
  const { transaction } = applied;
  bench.store.endHappened({ id: input.id, outcome: "applied", transaction, at: nowMs() });
  const { durability, facts } = bench.config;
  const flushed = durability === "fast" ? { durability } : {};
  const shown = { ...applied, files: withoutObjects(applied.files) };
  return new ResultText(
    resultMembers(approvedAnswer(applied, bench.config), facts.results, bench.redactor),
    JSON.stringify({ id: input.id, status: "applied", ...shown, ...flushed } satisfies AppliedProposal),
  );
}

/** @throws Failure `conflict` when what would be done is not what was shown */
export function refuseOther(
  proposal: Proposal,
  contents: (index: number) => Uint8Array,
  digest: string,
  bench: ChangeBench,
): void {
  let now: string;
  try {
    now = digestOf(proposal, hashesOf(contents));
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw otherDigest(proposal.id, digest, bench);
  }
  if (now !== digest) throw otherDigest(proposal.id, digest, bench);
}

function otherDigest(id: string, digest: string, { config }: ChangeBench): Failure {
  return new Failure("conflict", `Cannot apply the proposal "${id}": it is not what was shown as ${digest}`, {
    hint: `Look at it again: \`${terminalCommand(["proposals", "show", id], config.stateDir)}\`. If you looked at this one before, somebody has changed it in the state folder: reject it, and find out who.`,
  });
}

function elsewhere(id: string): Failure {
  return new Failure("unsupported", `Cannot apply the proposal "${id}" here: it belongs to a tool of another program`, {
    hint: "Apply it through the host that made it.",
  });
}

export interface RejectInput {
  readonly id: string;
  readonly reason?: string | undefined;
  readonly known?: KnownProposal | undefined;
}

export function rejectProposal(input: RejectInput, bench: ChangeBench): RejectedProposal {
  const { id } = parseLabel(input.id);
  const proposal = bench.store.take(id);
  const { summary, paths } = rejectedView(proposal, bench, input.known);
  const reason = input.reason === undefined ? {} : { reason: input.reason };
  try {
    bench.store.end({ id, outcome: "rejected", ...reason, at: nowMs() });
  } catch (thrown) {
    bench.store.release(id);
    throw thrown;
  }
  try {
    noteRejection(bench.folder.proposals, paths, { id, ...reason });
  } catch (thrown) {
    logLine(`cannot keep why ${id} was rejected for the next call: ${String(thrown)}`);
  }
  return { id, status: "rejected", summary, ...reason };
}

/** One that cannot be read can be rejected all the same. */
function rejectedView(
  proposal: Proposal,
  bench: ChangeBench,
  known: KnownProposal | undefined,
): Pick<PendingProposal, "summary" | "paths"> {
  try {
    return listView(proposal, bench, known);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { summary: "a proposal that cannot be read", paths: [] };
  }
}

/** In one answer with the pages, which have them whole. */
function withBoundDiffs(files: readonly FileChange[], known: KnownProposal | undefined): FileChange[] {
  const { says, view } = known ?? {};
  const own = says && view?.paths[0] !== undefined ? [saidFile(view.paths[0], says.diff)] : [];
  return boundDiffs(cutDiffs([...files, ...own]));
}

/** A file as a tool that describes its own changes names it. */
function saidFile(path: string, diff: string | undefined): FileChange {
  return {
    operation: "edit",
    path,
    absolute: path,
    added: 0,
    removed: 0,
    ...(diff === undefined ? {} : { diff }),
  };
}
