/**
 * A person edits what was proposed: the text of one file as it would be written, and a new proposal with the text that they
 * wrote in its place. The one that the agent made waits on; when the edited one is applied, the call that waits for the first
 * is answered, and reads what the person changed.
 *
 * Invariant: what was edited is a proposal like any other. It has a digest of its own, and nothing is written before somebody
 * approves that.
 */
import { operationLine, parseLabel, type FileChange } from "../../approval/index.ts";
import type { LeftOut, PendingProposal, ProposalParts } from "../../calls/index.ts";
import { Failure, logLine } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import type { Ending } from "../../state/index.ts";
import { decodeText, encodeText, type EncodingName } from "../../text/index.ts";
import { describeContent, type PreparedStep } from "../../txn/index.ts";
import { cutDiffs, withoutTold } from "../change/change-answer.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { prepareStored } from "./apply-changes.ts";
import { keepOld } from "./compare.ts";
import { contentsOf, previewOf, type ContentOf } from "./preview.ts";
import { createProposal, madeIn, type Proposal } from "./proposal.ts";
import { refuseElsewhere, refuseOther } from "./refuse.ts";
import { selectParts } from "./select-parts.ts";

export interface TextInput extends ProposalParts {
  /** `ID@DIGEST` or `ID`. */
  readonly id: string;
  /** The file, as the proposal names it. */
  readonly path: string;
}

/** @returns the text of the file once the parts are applied. @throws Failure `unsupported` for what is no text, or too long */
export function textOfFile(input: TextInput, bench: ChangeBench, job: JobContext): { readonly text: string } {
  return { text: takeFile(input, bench, job).text };
}

export interface EditInput extends TextInput {
  /** The whole text, instead of the one that was proposed. */
  readonly text: string;
  /** The process that edits it has made it. */
  readonly isOwn: boolean;
}

export interface EditedProposal {
  readonly view: PendingProposal;
  readonly files: readonly FileChange[];
  readonly operations: readonly string[];
}

/** @throws Failure as `textOfFile`, and `invalid_input` when the text is what was proposed */
export function editProposal(input: EditInput, bench: ChangeBench, job: JobContext): EditedProposal {
  const taken = takeFile(input, bench, job);
  const { proposal, step, steps, content, encoding, leftOut } = taken;
  refuseElsewhere(proposal, input.isOwn);
  if (input.text === taken.text)
    throw new Failure("invalid_input", `Cannot make a new proposal of "${input.path}": its text is what was proposed`);
  const encoded = encodeText(input.text, encoding);
  if (encoded.kind !== "bytes") throw refused(input.path, `the new text cannot be written as ${encoding}`);
  const contents: Uint8Array[] = [];
  const kept = steps.map((one) => {
    if (one.op !== "put") return one;
    const bytes = one === step ? encoded.bytes : content(one.content);
    return { ...one, content: contents.push(bytes) - 1 };
  });
  const olds = keepOld(kept, contents, bench.scopeOf(madeIn(proposal)), job);
  const { diff, told_diff: told = diff } = describeContent({ path: input.path }, content(step.content), encoded.bytes, {
    maxBytes: MAX_EDITED_BYTES,
    legacy: bench.config.legacyEncoding,
    hideKeys: bench.hideKeys,
  });
  const { tool, client, session, from, why, scope } = proposal;
  const made: Proposal = {
    ...createProposal({ tool, client, session, from, why, resume: { kind: "changes", steps: kept } }, bench),
    scope,
    ...(proposal.ask ? { ask: proposal.ask } : {}),
    ...(Object.keys(olds).length === 0 ? {} : { olds }),
    edits: {
      proposal: proposal.id,
      path: input.path,
      diff: told ?? "",
      ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    },
  };
  bench.store.put(made, contents);
  const { view, files } = previewOf(made, bench, job);
  return {
    view,
    files: cutDiffs(files).map(withoutTold),
    operations: files.map((file) => operationLine(file, "full")),
  };
}

/** What the agent reads of an edit. */
const MAX_EDITED_BYTES: number = 16 * 1024;

/**
 * The proposals that an applied one was made of are over too, with what the person changed, so that the calls that wait for
 * them are answered. Never fails, because the change is made.
 */
export function endEdited({ edits }: Proposal, applied: Ending, bench: ChangeBench): void {
  const { transaction, summary, comments, files, at } = applied;
  let edited: Ending["edited"] & object = [];
  let leftOut: readonly LeftOut[] = applied.left_out ?? [];
  for (let next = edits, left = MAX_EDITS; next && left > 0; left--) {
    edited = [{ path: next.path, diff: next.diff }, ...edited];
    leftOut = [...(next.left_out ?? []), ...leftOut];
    const id = next.proposal;
    try {
      const before = bench.store.take(id);
      bench.store.endHappened({
        id,
        outcome: "applied",
        ...(transaction === undefined ? {} : { transaction }),
        ...(summary === undefined ? {} : { summary }),
        ...(comments ? { comments } : {}),
        ...(files ? { files } : {}),
        ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
        edited,
        at,
      });
      next = before.edits;
    } catch (thrown) {
      // Somebody has decided about it meanwhile.
      logLine(`the proposal ${id} was edited, and is over: ${String(thrown)}`);
      return;
    }
  }
}

/** An edited proposal can be edited again, and nobody does so more often. */
const MAX_EDITS = 100;

interface TakenFile {
  readonly proposal: Proposal;
  readonly text: string;
  readonly encoding: EncodingName;
  readonly step: PreparedStep & { readonly op: "put" };
  /** All that would be done, without what is left out. */
  readonly steps: readonly PreparedStep[];
  readonly content: ContentOf;
  readonly leftOut: readonly LeftOut[];
}

function takeFile({ id: given, path, ...parts }: TextInput, bench: ChangeBench, job: JobContext): TakenFile {
  const { id, digest } = parseLabel(given);
  const proposal = bench.store.get(id);
  if (proposal.resume.kind === "call") throw refused(path, "the proposal is a call");
  const contents = contentsOf(proposal, bench);
  if (digest !== undefined) refuseOther(proposal, contents, digest, bench);
  const { legacyEncoding } = bench.config;
  const { prepared, content, leftOut } = selectParts(prepareStored(proposal, contents, bench, job), parts, {
    scope: bench.scopeOf(madeIn(proposal)),
    cancel: job.cancel,
    legacyEncoding,
    hideKeys: bench.hideKeys,
    content: contents,
  });
  const { files, steps } = prepared;
  const named = files.flatMap((file, at) => (file.path === path || file.absolute === path ? [steps[at]] : []));
  const [step] = named;
  if (!step) throw refused(path, "it is not in what would be applied");
  // What builds on this text would have to be made anew.
  if (named.length > 1 || steps.some(({ follows }) => follows)) throw refused(path, "other changes build on it");
  if (step.op !== "put") throw refused(path, "its change has no text");
  const bytes = content(step.content);
  if (bytes.length > MAX_TEXT_BYTES) throw refused(path, `it has more than ${MAX_TEXT_BYTES / MIB} MiB`);
  const decoded = decodeText(bytes, legacyEncoding === undefined ? {} : { legacy: legacyEncoding });
  if (decoded.kind !== "text") throw refused(path, "it is not text");
  const { text, encoding } = decoded;
  return { proposal, text, encoding, step, steps, content, leftOut: leftOut ?? [] };
}

const MIB: number = 1024 * 1024;
/** Nobody edits the whole text of a longer file; as JSON it must have room in a message. */
const MAX_TEXT_BYTES: number = 2 * MIB;

function refused(path: string, state: string): Failure {
  return new Failure("unsupported", `Cannot edit the new text of "${path}": ${state}`, {
    hint: "Comment on it, or reject the proposal and say why.",
  });
}
