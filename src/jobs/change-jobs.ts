/**
 * What the change worker does, one job at a time: seal a change set into a proposal, apply it, list, reject. It is the
 * only thread that writes into the roots and the proposal store.
 */
import { Failure, limits, logLine, newId, nowMs } from "../base/index.ts";
import { assessRisk, type Risk } from "../policy/index.ts";
import type { JobContext, JobHandler, JobResult } from "../pool/index.ts";
import { Scope } from "../scope/index.ts";
import {
  AnswerStore,
  HistoryStore,
  noteRejection,
  openStateFolder,
  ProposalStore,
  takeRejections,
  type Ending,
  type StateFolder,
} from "../state/index.ts";
import {
  sealChanges,
  type AnswerToKeep,
  type Books,
  type ChangeSet,
  type Sealed,
  type TransactionRecord,
} from "../txn/index.ts";
import { applyProposal, type Applied } from "./apply-proposal.ts";
import { appliedAnswer, proposedAnswer, unchangedAnswer } from "./change-answer.ts";
import { listHistory, recover, undo, type HistoryInput, type UndoInput } from "./history-jobs.ts";
import { finishLocal, proposeLocal, takeLocal } from "./local-proposal.ts";
import type { Parts } from "./select-parts.ts";
import { detailProposal, viewProposal, type Proposal, type Repeat } from "./proposal.ts";
import { resultMembers } from "../contract/index.ts";
import { planRepeatable } from "./plan-repeatable.ts";
import { refuseForged } from "./refuse-forged.ts";
import { withSystemErrors } from "./system-errors.ts";
import { parseWorkerConfig, type ScopeConfig, type WorkerConfig } from "./worker-config.ts";

/** What every job of this worker works with. */
export interface ChangeBench {
  readonly config: WorkerConfig;
  readonly store: ProposalStore<Proposal>;
  readonly folder: StateFolder;
  readonly books: Books;
  /** The scope that a proposal was made in; the host's own when it has roots. */
  scopeOf(wanted?: ScopeConfig): Scope;
}

type Jobs = Readonly<
  Record<string, (input: never, bench: ChangeBench, job: JobContext) => JobResult | Promise<JobResult>>
>;

const JOBS: Jobs = {
  plan: planChange,
  list: (_input, bench) => json(bench.store.list().map(viewProposal)),
  get: ({ id }: { id: string }, bench) => json(detailProposal(bench.store.get(id))),
  apply: applyOne,
  reject: rejectProposal,
  recover: (_input, bench) => json(recover(bench)),
  history: (input: HistoryInput, bench, job) => json(listHistory(input, bench, job)),
  undo: (input: UndoInput, bench, job) => json(undo(input, bench, job)),
  propose_local: (input: Parameters<typeof proposeLocal>[0], bench, job) => proposeLocal(input, bench, job),
  take_local: (input: Parameters<typeof takeLocal>[0], bench, job) =>
    json(takeLocal(input, bench, job) ?? null),
  finish_local: (input: Parameters<typeof finishLocal>[0], bench) => json(finishLocal(input, bench)),
};

export function createChangeHandler(configText: string): JobHandler {
  const bench = openBench(parseWorkerConfig(configText));
  const { history, answers } = bench.books;
  // Who works on the state folder alone does not know how much is to be kept.
  if (bench.config.scope.roots.length > 0) history.sweep();
  answers.sweep();
  return withSystemErrors(async (name, input, job) => {
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
}

function openBench(config: WorkerConfig): ChangeBench {
  const folder = openStateFolder(config.stateDir);
  const history = new HistoryStore<TransactionRecord>(folder.undo, config.undo);
  let own: Scope | undefined;
  const others = new Map<string, Scope>();
  return {
    config,
    folder,
    store: new ProposalStore(folder.proposals, (id) => appliedAs(id, history)),
    books: {
      history,
      answers: new AnswerStore(folder.answers),
      journal: folder.journal,
      durability: config.durability,
    },
    scopeOf(wanted) {
      if (config.scope.roots.length === 0 && wanted) {
        const key = JSON.stringify(wanted);
        const scope = others.get(key) ?? new Scope(wanted);
        others.set(key, scope);
        return scope;
      }
      own ??= new Scope({ ...config.scope, rootFds: config.rootFds });
      if (wanted && !sameRoots(wanted, config.scope))
        throw new Failure("conflict", "Cannot apply the proposal: it was made by a host with other roots", {
          hint: "Apply it there, or with `ringfence proposals apply ID`.",
        });
      return own;
    },
  };
}

/** The owner of a proposal may have died after the commit and before it said so. */
function appliedAs(id: string, history: HistoryStore<TransactionRecord>): Ending | undefined {
  const record = history.list().find(({ proposal, conflict }) => proposal === id && !conflict);
  return record && { id, outcome: "applied", transaction: record.transaction, at: record.at };
}

interface PlanInput {
  readonly tool: string;
  readonly set: ChangeSet;
  readonly risk: string;
  /** The decision was allow: apply it at once. */
  readonly apply: boolean;
  /** Only if it is an ordinary edit by the paths that it really touches, links and spellings resolved. */
  readonly ordinaryOnly?: boolean;
  /** Of the caller: a second call with it is answered as the first was. */
  readonly idempotencyKey?: string;
}

function planChange(input: PlanInput, bench: ChangeBench, job: JobContext): JobResult {
  const key = input.idempotencyKey;
  if (key === undefined) return planOnce(input, bench, job);
  return planRepeatable(key, [input.tool, input.set], bench, job, (repeat) =>
    planOnce(input, bench, job, repeat),
  );
}

/** @param repeat its answer is kept with the transaction, so that a crash does not lose it, or the proposal's later one */
function planOnce(input: PlanInput, bench: ChangeBench, job: JobContext, repeat?: Repeat): JobResult {
  const contents: Uint8Array[] = [];
  const planned = sealChanges(input.set, {
    scope: bench.scopeOf(),
    ...job,
    ...(bench.config.legacyEncoding ? { legacyEncoding: bench.config.legacyEncoding } : {}),
    undoMount: bench.books.history.mount,
    keep: (bytes) => contents.push(bytes) - 1,
  });
  const sealed = { ...planned, warnings: [...planned.warnings, ...rejectionNotes(planned, bench)] };
  const { results } = bench.config.facts;
  if (sealed.steps.length === 0)
    return { payload: resultMembers(unchangedAnswer(sealed), results), facts: factsOf("unchanged", sealed) };
  const created = nowMs();
  const proposal: Proposal = {
    id: newId("p"),
    created,
    expires: created + limits.PROPOSAL_TTL_MS,
    tool: input.tool,
    risk: input.risk === "R2" ? sealedRisk(sealed) : input.risk,
    scope: bench.config.scope,
    sealed,
    ...(repeat ? { repeat } : {}),
  };
  if (input.apply && !(input.ordinaryOnly && !isOrdinary(sealed))) {
    const answerOf = repeat && answerFor(repeat, bench);
    const { transaction } = applyProposal({ proposal, contents, answerOf }, bench, job);
    return appliedResult(sealed, transaction, results, bench);
  }
  bench.store.put(proposal, contents);
  const view = viewProposal(proposal);
  return {
    payload: resultMembers(proposedAnswer(sealed, view), results),
    facts: factsOf("proposed", sealed, { proposal: view }),
  };
}

function appliedResult(
  sealed: Sealed,
  transaction: string,
  results: "text" | "structured",
  { config }: ChangeBench,
): JobResult {
  return {
    payload: resultMembers(appliedAnswer(sealed, transaction, config.durability), results),
    facts: factsOf("applied", sealed, { transaction }),
  };
}

function answerFor({ key, digest, results }: Repeat, bench: ChangeBench) {
  return (transaction: string, sealed: Sealed): AnswerToKeep => {
    const { payload, facts = "" } = appliedResult(sealed, transaction, results, bench);
    return { key, digest, payload, facts };
  };
}

/** What was matched other than exactly is looked at by a person. */
function isOrdinary(sealed: Sealed): boolean {
  return sealedRisk(sealed) === "R2" && !sealed.tolerant;
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
  const flushed = bench.config.durability === "fast" ? { durability: "fast" } : {};
  return json({ id: input.id, status: "applied", ...applied, ...flushed });
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

function sealedRisk(sealed: Sealed): Risk {
  const paths = sealed.steps.flatMap((step) => ("from" in step ? [step.from, step.at] : [step.at]));
  const access = paths.map(({ rel }) => ({ path: rel, mode: "write" as const }));
  return assessRisk({ effect: "change", access, removes: sealed.steps.some((step) => step.op === "remove") });
}

function factsOf(status: string, sealed: Sealed, more: object = {}): string {
  const files = sealed.files.map(({ absolute, operation, hash }) => ({
    path: absolute,
    operation,
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
