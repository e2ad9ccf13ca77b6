/**
 * A proposal is stored, and the call that made it answered. A change comes here prepared; a call as it came, with what the host
 * would carry out and the hashes of the files that its tool named.
 */
import { summariseCall, type CallFacts, type FileChange } from "../../approval/index.ts";
import type { Cancel } from "../../base/index.ts";
import { resultMembers, type LocalProposal } from "../../contract/index.ts";
import { settlingRules, type Decision } from "../../policy/index.ts";
import { ResultText, type JobContext } from "../../pool/index.ts";
import type { Scope } from "../../scope/index.ts";
import { inspect, type PreparedChanges } from "../../txn/index.ts";
import { cutDiffs, factsOf, proposedAnswer } from "../change/change-answer.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { previewOf, type Preview, type Remembered } from "./preview.ts";
import {
  createProposal,
  whyAsked,
  type ChangeFacts,
  type KnownProposal,
  type Proposal,
  type ToldOfChange,
} from "./proposal.ts";

export interface ProposeInput {
  readonly tool: string;
  readonly input: unknown;
  readonly decision: Decision;
  /** What would be carried out. */
  readonly facts: CallFacts;
  /** What a tool that describes its own changes says of them. */
  readonly says?: LocalProposal;
  /** Why it is asked, and the like. */
  readonly notes?: readonly string[];
  /** How the client that made the call calls itself. */
  readonly client?: string | undefined;
  /** The session of the record. */
  readonly session?: string | undefined;
}

/** A call is stored until a person decides about it. */
export function proposeCall(asked: ProposeInput, bench: ChangeBench, job: JobContext): ResultText<ChangeFacts> {
  const { input, facts, says, ...about } = asked;
  const scope = bench.scopeOf();
  const paths = (says?.paths ?? []).map((path) => ({ path, hash: hashNow(scope, path, job.cancel) }));
  const why = whyAsked([asked.decision]);
  const words = says && { summary: says.summary, ...(says.diff === undefined ? {} : { diff: says.diff }) };
  const resume = { kind: "call", input, paths, facts, ...(words ? { says: words } : {}) } as const;
  const proposal = createProposal({ ...about, why, resume }, bench);
  bench.store.put(proposal, []);
  const files = says?.paths.map((path, at) => saidFile(path, at === 0 ? says.diff : undefined)) ?? [];
  return proposedResult(proposal, bench, job, { known: knownOf(asked), files });
}

interface Told extends Remembered {
  /** The files as the answer has them. Default: as they are found now. */
  readonly files?: readonly FileChange[];
  /** More members of the answer's data. */
  readonly data?: PreparedChanges["data"] | undefined;
}

/** The answer to the call that made a proposal. */
export function proposedResult(
  proposal: Proposal,
  bench: ChangeBench,
  job: JobContext,
  { files: given, data, ...remembered }: Told = {},
): ResultText<ChangeFacts> {
  const preview = previewOf(proposal, bench, job, remembered);
  const files = given ?? cutDiffs(preview.files);
  const { view, known } = preview;
  const facts =
    proposal.resume.kind === "changes"
      ? factsOf("proposed", { files }, { proposal: view, told: toldOf(files, view.warnings) })
      : // What a call changes is not known.
        JSON.stringify({ status: "proposed", files: [], proposal: view, says: known?.says } satisfies ChangeFacts);
  return new ResultText(proposedText(preview, bench, { files, data }), facts);
}

function toldOf(files: readonly FileChange[], warnings: readonly string[]): ToldOfChange | undefined {
  const counted = files.flatMap(({ absolute, replacements: n }) => (n === undefined ? [] : [[absolute, n] as const]));
  return counted.length === 0 ? undefined : { replacements: Object.fromEntries(counted), warnings };
}

/** The answer as the members of a result, in JSON text. */
export function proposedText(
  { view, files: found }: Preview,
  { config, redactor }: ChangeBench,
  { files = cutDiffs(found), data, note }: Pick<Told, "files" | "data"> & { readonly note?: string | undefined },
): string {
  const { summary, bytes } = view;
  const warnings = note === undefined ? view.warnings : [...view.warnings, note];
  const prepared: PreparedChanges = { summary, files, steps: [], warnings, bytes, ...(data ? { data } : {}) };
  return resultMembers(proposedAnswer(prepared, view, config.answers), config.facts.results, redactor);
}

/** The first of all views, made by the process that asks. */
function knownOf({ tool, decision, facts, says, notes = [] }: ProposeInput): KnownProposal {
  return {
    view: {
      id: "",
      tool,
      summary: says?.summary ?? summariseCall(tool, facts),
      paths: [],
      bytes: says?.bytes ?? 0,
      risk: decision.risk,
      suggested_rules: settlingRules([decision]),
      expiresAt: "",
      warnings: notes,
    },
    ...(says ? { says } : {}),
  };
}

/** What stands at a path, as one text that differs when it does. */
export function hashNow(scope: Scope, path: string, cancel: Cancel): string {
  const { before } = inspect(scope, scope.locate(path, "propose"), "propose", { cancel, deep: true });
  return before.kind === "absent" ? "absent" : `${before.kind}:${before.hash}`;
}

/** A file as a tool that describes its own changes names it. */
export function saidFile(path: string, diff: string | undefined): FileChange {
  return { operation: "edit", path, absolute: path, added: 0, removed: 0, ...(diff === undefined ? {} : { diff }) };
}
