/**
 * What the change worker does, one job at a time: prepare a change set into a proposal, apply it, list, reject. It is the
 * only thread that writes into the roots and the proposal store.
 */
import { Failure, logLine, sha256 } from "../../base/index.ts";
import { settlingRules } from "../../policy/index.ts";
import { type JobContext, type JobHandler, packAnswer, ResultText } from "../../pool/index.ts";
import type { Scope } from "../../scope/index.ts";
import { type KeptAnswer, takeRejections } from "../../state/index.ts";
import { type Change, prepareChanges, type PreparedChanges } from "../../txn/index.ts";
import type { ChangeJobs, Handlers, PlanInput } from "../job-table.ts";
import { applyChanges } from "../proposal/apply-changes.ts";
import { lookForDecisions, passApproval, withdrawProposal } from "../proposal/decisions.ts";
import { compareProposal, keepOld } from "../proposal/compare.ts";
import { editProposal, textOfFile } from "../proposal/edit.ts";
import { imagesOfProposal } from "../proposal/images.ts";
import { listProposals } from "../proposal/list-proposals.ts";
import type { Remembered } from "../proposal/preview.ts";
import {
  applyProposal,
  diffOfFile,
  findCall,
  finishCall,
  getProposal,
  rejectProposal,
} from "../proposal/proposal-jobs.ts";
import { createProposal, whyAsked, type ChangeFacts, type Proposal, type Repeat } from "../proposal/proposal.ts";
import { proposeCall, proposedResult } from "../proposal/propose.ts";
import { withRedaction, withSystemErrors } from "../redact-failures.ts";
import { parseWorkerConfig } from "../worker-config.ts";
import { answerFor, appliedResult, plannedResult } from "./change-answer.ts";
import { type ChangeBench, openBench } from "./change-bench.ts";
import { checkBaselines, requireMade, staleIfChanged } from "./check-baselines.ts";
import { refusePlaceholders, refusePolicyChange, refusingRests } from "./closed-paths.ts";
import { deniedChange } from "./decide-prepared.ts";
import { keepBefore, listHistory, noteAfter, undo } from "./history-jobs.ts";

const JOBS: Handlers<ChangeJobs, [ChangeBench]> = {
  plan: planChange,
  list: listProposals,
  get: getProposal,
  propose: proposeCall,
  diff: diffOfFile,
  compare: compareProposal,
  text_of: textOfFile,
  edit: editProposal,
  images: imagesOfProposal,
  find_call: findCall,
  apply: applyProposal,
  approve: applyProposal,
  finish: finishCall,
  reject: rejectProposal,
  withdraw: withdrawProposal,
  decisions: lookForDecisions,
  pass_approval: passApproval,
  recover: (_input, bench) => bench.recover(),
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
    if (name !== "recover") bench.recover();
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

const AGAIN = "Nothing is written. To make the change, call again with dry_run: false.";

/** The kernel lets go of the locks of a dying process one after the other; its journal may be the last. */
const DYING_MS = 20;

/**
 * A change with an idempotency key is made once, whoever sends it again and however often, also to two hosts at once. The first
 * answer is kept until the proposal that it told of has ended; then a repeat is told how.
 */
function planChange(input: PlanInput, bench: ChangeBench, job: JobContext): ResultText<ChangeFacts> {
  const { idempotencyKey: key, tool, set } = input;
  if (key === undefined) return planOnce(input, bench, job);
  const { answers } = bench.books;
  const digest = sha256(JSON.stringify([tool, set]));
  using held = answers.hold(key, job.cancel);
  let kept = answers.find(key, digest);
  if (!kept && held.hasWaited) {
    // Whoever held the key may have died with the change half made.
    Bun.sleepSync(DYING_MS);
    bench.recover();
    kept = answers.find(key, digest);
  }
  const still = kept && answerNow(kept, bench, job);
  if (still) return still;
  const answer = planOnce(input, bench, job, { key, digest, results: bench.config.facts.results });
  try {
    answers.put({ key, digest, payload: answer.text, facts: answer.factsText });
  } catch (thrown) {
    // The change is made or proposed all the same.
    logLine(`cannot keep the answer for an idempotency key: ${String(thrown)}`);
  }
  return answer;
}

/**
 * The kept answer where it is still true: one that tells of a proposal is so only while that waits, and then tells it
 * anew. When it is applied, that answer takes the place of this one.
 *
 * @throws Failure `conflict` when it was rejected, or applied and the answer could not be kept
 */
function answerNow(kept: KeptAnswer, bench: ChangeBench, job: JobContext): ResultText<ChangeFacts> | undefined {
  const { proposal } = JSON.parse(kept.facts) as { readonly proposal?: { readonly id: string } };
  if (!proposal) return new ResultText(kept.payload, kept.facts);
  const ending = bench.store.endingOf(proposal.id);
  if (!ending) return proposedResult(bench.store.get(proposal.id), bench, job);
  const { outcome, reason } = ending;
  if (outcome === "expired") return undefined;
  const state = `its proposal "${proposal.id}" was ${outcome}${reason === undefined ? "" : `: ${reason}`}`;
  const isDone = outcome === "applied";
  throw new Failure("conflict", `Cannot propose the change again: ${state}`, {
    hint: isDone ? "Nothing is left to do." : "To propose it once more, send it with a new idempotency key.",
    details: { ...ending },
  });
}

/**
 * Another host may write the same note between the preparing and the locks. An entry at its end stands beside any other, so it
 * is prepared again instead of refused.
 */
function planOnce(input: PlanInput, bench: ChangeBench, job: JobContext, repeat?: Repeat): ResultText<ChangeFacts> {
  for (let tries = 1; ; tries++) {
    try {
      return planAsIs(input, bench, job, repeat);
    } catch (thrown) {
      const isMoved = thrown instanceof Failure && (thrown.code === "stale" || thrown.code === "already_exists");
      if (!isMoved || !input.set.changes.every(isEntry) || tries === MAX_TRIES || job.cancel.state() !== "none")
        throw thrown;
    }
  }
}

function isEntry(change: Change): boolean {
  return change.op === "note" && change.mode === "append" && change.ifHash === undefined;
}

/** Each time somebody else has come first, so this many others write at once. */
const MAX_TRIES = 50;

/** @param repeat its answer is kept with the transaction, so that a crash does not lose it, or the proposal's later one */
function planAsIs(input: PlanInput, bench: ChangeBench, job: JobContext, repeat?: Repeat): ResultText<ChangeFacts> {
  refusePlaceholders(input.set);
  const { decision: asked, ruling, tool, client, session, from } = input;
  const scope = bench.ruledScope(ruling);
  const { planned, contents } = prepareKnown(input, scope, bench, job);
  const { dryRun } = input.set;
  const isDryRun = input.isDryRun === true || dryRun === "always";
  const said = isDryRun ? [] : rejectionNotes(planned, bench);
  const prepared = { ...planned, warnings: [...planned.warnings, ...said] };
  const unread = checkBaselines(input.set, planned, input.baseline, { scope, cancel: job.cancel });
  const told = { parts: input.parts ?? [], unread, words: input.asked };
  const decision = bench.decide(ruling, prepared, scope, told);
  if (decision.type === "deny") throw deniedChange(tool, decision);
  refusePolicyChange(planned, scope, bench.config.policy.configFiles);
  if (prepared.steps.length === 0) return plannedResult("unchanged", prepared, bench);
  if (isDryRun) return plannedResult("tried", prepared, bench);
  const resume = { kind: "changes", steps: prepared.steps } as const;
  const why = whyAsked([asked, decision]);
  const proposal = createProposal({ tool, client, session, from, why, repeat, resume }, bench);
  // What was matched other than exactly is looked at by a person, unless nothing is.
  const isExact = !prepared.tolerant || ruling.mode === "bypass";
  if (asked.type === "allow" && decision.type === "allow" && isExact) {
    if (dryRun === "at_once") return plannedResult("tried", prepared, bench, AGAIN);
    const answerOf = repeat && answerFor(repeat, bench);
    const { transaction } = applyChanges({ proposal, prepared, contents, answerOf }, bench, job);
    return appliedResult(prepared, transaction, bench.config.facts.results, bench);
  }
  const olds = keepOld(prepared.steps, contents, scope, job);
  bench.store.put({ ...proposal, olds }, contents);
  const risk = decision.risk > asked.risk ? decision.risk : asked.risk;
  const suggested_rules = settlingRules([asked, decision]);
  return proposedResult(proposal, bench, job, {
    ...rememberedOf(proposal, { risk, suggested_rules, prepared }),
    // What leaves a file as it is has no step, and is said all the same.
    files: prepared.files,
    data: prepared.data,
  });
}

/** @throws Failure `stale` for a text that is not there because the file is not the one that the caller has seen */
function prepareKnown({ set, baseline, origin }: PlanInput, scope: Scope, bench: ChangeBench, job: JobContext) {
  const { diffContext, legacyEncoding } = bench.config;
  const seen = { scope, cancel: job.cancel };
  const contents: Uint8Array[] = [];
  try {
    const planned = prepareChanges(set, {
      scope,
      ...job,
      diffContext,
      hideKeys: bench.hideKeys && refusingRests(bench.hideKeys),
      maxFileBytes: bench.config.answers.maxFileBytes,
      ...(legacyEncoding ? { legacyEncoding } : {}),
      undoMount: bench.books.history.mount,
      origin,
      keep: (bytes) => contents.push(bytes) - 1,
      takenAsMade: (path, hash) => requireMade({ path, hash }, set, baseline, seen),
    });
    return { planned, contents };
  } catch (thrown) {
    throw staleIfChanged(thrown, set, baseline, seen);
  }
}

interface Made {
  readonly risk: string;
  readonly suggested_rules: readonly string[];
  readonly prepared: PreparedChanges;
}

function rememberedOf({ id, tool }: Proposal, { risk, suggested_rules, prepared }: Made): Remembered {
  const { summary, bytes, warnings, steps } = prepared;
  const files = prepared.files.filter(({ operation }) => operation !== "none");
  const hashes: string[] = [];
  // The new content of a step is that of its file.
  for (const [at, step] of steps.entries()) {
    const hash = files[at]?.hash;
    if (step.op === "put" && hash !== undefined) hashes[step.content] = hash;
  }
  return {
    known: { view: { id, tool, summary, paths: [], bytes, risk, suggested_rules, expiresAt: "", warnings } },
    seen: { files, warnings, hashes },
  };
}

/** What was said about the last change of these files, when it was rejected. */
function rejectionNotes({ files }: PreparedChanges, bench: ChangeBench): string[] {
  const rejections = takeRejections(
    bench.folder.proposals,
    files.map(({ absolute }) => absolute),
  );
  return rejections.map(
    ({ id, reason = "no reason was given" }) =>
      `The last change that was proposed here (${id}) was rejected: ${reason}`,
  );
}
