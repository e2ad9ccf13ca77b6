/**
 * What the change worker does, one job at a time: seal a change set into a proposal, apply it, list, reject. It is the
 * only thread that writes into the roots and the proposal store.
 */
import { Failure, limits, logLine, newId, nowMs } from "../base/index.ts";
import { settlingRules, type Decision, type ToolFacts } from "../policy/index.ts";
import type { JobContext, JobHandler, JobResult } from "../pool/index.ts";
import type { Scope } from "../scope/index.ts";
import { noteRejection, takeRejections } from "../state/index.ts";
import { sealChanges, type AnswerToKeep, type ChangeSet, type Sealed, type StepFacts } from "../txn/index.ts";
import { applyProposal, type Applied } from "./apply-proposal.ts";
import { openBench, type ChangeBench } from "./change-bench.ts";
import { checkBaselines, staleIfChanged, type Baseline } from "./check-baselines.ts";
import {
  appliedAnswer,
  approvedAnswer,
  proposedAnswer,
  triedAnswer,
  unchangedAnswer,
} from "./change-answer.ts";
import { listHistory, recover, undo, type HistoryInput, type UndoInput } from "./history-jobs.ts";
import { keepBefore, noteAfter, type KeepInput, type NoteInput } from "./kept-files.ts";
import { finishLocal, proposeLocal, takeLocal } from "./local-proposal.ts";
import type { Parts } from "./select-parts.ts";
import { detailProposal, viewProposal, type Proposal, type Repeat } from "./proposal.ts";
import { resultMembers } from "../contract/index.ts";
import { planRepeatable } from "./plan-repeatable.ts";
import { refuseForged } from "./refuse-forged.ts";
import { decideUnread, deniedChange } from "./decide-sealed.ts";
import { refusePolicyChange } from "./policy-files.ts";
import { withRedaction } from "./redact-failures.ts";
import { refusePlaceholders } from "./refuse-placeholders.ts";
import type { Ruling } from "./ruled-scopes.ts";
import { withSystemErrors } from "./system-errors.ts";
import { parseWorkerConfig } from "./worker-config.ts";

type Jobs = Readonly<
  Record<string, (input: never, bench: ChangeBench, job: JobContext) => JobResult | Promise<JobResult>>
>;

const JOBS: Jobs = {
  plan: planChange,
  list: (_input, bench) => json(bench.store.list().map(viewProposal)),
  get: getProposal,
  apply: applyOne,
  approve: applyOne,
  reject: rejectProposal,
  recover: (_input, bench) => json(recover(bench)),
  history: (input: HistoryInput, bench, job) => json(listHistory(input, bench, job)),
  undo: (input: UndoInput, bench, job) => json(undo(input, bench, job)),
  keep_files: (input: KeepInput, bench, job) => json(keepBefore(input, bench, job)),
  note_kept: (input: NoteInput, bench, job) => json(noteAfter(input, bench, job)),
  propose_local: (input: Parameters<typeof proposeLocal>[0], bench, job) => proposeLocal(input, bench, job),
  take_local: (input: Parameters<typeof takeLocal>[0], bench, job) =>
    json(takeLocal(input, bench, job) ?? null),
  finish_local: (input: Parameters<typeof finishLocal>[0], bench) => json(finishLocal(input, bench)),
};

/** Their failures are read by the model; what a person looks at and approves is shown to them as it is. */
const REDACTED: ReadonlySet<string> = new Set(["plan", "approve"]);

export function createChangeHandler(configText: string): JobHandler {
  const bench = openBench(parseWorkerConfig(configText));
  const { history, answers } = bench.books;
  // Who works on the state folder alone does not know how much is to be kept.
  if (bench.config.scope.roots.length > 0) history.sweep();
  answers.sweep();
  const handler = withSystemErrors(async (name, input, job) => {
    const run = Object.hasOwn(JOBS, name) ? JOBS[name] : undefined;
    if (!run) throw new Error(`unknown job ${name}`);
    // A host that died meanwhile may have left something half done; nothing is looked at before it is whole again.
    if (name !== "recover") recover(bench);
    try {
      return await run(JSON.parse(input) as never, bench, job);
    } finally {
      // Nobody who waits for an answer waits for this.
      setTimeout(() => history.sweepWhenFull(), 0);
    }
  });
  const redacting = withRedaction(handler, bench.redactor);
  return async (name, input, job) => await (REDACTED.has(name) ? redacting : handler)(name, input, job);
}

interface PlanInput {
  readonly tool: string;
  readonly set: ChangeSet;
  /** On the caller's words. Allow: apply it at once. */
  readonly decision: Decision;
  /** What it is decided by once more, on the paths that it really touches, links and spellings resolved. */
  readonly ruling: Ruling;
  /** Other tools whose changes it makes. */
  readonly parts?: readonly ToolFacts[];
  readonly baseline: Baseline;
  /** Of the caller: a second call with it is answered as the first was. */
  readonly idempotencyKey?: string;
  /** Only what would come of it is wanted: nothing is kept, nobody is asked. */
  readonly isDryRun?: boolean;
}

function planChange(input: PlanInput, bench: ChangeBench, job: JobContext): JobResult {
  const key = input.idempotencyKey;
  if (key === undefined) return planOnce(input, bench, job);
  return planRepeatable(key, [input.tool, input.set], bench, job, (repeat) =>
    planOnce(input, bench, job, repeat),
  );
}

/** @throws Failure `stale` for a text that is not there because the file is not the one that the caller has seen */
function sealKnown(
  { set, baseline }: PlanInput,
  scope: Scope,
  bench: ChangeBench,
  job: JobContext,
  contents: Uint8Array[],
  tell: (steps: readonly StepFacts[]) => void,
): Sealed {
  try {
    return sealChanges(set, {
      scope,
      ...job,
      diffContext: bench.config.diffContext,
      ...(bench.config.legacyEncoding ? { legacyEncoding: bench.config.legacyEncoding } : {}),
      undoMount: bench.books.history.mount,
      keep: (bytes) => contents.push(bytes) - 1,
      tell,
    });
  } catch (thrown) {
    throw staleIfChanged(thrown, set, baseline, { scope, cancel: job.cancel });
  }
}

/** @param repeat its answer is kept with the transaction, so that a crash does not lose it, or the proposal's later one */
function planOnce(input: PlanInput, bench: ChangeBench, job: JobContext, repeat?: Repeat): JobResult {
  refusePlaceholders(input.set);
  const { decision: asked } = input;
  const contents: Uint8Array[] = [];
  const scope = bench.ruledScope(input.ruling);
  let steps: readonly StepFacts[] = [];
  const planned = sealKnown(input, scope, bench, job, contents, (told) => (steps = told));
  const said = input.isDryRun ? [] : rejectionNotes(planned, bench);
  const sealed = { ...planned, warnings: [...planned.warnings, ...said] };
  const unread = checkBaselines(input.set, planned, input.baseline, { scope, cancel: job.cancel });
  const told = { steps, parts: input.parts ?? [] };
  const decision = decideUnread(bench.decide(input.ruling, sealed, scope, told), unread, input.ruling);
  if (decision.type === "deny") throw deniedChange(input.tool, decision);
  refusePolicyChange(planned, scope, bench.config.policy.configFiles);
  const { results } = bench.config.facts;
  if (sealed.steps.length === 0)
    return {
      payload: resultMembers(unchangedAnswer(sealed), results, bench.redactor),
      facts: factsOf("unchanged", sealed),
    };
  if (input.isDryRun)
    return {
      payload: resultMembers(triedAnswer(sealed), results, bench.redactor),
      facts: factsOf("tried", sealed),
    };
  const created = nowMs();
  const proposal: Proposal = {
    id: newId("p"),
    created,
    expires: created + limits.PROPOSAL_TTL_MS,
    tool: input.tool,
    risk: decision.risk > asked.risk ? decision.risk : asked.risk,
    suggested_rules: settlingRules([asked, decision]),
    scope: bench.config.scope,
    sealed,
    ...(repeat ? { repeat } : {}),
  };
  if (asked.type === "allow" && decision.type === "allow" && isExact(sealed, input.ruling)) {
    const answerOf = repeat && answerFor(repeat, bench);
    const { transaction } = applyProposal({ proposal, contents, answerOf }, bench, job);
    return appliedResult(sealed, transaction, results, bench);
  }
  bench.store.put(proposal, contents);
  const view = viewProposal(proposal);
  return {
    payload: resultMembers(proposedAnswer(sealed, view), results, bench.redactor),
    facts: factsOf("proposed", sealed, { proposal: view }),
  };
}

/** What was matched other than exactly is looked at by a person, unless nothing is. */
function isExact(sealed: Sealed, { mode }: Ruling): boolean {
  return !sealed.tolerant || mode === "bypass";
}

function appliedResult(
  sealed: Sealed,
  transaction: string,
  results: "text" | "structured",
  { config, redactor }: ChangeBench,
): JobResult {
  return {
    payload: resultMembers(appliedAnswer(sealed, transaction, config.durability), results, redactor),
    facts: factsOf("applied", sealed, { transaction }),
  };
}

function answerFor({ key, digest, results }: Repeat, bench: ChangeBench) {
  return (transaction: string, sealed: Sealed): AnswerToKeep => {
    const { payload, facts = "" } = appliedResult(sealed, transaction, results, bench);
    return { key, digest, payload, facts };
  };
}

function getProposal({ id }: { id: string }, bench: ChangeBench): JobResult {
  const proposal = bench.store.get(id);
  const answer = proposedAnswer(proposal.sealed, viewProposal(proposal));
  return {
    payload: JSON.stringify(detailProposal(proposal)),
    facts: resultMembers(answer, bench.config.facts.results, bench.redactor),
  };
}

interface ApplyInput extends Parts {
  readonly id: string;
}

function applyOne(input: ApplyInput, bench: ChangeBench, job: JobContext): JobResult {
  const proposal = bench.store.take(input.id);
  if (proposal.local) {
    bench.store.release(input.id);
    throw new Failure(
      "unsupported",
      `Cannot apply the proposal "${input.id}" here: it belongs to a tool of another program`,
      {
        hint: "Apply it through the host that made it.",
      },
    );
  }
  let applied: Applied;
  try {
    const contents = (index: number): Uint8Array => bench.store.content(proposal.id, index);
    refuseForged(proposal.id, proposal.sealed, bench.scopeOf(proposal.scope), contents);
    const answerOf = proposal.repeat && answerFor(proposal.repeat, bench);
    applied = applyProposal({ proposal, contents, parts: input, isStored: true, answerOf }, bench, job);
  } catch (thrown) {
    bench.store.release(input.id);
    throw thrown;
  }
  bench.store.endHappened({
    id: input.id,
    outcome: "applied",
    transaction: applied.transaction,
    at: nowMs(),
  });
  const { durability, facts } = bench.config;
  const flushed = durability === "fast" ? { durability } : {};
  return {
    payload: JSON.stringify({ id: input.id, status: "applied", ...applied, ...flushed }),
    facts: resultMembers(approvedAnswer(applied, durability), facts.results, bench.redactor),
  };
}

function rejectProposal(input: { id: string; reason?: string }, bench: ChangeBench): JobResult {
  const proposal = bench.store.take(input.id);
  const reason = input.reason === undefined ? {} : { reason: input.reason };
  try {
    bench.store.end({ id: input.id, outcome: "rejected", ...reason, at: nowMs() });
  } catch (thrown) {
    bench.store.release(input.id);
    throw thrown;
  }
  const paths = proposal.sealed.files.map(({ absolute }) => absolute);
  try {
    noteRejection(bench.folder.proposals, paths, { id: input.id, ...reason });
  } catch (thrown) {
    logLine(`cannot keep why ${input.id} was rejected for the next call: ${String(thrown)}`);
  }
  return json({ id: input.id, status: "rejected", summary: proposal.sealed.summary, ...reason });
}

/** What was said about the last change of these files, when it was rejected. */
function rejectionNotes(sealed: Sealed, bench: ChangeBench): string[] {
  const paths = sealed.files.map(({ absolute }) => absolute);
  return takeRejections(bench.folder.proposals, paths).map(
    ({ id, reason }) =>
      `The last change that was proposed here (${id}) was rejected: ${reason ?? "no reason was given"}`,
  );
}

function factsOf(status: string, sealed: Sealed, more: object = {}): string {
  const files = sealed.files.map(({ absolute, operation, hash, added, removed }) => ({
    path: absolute,
    operation,
    added,
    removed,
    ...(hash === undefined ? {} : { hash }),
  }));
  return JSON.stringify({ status, files, ...more });
}

function json(value: unknown): JobResult {
  return { payload: JSON.stringify(value) };
}
