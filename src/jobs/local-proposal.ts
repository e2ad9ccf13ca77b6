/**
 * Proposals of local tools: the host hashes the files that the tool named, keeps the input, and gives it back for
 * `execute` only when those files are still the same.
 */
import { Failure, limits, newId, nowMs, type Cancel } from "../base/index.ts";
import type { LocalProposal } from "../contract/index.ts";
import { settlingRules, type Decision } from "../policy/index.ts";
import type { JobContext, JobResult } from "../pool/index.ts";
import type { Scope } from "../scope/index.ts";
import { inspect, type Sealed } from "../txn/index.ts";
import { proposedAnswer } from "./change-answer.ts";
import type { ChangeBench } from "./change-bench.ts";
import { viewProposal, type Proposal } from "./proposal.ts";
import { resultMembers } from "../contract/index.ts";

export interface ProposeLocalInput {
  readonly tool: string;
  readonly input: unknown;
  readonly decision: Decision;
  readonly proposal: LocalProposal;
  /** Instead of the warning that the tool writes by itself. */
  readonly notes?: readonly string[];
}

export function proposeLocal(
  { tool, input, decision, proposal, notes }: ProposeLocalInput,
  bench: ChangeBench,
  job: JobContext,
): JobResult {
  const scope = bench.scopeOf();
  const created = nowMs();
  const paths = proposal.paths.map((path) => ({ path, hash: hashNow(scope, path, job.cancel) }));
  const stored: Proposal = {
    id: newId("p"),
    created,
    expires: created + limits.PROPOSAL_TTL_MS,
    tool,
    risk: decision.risk,
    suggested_rules: settlingRules([decision]),
    scope: bench.config.scope,
    sealed: sealedOf(proposal, notes),
    local: { input, paths },
  };
  bench.store.put(stored, []);
  const view = viewProposal(stored);
  return {
    payload: resultMembers(proposedAnswer(stored.sealed, view), bench.config.facts.results),
    facts: JSON.stringify({ status: "proposed", proposal: view, files: [] }),
  };
}

/** Takes the proposal for execution. @throws Failure `stale` when a named file has changed; it stays waiting then */
export function takeLocal(
  { id }: { id: string },
  bench: ChangeBench,
  job: JobContext,
): { tool: string; input: unknown } | undefined {
  const waiting = bench.store.get(id);
  if (!waiting.local) return undefined;
  const scope = bench.scopeOf(waiting.scope);
  for (const { path, hash } of waiting.local.paths) {
    if (hashNow(scope, path, job.cancel) === hash) continue;
    throw new Failure("stale", `Cannot apply the proposal "${id}": "${path}" has changed since it was made`, {
      hint: "Nothing was executed. Call the tool again for a new proposal.",
    });
  }
  bench.store.take(id);
  return { tool: waiting.tool, input: waiting.local.input };
}

export function finishLocal(
  { id, ok }: { id: string; ok: boolean },
  bench: ChangeBench,
): { transaction: string } {
  const transaction = newId("t");
  if (ok) bench.store.endHappened({ id, outcome: "applied", transaction, at: nowMs() });
  else bench.store.release(id);
  return { transaction };
}

function hashNow(scope: Scope, path: string, cancel: Cancel): string {
  const { before } = inspect(scope, scope.locate(path, "propose"), "propose", { cancel, deep: true });
  return before.kind === "absent" ? "absent" : `${before.kind}:${before.hash}`;
}

function sealedOf(
  { summary, diff, paths, bytes }: LocalProposal,
  notes: readonly string[] = WRITES_ITSELF,
): Sealed {
  const files = paths.map((path, index) => ({
    operation: "edit" as const,
    path,
    absolute: path,
    added: 0,
    removed: 0,
    ...(index === 0 && diff !== undefined ? { diff } : {}),
  }));
  return { summary, files, steps: [], warnings: notes, bytes: bytes ?? 0 };
}

const WRITES_ITSELF: readonly string[] = [
  "This tool writes by itself: the change is not atomic and cannot be undone by the host.",
];
