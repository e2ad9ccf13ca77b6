/**
 * A call becomes a proposal, or what it changes is applied at once. A built-in change is planned here and prepared by the
 * change worker, which looks at the decision once more. Any other call that a person is asked about is stored as it came,
 * with what it would carry out and why it is asked; it is carried out when the proposal is applied, if it is still what
 * was shown.
 */
import { Failure, isoTime, nowMs } from "../../base/index.ts";
import { fileOfNamespace, type Origin } from "../../memory/index.ts";
import type { ChangeFacts, PlanInput } from "../../jobs/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import { pathsOf } from "../../policy/index.ts";
import type { ResultText } from "../../pool/index.ts";
import { comparableHash } from "../answer/comparable.ts";
import type { Call, Work } from "../call.ts";
import { baselineOf } from "../execute/baseline.ts";
import { timeoutOf } from "../execute/deadline.ts";
import { inContext, previewCall } from "../execute/execute.ts";
import { changeJob, reachOf } from "../jobs.ts";
import { agentName, clientName } from "../record.ts";
import type { Services } from "../services.ts";
import { factsOfCall } from "./preview.ts";
import { tellProposalHooks } from "./tell-hooks.ts";
import { PROPOSAL_KEY, proposed } from "./waiting.ts";

/** @param work of a tool that plans */
export async function planChange(host: Services, work: Work): Promise<Outcome> {
  const { call, tool, input: asked, decision, facts, mode, skill, record } = work;
  const planned = await inContext(host, work, work, timeoutOf(host, tool), (ctx) =>
    tool.plan?.(asked as never, ctx as never),
  );
  if (!planned) throw new Error(`${tool.name} does not plan`);
  const set = call.manner === undefined ? planned : { ...planned, manner: call.manner };
  // On record before it happens.
  host.audit.ensureWritten();
  const grants = host.policy.grants.rules().map(({ text }) => text);
  const input: PlanInput = {
    tool: tool.name,
    set,
    decision,
    ruling: { tool: facts, mode, grants, reach: reachOf(skill) },
    asked: work.asked,
    parts: work.parts,
    baseline: baselineOf(host, call, filesOf(set, pathsOf(work.targets), host.memoryFolder)),
    idempotencyKey: call.isDryRun ? undefined : idempotencyKeyOf(call),
    isDryRun: call.isDryRun,
    client: clientName(call),
    session: host.audit.session,
    from: call.from,
    ...(facts.remembers ? { origin: originOf(call, record.id) } : {}),
  };
  const { signal, onProgress } = call;
  const answer = await changeJob(host, "plan", input, {
    timeoutMs: timeoutOf(host, tool),
    signal,
    onProgress,
  });
  return changeOutcome(host, work, answer);
}

/** As the mark of an entry says it. */
function originOf(call: Call, id: string): Origin {
  return { at: isoTime(nowMs()), client: clientName(call), agent: agentName(call), call: id };
}

/** A replacement changes files that its call does not name, and a note is named by its namespace. */
function filesOf(
  { changes }: PlanInput["set"],
  named: readonly string[] | "all",
  folder: string | undefined,
): readonly string[] | "all" {
  if (named === "all") return named;
  const found = changes.flatMap((change) => {
    if (change.op === "replace") return [change.path];
    return change.op === "note" ? [`${folder}/${fileOfNamespace(change.namespace, "write")}`] : [];
  });
  return [...named, ...found];
}

/** The key of the call, so that a call that is sent again is answered as the first was. @throws Failure `invalid_input` */
function idempotencyKeyOf({ meta }: Call): string | undefined {
  const key = meta["dev.ringfence/idempotencyKey"];
  if (key === undefined || (typeof key === "string" && key !== "" && key.length <= MAX_KEY)) return key;
  throw new Failure(
    "invalid_input",
    `Cannot make the change: _meta["dev.ringfence/idempotencyKey"] must be a string of 1 to ${MAX_KEY} characters`,
  );
}

const MAX_KEY = 256;

/** @throws Failure for what could not be carried out either */
export async function proposeCall(host: Services, work: Work): Promise<Outcome> {
  const { call, input, decision, tool } = work;
  const says = await previewCall(host, work, work);
  const shown = says ? { says } : { notes: [`Asked because ${decision.reason}.`] };
  const facts = await factsOfCall(host, tool, input);
  const stored = {
    tool: tool.name,
    input,
    decision,
    facts,
    ...shown,
    client: clientName(call),
    session: host.audit.session,
  };
  const answer = await changeJob(host, "propose", stored, { signal: call.signal });
  return changeOutcome(host, work, answer);
}

/** What the change worker answered, with the proposal where clients and scripts look for it. */
function changeOutcome(host: Services, work: Work, answer: ResultText<ChangeFacts>): Outcome {
  const { call, record } = work;
  const { text: members, facts } = answer;
  if (!facts) throw new Error("a change without facts");
  if (facts.status !== "tried") {
    host.policy.baselines.noteChange(facts.files, facts.status === "applied");
    host.policy.resumed.noted(clientName(call));
  }
  // The line of an operation names its source, and so a record compares with those of earlier versions.
  const files = facts.files.map(({ source: _source, ...file }) => file);
  host.audit.record("change", {
    call: record.id,
    request: call.request,
    status: facts.status,
    proposal: facts.proposal?.id,
    digest: facts.proposal?.digest,
    transaction: facts.transaction,
    files,
    operations: facts.operations,
  });
  if (host.keepCall) record.changed = comparableHash(host.config, JSON.stringify(files));
  const said = wordsOf(facts);
  if (facts.transaction !== undefined) host.proposed.noteApplied(facts.transaction, call.request);
  if (!facts.proposal) return { members, said, stands: standingOf(facts) };
  const { proposal: view, says, told } = facts;
  host.proposed.note({ view, ...(says ? { says } : {}), ...(told ? { told } : {}) }, call.request);
  tellProposalHooks(host, work, facts.proposal);
  return { members, said, stands: proposed(facts.proposal), meta: { [PROPOSAL_KEY]: facts.proposal } };
}

/** A dry run leaves nothing. */
function standingOf({ status, transaction }: ChangeFacts): Outcome["stands"] {
  return status === "applied" ? { status, transaction } : undefined;
}

/** `applied, +3 -1 in 2 files`. */
function wordsOf({ status, files }: ChangeFacts): string {
  const sum = (key: "added" | "removed"): number => files.reduce((all, file) => all + (file[key] ?? 0), 0);
  const [added, removed] = [sum("added"), sum("removed")];
  const lines = added + removed === 0 ? "" : `, +${added} -${removed}`;
  return `${status}${lines}${files.length > 1 ? ` in ${files.length} files` : ""}`;
}
