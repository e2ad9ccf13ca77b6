/**
 * What the change worker does, one job at a time: seal a change set into a proposal, apply it, list, reject. It is the
 * only thread that writes into the roots and the proposal store.
 */
import { settlingRules } from "../../policy/index.ts";
import { packAnswer, ResultText, type JobContext, type JobHandler } from "../../pool/index.ts";
import type { Scope } from "../../scope/index.ts";
import { takeRejections } from "../../state/index.ts";
import { prepareChanges, type PreparedChanges, type StepFacts } from "../../txn/index.ts";
import { applyChanges } from "../proposal/apply-changes.ts";
import { openBench, type ChangeBench } from "./change-bench.ts";
import { checkBaselines, requireMade, staleIfChanged } from "./check-baselines.ts";
import { triedAnswer, unchangedAnswer } from "./change-answer.ts";
import type { ChangeJobs, Handlers, PlanInput } from "../job-table.ts";
import { answerFor, appliedResult, factsOf } from "./change-result.ts";
import { listHistory, recover, undo } from "./history-jobs.ts";
import { keepBefore, noteAfter } from "./kept-files.ts";
import { proposeCall, proposedResult } from "../proposal/propose.ts";
import { listProposals } from "../proposal/list-proposals.ts";
import { applyProposal, findCall, finishCall, getProposal, rejectProposal } from "../proposal/proposal-jobs.ts";
import type { Remembered } from "../proposal/preview.ts";
import { createProposal, type ChangeFacts, type Proposal, type Repeat } from "../proposal/proposal.ts";
import { resultMembers } from "../../contract/index.ts";
import { planRepeatable } from "./plan-repeatable.ts";
import { deniedChange } from "./decide-sealed.ts";
import { refusePolicyChange } from "./policy-files.ts";
import { withRedaction } from "../redact-failures.ts";
import { refusePlaceholders } from "./policy-files.ts";
import type { Ruling } from "../ruled-scopes.ts";
import { withSystemErrors } from "../redact-failures.ts";
import { parseWorkerConfig } from "../worker-config.ts";

const JOBS: Handlers<ChangeJobs, [ChangeBench]> = {
  plan: planChange,
  list: listProposals,
  get: getProposal,
  propose: proposeCall,
  find_call: findCall,
  apply: applyProposal,
  approve: applyProposal,
  finish: finishCall,
  reject: rejectProposal,
  recover: (_input, bench) => recover(bench),
  history: listHistory,
  undo,
  keep_files: keepBefore,
  note_kept: noteAfter,
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
    if (!Object.hasOwn(JOBS, name)) throw new Error(`unknown job ${name}`);
    // A host that died meanwhile may have left something half done; nothing is looked at before it is whole again.
    if (name !== "recover") recover(bench);
    try {
      return packAnswer(await JOBS[name as keyof ChangeJobs](JSON.parse(input) as never, bench, job));
    } finally {
      // Nobody who waits for an answer waits for this.
      setTimeout(() => history.sweepWhenFull(), 0);
    }
  });
  const redacting = withRedaction(handler, bench.redactor);
  return async (name, input, job) => await (REDACTED.has(name) ? redacting : handler)(name, input, job);
}

function planChange(input: PlanInput, bench: ChangeBench, job: JobContext): ResultText<ChangeFacts> {
  const key = input.idempotencyKey;
  if (key === undefined) return planOnce(input, bench, job);
  return planRepeatable(key, [input.tool, input.set], bench, job, {
    plan: (repeat) => planOnce(input, bench, job, repeat),
    again: (id) => proposedResult(bench.store.get(id), bench, job),
  });
}

/** @throws Failure `stale` for a text that is not there because the file is not the one that the caller has seen */
function sealKnown(
  { set, baseline }: PlanInput,
  scope: Scope,
  bench: ChangeBench,
  job: JobContext,
  contents: Uint8Array[],
  tell: (steps: readonly StepFacts[]) => void,
): PreparedChanges {
  try {
    return prepareChanges(set, {
      scope,
      ...job,
      diffContext: bench.config.diffContext,
      ...(bench.config.legacyEncoding ? { legacyEncoding: bench.config.legacyEncoding } : {}),
      undoMount: bench.books.history.mount,
      keep: (bytes) => contents.push(bytes) - 1,
      tell,
      takenAsMade: (path, hash) => requireMade({ path, hash }, set, baseline, { scope, cancel: job.cancel }),
    });
  } catch (thrown) {
    throw staleIfChanged(thrown, set, baseline, { scope, cancel: job.cancel });
  }
}

/** @param repeat its answer is kept with the transaction, so that a crash does not lose it, or the proposal's later one */
function planOnce(input: PlanInput, bench: ChangeBench, job: JobContext, repeat?: Repeat): ResultText<ChangeFacts> {
  refusePlaceholders(input.set);
  const { decision: asked } = input;
  const contents: Uint8Array[] = [];
  const scope = bench.ruledScope(input.ruling);
  let steps: readonly StepFacts[] = [];
  const planned = sealKnown(input, scope, bench, job, contents, (told) => (steps = told));
  const said = input.isDryRun ? [] : rejectionNotes(planned, bench);
  const sealed = { ...planned, warnings: [...planned.warnings, ...said] };
  const unread = checkBaselines(input.set, planned, input.baseline, { scope, cancel: job.cancel });
  const told = { steps, parts: input.parts ?? [], unread, words: input.asked };
  const decision = bench.decide(input.ruling, sealed, scope, told);
  if (decision.type === "deny") throw deniedChange(input.tool, decision);
  refusePolicyChange(planned, scope, bench.config.policy.configFiles);
  const { results } = bench.config.facts;
  if (sealed.steps.length === 0)
    return new ResultText(
      resultMembers(unchangedAnswer(sealed, bench.config.answers), results, bench.redactor),
      factsOf("unchanged", sealed),
    );
  if (input.isDryRun)
    return new ResultText(
      resultMembers(triedAnswer(sealed, bench.config.answers), results, bench.redactor),
      factsOf("tried", sealed),
    );
  const proposal = createProposal(
    { tool: input.tool, client: input.client, repeat, resume: { kind: "changes", steps: sealed.steps } },
    bench,
  );
  if (asked.type === "allow" && decision.type === "allow" && isExact(sealed, input.ruling)) {
    const answerOf = repeat && answerFor(repeat, bench);
    const { transaction } = applyChanges({ proposal, prepared: sealed, contents, answerOf }, bench, job);
    return appliedResult(sealed, transaction, results, bench);
  }
  bench.store.put(proposal, contents);
  const risk = decision.risk > asked.risk ? decision.risk : asked.risk;
  const suggested_rules = settlingRules([asked, decision]);
  return proposedResult(proposal, bench, job, {
    ...rememberedOf(proposal, { risk, suggested_rules, sealed }),
    // What leaves a file as it is has no step, and is said all the same.
    files: sealed.files,
  });
}

interface Made {
  readonly risk: string;
  readonly suggested_rules: readonly string[];
  readonly sealed: PreparedChanges;
}

function rememberedOf({ id, tool }: Proposal, { risk, suggested_rules, sealed }: Made): Remembered {
  const { summary, bytes, warnings } = sealed;
  const files = sealed.files.filter(({ operation }) => operation !== "none");
  return {
    known: { view: { id, tool, summary, paths: [], bytes, risk, suggested_rules, expiresAt: "", warnings } },
    seen: { files, warnings, hashes: hashesIn(sealed) },
  };
}

/** The new content of a step is that of its file. */
function hashesIn({ steps, files }: PreparedChanges): string[] {
  const changed = files.filter(({ operation }) => operation !== "none");
  const hashes: string[] = [];
  for (const [at, step] of steps.entries()) {
    const hash = changed[at]?.hash;
    if (step.op === "put" && hash !== undefined) hashes[step.content] = hash;
  }
  return hashes;
}

/** What was matched other than exactly is looked at by a person, unless nothing is. */
function isExact(sealed: PreparedChanges, { mode }: Ruling): boolean {
  return !sealed.tolerant || mode === "bypass";
}

/** What was said about the last change of these files, when it was rejected. */
function rejectionNotes(sealed: PreparedChanges, bench: ChangeBench): string[] {
  const paths = sealed.files.map(({ absolute }) => absolute);
  return takeRejections(bench.folder.proposals, paths).map(
    ({ id, reason }) =>
      `The last change that was proposed here (${id}) was rejected: ${reason ?? "no reason was given"}`,
  );
}
