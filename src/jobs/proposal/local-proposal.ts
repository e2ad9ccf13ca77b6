/**
 * Proposals of calls: the host hashes the files that the tool named, keeps the input, and gives it back only when those files are
 * still the same and what would be carried out is what was shown.
 */
import { summariseCall, type CallFacts } from "../../approval/index.ts";
import type { PendingProposal } from "../../calls/index.ts";
import { Failure, limits, newId, nowMs, type Cancel } from "../../base/index.ts";
import { resultMembers, type LocalProposal } from "../../contract/index.ts";
import { settlingRules, type Decision } from "../../policy/index.ts";
import { ResultText, type JobContext } from "../../pool/index.ts";
import type { RootSpec, Scope } from "../../scope/index.ts";
import { inspect, type PreparedChanges } from "../../txn/index.ts";
import { proposedAnswer } from "../change/change-answer.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { madeIn, type ChangeFacts, type KnownProposal, type Proposal } from "./proposal.ts";
import { askedAt, refuseElsewhere, refuseOther, withFacts } from "./proposal-jobs.ts";
import { openSheet } from "./proposal-sheet.ts";

export interface ProposeCallInput {
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
  readonly client?: string;
}

export function proposeCall(
  { tool, input, decision, facts, says, notes = [], client }: ProposeCallInput,
  bench: ChangeBench,
  job: JobContext,
): ResultText<ChangeFacts> {
  const scope = bench.scopeOf();
  const created = nowMs();
  const paths = (says?.paths ?? []).map((path) => ({ path, hash: hashNow(scope, path, job.cancel) }));
  const stored: Proposal = {
    id: newId("p"),
    created,
    expires: created + limits.PROPOSAL_TTL_MS,
    tool,
    scope: bench.config.scope,
    sealed: { steps: [] },
    call: { input, paths, facts },
    ...askedAt(bench),
    ...(client === undefined ? {} : { client }),
  };
  bench.store.put(stored, []);
  const known = knownOf({ tool, decision, facts, ...(says ? { says } : {}), notes });
  const { view } = openSheet(stored, bench, job, { known });
  const files = says ? saidFiles(says) : [];
  const sealed: PreparedChanges = {
    summary: view.summary,
    files,
    steps: [],
    warnings: view.warnings,
    bytes: view.bytes,
  };
  const changed = { status: "proposed", proposal: view, files: [], ...(says ? { says } : {}) } as const;
  return new ResultText(
    resultMembers(proposedAnswer(sealed, view, bench.config.answers), bench.config.facts.results),
    JSON.stringify(changed satisfies ChangeFacts),
  );
}

/** The first of all views, made by the process that asks. */
function knownOf({
  tool,
  decision,
  facts,
  says,
  notes = [],
}: Omit<ProposeCallInput, "input" | "client">): KnownProposal {
  const view: PendingProposal = {
    id: "",
    tool,
    summary: says?.summary ?? summariseCall(tool, facts),
    paths: [],
    bytes: says?.bytes ?? 0,
    risk: decision.risk,
    suggested_rules: settlingRules([decision]),
    expiresAt: "",
    warnings: notes,
  };
  return { view, ...(says ? { says } : {}) };
}

export interface TakeInput {
  readonly id: string;
  /** The digest of what was shown. */
  readonly digest: string;
  /** The process that applies it has made it. */
  readonly isOwn: boolean;
  /** What would be carried out now. */
  readonly facts?: CallFacts | undefined;
}

/** Takes the proposal for execution. @throws Failure `conflict`, and `stale` when a named file has changed; it stays waiting then */
export function takeCall(
  { id, digest, isOwn, facts }: TakeInput,
  bench: ChangeBench,
  job: JobContext,
): { tool: string; input: unknown; roots: readonly RootSpec[] } | null {
  const waiting = bench.store.get(id);
  if (!waiting.call) return null;
  refuseElsewhere(waiting, isOwn);
  if (!facts) throw new Failure("conflict", `Cannot go on with the proposal "${id}": it was not begun here`);
  refuseOther(withFacts(waiting, facts), () => new Uint8Array(), digest, bench);
  const scope = bench.scopeOf(madeIn(waiting));
  for (const { path, hash } of waiting.call.paths) {
    if (hashNow(scope, path, job.cancel) === hash) continue;
    throw new Failure("stale", `Cannot apply the proposal "${id}": "${path}" has changed since it was made`, {
      hint: "Nothing was executed. Call the tool again for a new proposal.",
    });
  }
  bench.store.take(id);
  return { tool: waiting.tool, input: waiting.call.input, roots: waiting.scope.roots };
}

export function finishCall({ id, ok }: { id: string; ok: boolean }, bench: ChangeBench): { transaction: string } {
  const transaction = newId("t");
  if (ok) bench.store.endHappened({ id, outcome: "applied", transaction, at: nowMs() });
  else bench.store.release(id);
  return { transaction };
}

function hashNow(scope: Scope, path: string, cancel: Cancel): string {
  const { before } = inspect(scope, scope.locate(path, "propose"), "propose", { cancel, deep: true });
  return before.kind === "absent" ? "absent" : `${before.kind}:${before.hash}`;
}

/** As the tool tells it, for the answer. */
function saidFiles({ diff, paths }: LocalProposal): PreparedChanges["files"] {
  return paths.map((path, index) => ({
    operation: "edit" as const,
    path,
    absolute: path,
    added: 0,
    removed: 0,
    ...(index === 0 && diff !== undefined ? { diff } : {}),
  }));
}
