/**
 * The preview of a stored proposal: what a person is shown, made anew of a change from its steps, their content and the
 * disk, and of a call from what the host says that it would carry out. A file that somebody forged in the state folder
 * so can only show what it does.
 *
 * Usual mistake: to read the content twice, once for what is shown or compared and once for what is written.
 */
import {
  callLines,
  labelOf,
  leadOfCall,
  leadOfChange,
  shortCallLines,
  summarise,
  summariseCall,
  type Sheet,
  type ShownOperation,
  type WaitingCall,
  type FileChange,
} from "../../approval/index.ts";
import type { ListedProposal, PendingProposal } from "../../calls/index.ts";
import { Failure, isoTime, sha256 } from "../../base/index.ts";
import { EFFECTS } from "../../policy/index.ts";
import { expiryOf } from "../../state/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { escapeLine, truncateUtf8 } from "../../text/index.ts";
import { pathsOf, plainFiles, prepareAgain, type PreparedAgain, type PreparedStep } from "../../txn/index.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { digestOf, madeIn, refuseLaterForm, type KnownProposal, type Proposal } from "./proposal.ts";

export interface Preview {
  readonly view: PendingProposal & { readonly digest: string };
  readonly sheet: Sheet;
  readonly files: readonly FileChange[];
  /** What is known of this very one. */
  readonly known: KnownProposal | undefined;
}

export type ContentOf = (index: number) => Uint8Array;

/** Each content is read once. */
export function contentsOf({ id }: Proposal, { store }: ChangeBench): ContentOf {
  const read = new Map<number, Uint8Array>();
  return (index) => {
    const bytes = read.get(index) ?? readContent(id, index);
    read.set(index, bytes);
    return bytes;
  };

  function readContent(of: string, index: number): Uint8Array {
    try {
      return store.content(of, index);
    } catch {
      // Another host may have ended it since it was read: the failure says how.
      if (store.endingOf(of)) store.get(of);
      throw unreadable(of);
    }
  }
}

export function stepsOf({ resume }: Proposal): readonly PreparedStep[] {
  return resume.kind === "changes" ? resume.steps : [];
}

export function hashesOf(contentOf: ContentOf): (index: number) => string {
  return (index) => sha256(contentOf(index));
}

export interface Remembered {
  /** To the process that made it. */
  readonly known?: KnownProposal | undefined;
  /** By the call that has prepared it just now. */
  readonly seen?: Seen & {
    /** Hashes of the new content of each file, by number. */
    readonly hashes: readonly string[];
  };
}

/** @throws Failure `conflict` for one that nobody could have made */
export function previewOf(
  proposal: Proposal,
  bench: ChangeBench,
  job: JobContext,
  { known: remembered, seen: prepared }: Remembered = {},
): Preview {
  return readable(proposal, () => {
    const { resume } = proposal;
    const call = resume.kind === "call" ? resume : undefined;
    const content = contentsOf(proposal, bench);
    const digest = digestOf(proposal, (index) => prepared?.hashes[index] ?? sha256(content(index)));
    const known = ofThis(remembered, digest);
    const seen = prepared ?? lookAt(proposal, content, bench, job);
    const { files, problem, warnings } = seen;
    const view = viewOf(proposal, files, warnings, known);
    const operations = shownOperations(files, stepsOf(proposal), content);
    const sheet: Sheet = {
      label: labelOf({ id: proposal.id, digest }),
      lead: call ? leadOfCall(proposal.tool, view.summary, call) : leadOfChange(operations),
      tool: view.tool,
      risk: view.risk,
      createdAt: isoTime(proposal.created),
      expiresAt: view.expiresAt,
      lines: call ? linesOf(proposal.tool, call, known) : [],
      operations,
      warnings: call ? withoutLines(view.warnings, call) : view.warnings,
      problem,
    };
    return { view: { ...view, digest }, sheet, files, known };
  });
}

/** Forgets what is remembered when something else stands in its place. */
function ofThis(known: KnownProposal | undefined, digest: string): KnownProposal | undefined {
  const { digest: made = digest } = known?.view ?? {};
  return made === digest ? known : undefined;
}

/** For a list: no file is looked at, and no diff is made. */
export function listView(
  proposal: Proposal,
  bench: ChangeBench,
  remembered?: KnownProposal,
): PendingProposal & Pick<ListedProposal, "change"> {
  return readable(proposal, () => {
    const known = remembered && ofThis(remembered, digestOf(proposal, hashesOf(contentsOf(proposal, bench))));
    const sizeOf = (index: number): number => bench.store.contentSize(proposal.id, index);
    const files = plainFiles(stepsOf(proposal), { roots: proposal.scope.roots, sizeOf });
    const view = viewOf(proposal, files, [], known);
    return { ...view, change: proposal.resume.kind === "call" ? view.summary : summarise(files, "name") };
  });
}

/** The change as it would be made now, with bounded diffs. */
export function lookAgain(proposal: Proposal, bench: ChangeBench, job: JobContext): Seen {
  const look = { ...job, forPeople: false };
  return readable(proposal, () => lookAt(proposal, contentsOf(proposal, bench), bench, look));
}

export function riskOfSteps(steps: readonly PreparedStep[]): string {
  const removes = steps.some(({ op }) => op === "remove");
  const risks = steps.flatMap(pathsOf).map(({ rel }) => EFFECTS.change.risk({ path: rel, mode: "write" }, removes));
  return risks.reduce((a, b) => (b > a ? b : a), EFFECTS.change.risk(undefined, removes));
}

export interface Seen {
  readonly files: readonly FileChange[];
  readonly warnings: readonly string[];
  readonly problem?: string | undefined;
}

/** Nothing is seen of a call, which names its files and says nothing about what becomes of them. */
function lookAt(proposal: Proposal, content: ContentOf, bench: ChangeBench, look: Look): Seen {
  const steps = stepsOf(proposal);
  if (proposal.resume.kind === "call") return { files: [], warnings: [] };
  const plain = (): FileChange[] =>
    plainFiles(steps, { roots: proposal.scope.roots, sizeOf: (index) => content(index).length });
  try {
    const { files, warnings, difference } = prepareProposalAgain(proposal, content, bench, look);
    if (difference === undefined) return { files, warnings };
    return { files: files.length === steps.length ? files : plain(), warnings, problem: difference };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || isPassing(thrown)) throw thrown;
    return { files: plain(), warnings: [], problem: thrown.message };
  }
}

/** The failure says nothing of the proposal. */
function isPassing({ code }: Failure): boolean {
  return code === "cancelled" || code === "timed_out" || code === "busy" || code === "internal";
}

interface Look extends JobContext {
  /** Whole diffs; default: yes. */
  readonly forPeople?: boolean;
}

/** @throws Failure when a step cannot be made at all */
export function prepareProposalAgain(
  proposal: Proposal,
  content: ContentOf,
  bench: ChangeBench,
  look: Look,
): PreparedAgain {
  const { legacyEncoding, diffContext } = bench.config;
  return prepareAgain(stepsOf(proposal), content, {
    scope: bench.scopeOf(madeIn(proposal)),
    forPeople: true,
    ...look,
    diffContext,
    hideKeys: bench.hideKeys,
    ...(legacyEncoding ? { legacyEncoding } : {}),
    undoMount: bench.books.history.mount,
  });
}

function viewOf(
  { id, tool, created, expires, resume, edits, from }: Proposal,
  files: readonly FileChange[],
  warnings: readonly string[],
  known: KnownProposal | undefined,
): PendingProposal {
  const own = known?.view;
  const call = resume.kind === "call" ? resume : undefined;
  const paths = call ? call.paths.map(({ path }) => path) : files.map(({ absolute }) => absolute);
  const risk = resume.kind === "call" ? riskOfCall(resume) : riskOfSteps(resume.steps);
  const said = own?.warnings ?? [];
  const found = call ? shortCallLines(call) : [...origins({ edits, from }), ...warnings];
  return {
    id,
    tool,
    summary: call ? (own?.summary ?? call.says?.summary ?? summariseCall(tool, call.facts)) : summarise(files),
    paths,
    bytes: call ? (own?.bytes ?? 0) : files.reduce((sum, file) => sum + (file.after?.size ?? 0) * written(file), 0),
    risk: own && own.risk > risk ? own.risk : risk,
    suggested_rules: own?.suggested_rules ?? [],
    expiresAt: isoTime(expiryOf({ created, expires })),
    warnings: [...said, ...found.filter((one) => !said.includes(one))],
  };
}

function origins({ edits, from }: Pick<Proposal, "edits" | "from">): string[] {
  const said = typeof from === "string" ? truncateUtf8(escapeLine(from), MAX_FROM_BYTES) : undefined;
  const came = said ? [`The content came from ${said.text}${said.truncated ? "..." : ""} (untrusted).`] : [];
  return edits ? [EDITED, ...came] : came;
}

const MAX_FROM_BYTES = 500;
const EDITED = "A person edited this: it is not what the agent proposed.";

function written({ operation }: FileChange): 0 | 1 {
  return operation === "create" || operation === "overwrite" || operation === "edit" || operation === "append" ? 1 : 0;
}

/** The sheet says them whole. */
function withoutLines(warnings: readonly string[], call: WaitingCall): string[] {
  const lines = shortCallLines(call);
  return warnings.filter((one) => !lines.includes(one));
}

/** Nobody knows what a tool does that is carried out by others, or by itself. */
function riskOfCall({ facts }: WaitingCall): string {
  return facts.kind === "run" ? (facts.risk ?? "R3") : "R4";
}

function* linesOf(tool: string, call: WaitingCall, known: KnownProposal | undefined): Generator<string> {
  yield* callLines(tool, call);
  if (call.facts.kind !== "own") return;
  const says = call.says ?? known?.says;
  if (!says) {
    // An earlier version did not keep it.
    yield "What the tool says of it is known to the host that proposed it alone.";
    return;
  }
  yield "The tool says:";
  for (const line of [says.summary, ...(says.diff ?? "").split("\n")]) yield `  ${escapeLine(line)}`;
}

function shownOperations(
  files: readonly FileChange[],
  steps: readonly PreparedStep[],
  content: ContentOf,
): ShownOperation[] {
  return files.map((file, index) => {
    const step = steps[index];
    return step?.op === "put" ? { file, content: () => content(step.content) } : { file };
  });
}

/** What a forged file holds may be of any form. */
export function readable<T>(proposal: Proposal, read: () => T): T {
  refuseLaterForm(proposal);
  try {
    return read();
  } catch (thrown) {
    // A time that is none is a range error.
    if (!(thrown instanceof TypeError || thrown instanceof RangeError)) throw thrown;
    throw unreadable(proposal.id);
  }
}

function unreadable(id: string): Failure {
  return new Failure("conflict", `Cannot read the proposal "${id}": nobody made it like this`, {
    hint: "Somebody has changed it in the state folder. Reject it, and find out who.",
  });
}
