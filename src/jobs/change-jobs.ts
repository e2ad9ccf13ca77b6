/**
 * What the change worker does, one job at a time: seal a change set into a proposal, apply it, list, reject. It is the
 * only thread that writes into the roots and the proposal store.
 */
import { createHash } from "node:crypto";
import { Failure, limits, newId, nowMs } from "../base/index.ts";
import { settlingRules, type Decision, type Redactor } from "../policy/index.ts";
import type { JobContext, JobHandler, JobResult } from "../pool/index.ts";
import type { Scope } from "../scope/index.ts";
import {
  AnswerStore,
  HistoryStore,
  noteRejection,
  openStateFolder,
  ProposalStore,
  takeRejections,
  type StateFolder,
} from "../state/index.ts";
import { sealChanges, type AnswerToKeep, type Books, type ChangeSet, type Sealed } from "../txn/index.ts";
import { applyProposal, type Applied } from "./apply-proposal.ts";
import { checkBaselines, type Baseline } from "./check-baselines.ts";
import { appliedAnswer, approvedAnswer, proposedAnswer, unchangedAnswer } from "./change-answer.ts";
import { listHistory, recover, undo, type UndoInput } from "./history-jobs.ts";
import { finishLocal, proposeLocal, takeLocal } from "./local-proposal.ts";
import type { Parts } from "./select-parts.ts";
import { detailProposal, viewProposal, type Proposal } from "./proposal.ts";
import { resultMembers } from "../contract/index.ts";
import { refuseForged } from "./refuse-forged.ts";
import { decideSealed, decideUnread, deniedChange } from "./decide-sealed.ts";
import { openScope } from "./open-scope.ts";
import { refusePolicyChange } from "./policy-files.ts";
import { redactorOf, withRedaction } from "./redact-failures.ts";
import { refusePlaceholders } from "./refuse-placeholders.ts";
import { createRuledScopes, createRulesOf, type Ruling } from "./ruled-scopes.ts";
import { withSystemErrors } from "./system-errors.ts";
import { parseWorkerConfig, type ScopeConfig, type WorkerConfig } from "./worker-config.ts";

/** What every job of this worker works with. */
export interface ChangeBench {
  readonly config: WorkerConfig;
  readonly store: ProposalStore<Proposal>;
  readonly folder: StateFolder;
  readonly books: Books;
  readonly redactor: Redactor | undefined;
  /** The scope in which a tool's changes are sealed. */
  ruledScope(ruling: Ruling): Scope;
  /** What the changes of a tool come to, on the paths that they really touch. */
  decide(ruling: Ruling, sealed: Sealed, scope: Scope): Decision;
  /** The scope that a proposal was made in; the host's own when it has roots. */
  scopeOf(wanted?: ScopeConfig): Scope;
}

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
  history: (_input, bench) => json(listHistory(bench)),
  undo: (input: UndoInput, bench, job) => json(undo(input, bench, job)),
  propose_local: (input: Parameters<typeof proposeLocal>[0], bench, job) => proposeLocal(input, bench, job),
  take_local: (input: Parameters<typeof takeLocal>[0], bench, job) =>
    json(takeLocal(input, bench, job) ?? null),
  finish_local: (input: Parameters<typeof finishLocal>[0], bench) => json(finishLocal(input, bench)),
};

/** Their failures are read by the model; what a person looks at and approves is shown to them as it is. */
const REDACTED: ReadonlySet<string> = new Set(["plan", "approve"]);

export function createChangeHandler(configText: string): JobHandler {
  const bench = openBench(parseWorkerConfig(configText));
  bench.books.history.sweep();
  bench.books.answers.sweep();
  const handler = withSystemErrors(async (name, input, job) => {
    const run = Object.hasOwn(JOBS, name) ? JOBS[name] : undefined;
    if (!run) throw new Error(`unknown job ${name}`);
    // A host that died meanwhile may have left something half done; nothing is looked at before it is whole again.
    if (name !== "recover") recover(bench);
    return await run(JSON.parse(input) as never, bench, job);
  });
  const redacting = withRedaction(handler, bench.redactor);
  return async (name, input, job) => await (REDACTED.has(name) ? redacting : handler)(name, input, job);
}

function openBench(config: WorkerConfig): ChangeBench {
  const folder = openStateFolder(config.stateDir);
  let own: Scope | undefined;
  const rulesOf = createRulesOf(config.policy);
  return {
    config,
    folder,
    redactor: redactorOf(config.policy),
    ruledScope: createRuledScopes(config),
    decide: (ruling, sealed, scope) => decideSealed(ruling, rulesOf(ruling), sealed, scope),
    store: new ProposalStore(folder.proposals),
    books: {
      history: new HistoryStore(folder.undo),
      answers: new AnswerStore(folder.answers),
      journal: folder.journal,
      durability: config.durability,
    },
    scopeOf(wanted) {
      if (config.scope.roots.length === 0 && wanted) return openScope(wanted);
      own ??= openScope(config.scope, config.rootFds);
      if (wanted && !sameRoots(wanted, config.scope))
        throw new Failure("conflict", "Cannot apply the proposal: it was made by a host with other roots", {
          hint: "Apply it there, or with `ringfence proposals apply ID`.",
        });
      return own;
    },
  };
}

interface PlanInput {
  readonly tool: string;
  readonly set: ChangeSet;
  /** On the caller's words. Allow: apply it at once. */
  readonly decision: Decision;
  /** What it is decided by once more, on the paths that it really touches, links and spellings resolved. */
  readonly ruling: Ruling;
  readonly baseline: Baseline;
  /** Of the caller: a second call with it is answered as the first was. */
  readonly idempotencyKey?: string;
}

function planChange(input: PlanInput, bench: ChangeBench, job: JobContext): JobResult {
  const key = input.idempotencyKey;
  if (key === undefined) return planOnce(input, bench, job);
  const digest = createHash("sha256")
    .update(JSON.stringify([input.tool, input.set]))
    .digest("hex");
  const kept = bench.books.answers.find(key, digest);
  if (kept) return { payload: kept.payload, facts: kept.facts };
  const keep = ({ payload, facts = "" }: JobResult): AnswerToKeep => ({ key, digest, payload, facts });
  const answer = planOnce(input, bench, job, keep);
  bench.books.answers.put(keep(answer));
  return answer;
}

/** @param keep the answer in the form in which it is kept with the transaction, so that a crash does not lose it */
function planOnce(
  input: PlanInput,
  bench: ChangeBench,
  job: JobContext,
  keep?: (answer: JobResult) => AnswerToKeep,
): JobResult {
  refusePlaceholders(input.set);
  const { decision: asked } = input;
  const contents: Uint8Array[] = [];
  const scope = bench.ruledScope(input.ruling);
  const planned = sealChanges(input.set, {
    scope,
    ...job,
    ...(bench.config.legacyEncoding ? { legacyEncoding: bench.config.legacyEncoding } : {}),
    undoDevice: bench.books.history.device,
    keep: (bytes) => contents.push(bytes) - 1,
  });
  const sealed = { ...planned, warnings: [...planned.warnings, ...rejectionNotes(planned, bench)] };
  const unread = checkBaselines(input.set, planned, input.baseline, { scope, cancel: job.cancel });
  const decision = decideUnread(bench.decide(input.ruling, sealed, scope), unread, input.ruling);
  if (decision.type === "deny") throw deniedChange(input.tool, decision);
  refusePolicyChange(planned, scope, bench.config.policy.configFiles);
  const { results } = bench.config.facts;
  if (sealed.steps.length === 0)
    return {
      payload: resultMembers(unchangedAnswer(sealed), results, bench.redactor),
      facts: factsOf("unchanged", sealed),
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
  };
  if (asked.type === "allow" && decision.type === "allow" && isExact(sealed, input.ruling)) {
    const answerFor = (transaction: string): JobResult => ({
      payload: resultMembers(appliedAnswer(sealed, transaction), results, bench.redactor),
      facts: factsOf("applied", sealed, { transaction }),
    });
    const answerOf = keep && ((transaction: string) => keep(answerFor(transaction)));
    return answerFor(applyProposal({ proposal, contents, answerOf }, bench, job).transaction);
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
    applied = applyProposal({ proposal, contents, parts: input }, bench, job);
  } catch (thrown) {
    bench.store.release(input.id);
    throw thrown;
  }
  bench.store.end({ id: input.id, outcome: "applied", transaction: applied.transaction, at: nowMs() });
  return {
    payload: JSON.stringify({ id: input.id, status: "applied", ...applied }),
    facts: resultMembers(approvedAnswer(applied), bench.config.facts.results, bench.redactor),
  };
}

function rejectProposal(input: { id: string; reason?: string }, bench: ChangeBench): JobResult {
  const proposal = bench.store.take(input.id);
  const reason = input.reason === undefined ? {} : { reason: input.reason };
  bench.store.end({ id: input.id, outcome: "rejected", ...reason, at: nowMs() });
  const paths = proposal.sealed.files.map(({ absolute }) => absolute);
  noteRejection(bench.folder.proposals, paths, { id: input.id, ...reason });
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

function sameRoots(a: ScopeConfig, b: ScopeConfig): boolean {
  return JSON.stringify(a.roots) === JSON.stringify(b.roots);
}
