/**
 * What the change worker does with one proposal that waits: it shows, applies and rejects it, whatever it resumes.
 * Whoever applies names the digest of what was shown; what would be done now must have the same.
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
import type {
  AppliedProposal,
  PendingProposal,
  ProposalParts,
  ProposalWithFiles,
  RejectedProposal,
  ReviewWords,
} from "../../calls/index.ts";
import { Failure, isoTime, logLine, newId, nowMs } from "../../base/index.ts";
import { resultMembers } from "../../contract/index.ts";
import { ResultText, type JobContext } from "../../pool/index.ts";
import { noteRejection, type Ending } from "../../state/index.ts";
import type { RootSpec } from "../../scope/index.ts";
import { applyChanges, prepareStored, type AppliedChanges } from "./apply-changes.ts";
import {
  answerFor,
  approvedAnswer,
  boundDiffs,
  cutDiffs,
  withoutObjects,
  withoutTold,
} from "../change/change-answer.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import type { KnownProposal, Proposal, ToldOfChange } from "./proposal.ts";
import { endEdited } from "./edit.ts";
import { otherDigest, refuseChanged, refuseElsewhere, refuseOther } from "./refuse.ts";
import { contentsOf, listView, previewOf } from "./preview.ts";
import { proposedText, saidFile } from "./propose.ts";

export interface GetInput {
  /** `ID`, or `ID@DIGEST`: then it must be that. */
  readonly id: string;
  /** What else the answer to the call says that made it. */
  readonly note?: string | undefined;
  readonly page?: number | undefined;
  readonly page_bytes?: number | undefined;
  /** Whether diffs are whole, as far as there is room. */
  readonly whole_diffs?: boolean | undefined;
  /** For a call: what the host would carry out now. */
  readonly facts?: CallFacts | undefined;
  readonly known?: KnownProposal | undefined;
}

/** @throws Failure `conflict` for another digest */
export function getProposal(input: GetInput, bench: ChangeBench, job: JobContext): ResultText<ProposalWithFiles> {
  const { id, digest } = parseLabel(input.id);
  const proposal = withFacts(bench.store.get(id), input.facts);
  const { page = 1, page_bytes = MAX_PAGE_BYTES } = input;
  const preview = previewOf(proposal, bench, job, { known: input.known });
  const { view, sheet, files, known } = preview;
  if (digest !== undefined && digest !== view.digest) throw otherDigest(id, digest, bench);
  const details: ProposalWithFiles = {
    ...view,
    createdAt: isoTime(proposal.created),
    operations: files.map((file) => operationLine(file, "full")),
    files: withDiffs([...files, ...saidFiles(proposal, known)], input.whole_diffs === true),
    ...(sheet.problem === undefined ? {} : { problem: sheet.problem }),
    ...pageText(sheetLines(sheet), page, page_bytes),
  };
  return new ResultText(proposedText(preview, bench, { note: input.note }), JSON.stringify(details));
}

export interface DiffInput {
  /** `ID`, or `ID@DIGEST`: then it must be that. */
  readonly id: string;
  /** The index of the file. */
  readonly file: number;
  /** Where to begin, in UTF-16 units. */
  readonly from?: number | undefined;
}

const DIFF_CHARS: number = 4 * 1024 * 1024;

/** @throws Failure `conflict` for another digest, `invalid_input` for a file that it does not have */
export function diffOfFile(
  { id: given, file: index, from = 0 }: DiffInput,
  bench: ChangeBench,
  job: JobContext,
): { readonly diff: string; readonly next?: number } {
  const { id, digest } = parseLabel(given);
  const { view, files } = previewOf(bench.store.get(id), bench, job);
  if (digest !== undefined && digest !== view.digest) throw otherDigest(id, digest, bench);
  const file = files[index];
  if (!file)
    throw new Failure("invalid_input", `Cannot show file ${index} of the proposal "${id}": it has ${files.length}`);
  const { diff = "" } = file;
  const end = from + DIFF_CHARS;
  return { diff: diff.slice(from, end), ...(end < diff.length ? { next: end } : {}) };
}

/** What the host has to know of a call to carry it out. */
export interface StoredCall {
  readonly tool: string;
  readonly input: unknown;
  readonly facts: CallFacts;
}

/** The call that applying resumes; `null` for a change, which this worker applies by itself. */
export function findCall({ id }: { readonly id: string }, bench: ChangeBench): StoredCall | null {
  const { tool, resume } = bench.store.get(parseLabel(id).id);
  return resume.kind === "call" ? { tool, input: resume.input, facts: resume.facts } : null;
}

function withFacts(proposal: Proposal, facts: CallFacts | undefined): Proposal {
  const { resume } = proposal;
  return resume.kind === "call" && facts ? { ...proposal, resume: { ...resume, facts } } : proposal;
}

export interface ApplyInput extends ProposalParts {
  readonly id: string;
  /** The digest of what was shown. */
  readonly digest: string;
  /** The process that applies it has made it. */
  readonly isOwn: boolean;
  /** For a call: what would be carried out now. */
  readonly facts?: CallFacts | undefined;
  readonly told?: ToldOfChange | undefined;
}

/** A stored call that the host carries out, after which it finishes the proposal. */
export interface TakenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** The roots of the host that proposed it. */
  readonly roots: readonly RootSpec[];
}

/**
 * Applies a change. A call is given back to the host: the proposal is taken then, until it is finished.
 * @throws Failure `conflict`, and `stale` when a file is not what it was; the proposal waits on then
 */
export function applyProposal(
  input: ApplyInput,
  bench: ChangeBench,
  job: JobContext,
): ResultText<AppliedProposal> | TakenCall {
  const { id } = input;
  const proposal = withFacts(bench.store.take(id), input.facts);
  let applied: AppliedChanges;
  try {
    refuseElsewhere(proposal, input.isOwn);
    const { tool, scope, resume } = proposal;
    if (resume.kind === "call" && !input.facts)
      throw new Failure("conflict", `Cannot go on with the proposal "${id}": it was not begun here`);
    const contents = contentsOf(proposal, bench);
    refuseOther(proposal, contents, input.digest, bench);
    if (resume.kind === "call") {
      // What a person approved is made once: whoever else waits for it finds no approval any more.
      bench.board.consume(id);
      refuseChanged(proposal, resume.paths, bench, job);
      return { id, tool, input: resume.input, roots: scope.roots };
    }
    const prepared = prepareStored(proposal, contents, bench, job);
    const answerOf = proposal.repeat && answerFor(proposal.repeat, bench);
    applied = applyChanges({ proposal, prepared, contents, parts: input, isStored: true, answerOf }, bench, job);
  } catch (thrown) {
    bench.store.release(id);
    throw thrown;
  }
  const ending = endingOf(id, applied, input);
  bench.store.endHappened(ending);
  endEdited(proposal, ending, bench);
  const { durability, facts } = bench.config;
  const flushed = durability === "fast" ? { durability } : {};
  const shown = { ...applied, files: withoutObjects(applied.files) };
  return new ResultText(
    resultMembers(approvedAnswer(applied, bench.config, input.told), facts.results, bench.redactor),
    JSON.stringify({ id, status: "applied", ...shown, ...flushed } satisfies AppliedProposal),
  );
}

/** For the call that made it, which may learn of it in another process. */
function endingOf(id: string, applied: AppliedChanges, { comments }: ReviewWords): Ending {
  const { transaction, summary, left_out } = applied;
  const files = applied.files.map(({ absolute: path, operation, hash, source }) => ({ path, operation, hash, source }));
  return {
    id,
    outcome: "applied",
    transaction,
    summary,
    ...(left_out ? { left_out } : {}),
    ...(comments ? { comments } : {}),
    files: files.slice(0, MAX_ENDED_FILES),
    at: nowMs(),
  };
}

/** When more files than these change, the agent has to read the others again before it changes them. */
const MAX_ENDED_FILES = 1000;

/** Ends the proposal of a call that was made. One that failed waits on. */
export function finishCall({ id, ok }: { id: string; ok: boolean }, bench: ChangeBench): { transaction: string } {
  const transaction = newId("t");
  if (ok) bench.store.endHappened({ id, outcome: "applied", transaction, at: nowMs() });
  else bench.store.release(id);
  return { transaction };
}

export interface RejectInput extends ReviewWords {
  readonly id: string;
  readonly reason?: string | undefined;
  readonly known?: KnownProposal | undefined;
}

export function rejectProposal(input: RejectInput, bench: ChangeBench): RejectedProposal {
  const { id } = parseLabel(input.id);
  const proposal = bench.store.take(id);
  const { summary, paths } = rejectedView(proposal, bench, input.known);
  const reason = input.reason === undefined ? {} : { reason: input.reason };
  const comments = input.comments === undefined ? {} : { comments: input.comments };
  try {
    bench.store.end({ id, outcome: "rejected", summary, ...reason, ...comments, at: nowMs() });
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

/** For a reviewer, who would fetch each of them else, and make the whole proposal anew for it. */
function wholeDiffs(files: readonly FileChange[]): FileChange[] {
  let left = DIFF_CHARS;
  return files.map(({ replaced_diff: _replaced, ...file }) => {
    left -= file.diff?.length ?? 0;
    if (left >= 0) return file;
    const { diff: _diff, ...rest } = file;
    return { ...rest, diff_truncated: true };
  });
}

/** In one answer with the pages, which have them whole. */
function withDiffs(files: readonly FileChange[], areWhole: boolean): FileChange[] {
  const all = files.map(withoutTold);
  return areWhole ? wholeDiffs(all) : boundDiffs(cutDiffs(all));
}

/** The file of a call whose tool describes what it changes. */
function saidFiles({ resume }: Proposal, known: KnownProposal | undefined): FileChange[] {
  if (resume.kind !== "call") return [];
  const [named] = resume.paths;
  const says = resume.says ?? known?.says;
  return says && named ? [saidFile(named.path, says.diff)] : [];
}
