/**
 * The extension methods `ringfence/*`: what the agent's runtime or a person calls, never the model, so they are methods
 * and not tools. A failure here is a JSON-RPC error with code 1 and the failure as its data.
 */
import { Failure, limits, toFailure, type StopSignal } from "../base/index.ts";
import { applyLocal } from "./local-tools.ts";
import { reportBug, type Host } from "./host.ts";

export type ExtensionResult = Readonly<Record<string, unknown>>;

type Params = Readonly<Record<string, unknown>>;

/** What is taken of a proposal; all of it when neither is given. */
interface Parts {
  readonly files: readonly string[] | undefined;
  /** By file: 1-based numbers of the hunks of its diff. */
  readonly hunks: Readonly<Record<string, readonly number[]>> | undefined;
}

/** @throws Failure */
export async function callExtension(
  host: Host,
  method: string,
  params: Params,
  signal: StopSignal,
): Promise<ExtensionResult> {
  if (host.recovering) await host.recovering;
  switch (method) {
    case "ringfence/proposals/list":
      return { proposals: await changeJob(host, "list", {}, signal) };
    case "ringfence/proposals/get":
      return (await changeJob(host, "get", { id: idOf(params) }, signal)) as ExtensionResult;
    case "ringfence/history/list":
      return { transactions: await changeJob(host, "history", {}, signal) };
    case "ringfence/history/undo":
      return await inOrder(host, async () => await undoTransaction(host, params, signal));
    case "ringfence/proposals/reject":
      return await rejectProposal(host, params, signal);
    default:
      return await inOrder(host, async (leave) => await applyProposals(host, params, signal, leave));
  }
}

async function rejectProposal(host: Host, params: Params, signal: StopSignal): Promise<ExtensionResult> {
  const reason = params["reason"];
  if (reason !== undefined && typeof reason !== "string") throw invalid("reason must be a string");
  const id = idOf(params);
  host.audit.record("rejected", { proposal: id, reason });
  return (await changeJob(host, "reject", { id, reason }, signal)) as ExtensionResult;
}

/** On record before it happens, like any other change. A dry run changes nothing. */
async function undoTransaction(host: Host, params: Params, signal: StopSignal): Promise<ExtensionResult> {
  const { transaction, dry_run } = params;
  if (transaction !== undefined && typeof transaction !== "string")
    throw invalid("transaction must be the id of one");
  if (dry_run !== undefined && typeof dry_run !== "boolean") throw invalid("dry_run must be true or false");
  const input = { transaction, dry_run };
  if (dry_run) return (await changeJob(host, "undo", input, signal)) as ExtensionResult;
  host.audit.record("undoing", { transaction });
  host.audit.ensureWritten();
  const undone = (await changeJob(host, "undo", input, signal)) as ExtensionResult;
  host.audit.record("undone", { transaction: undone["transaction"], by: undone["undo"] });
  return undone;
}

/** `{id}` or `{request}`: its result or its failure; `{ids}`: one entry each, failures among them. */
async function applyProposals(
  host: Host,
  params: Params,
  signal: StopSignal,
  leave: () => void,
): Promise<ExtensionResult> {
  const parts: Parts = { files: listOf(params["files"], "files"), hunks: hunksOf(params["hunks"]) };
  const ids = listOf(params["ids"], "ids");
  if (!ids) return await applyOne(host, idOf(params, host), parts, signal, leave);
  const results: ExtensionResult[] = [];
  for (const id of ids) {
    try {
      results.push(await applyOne(host, id, parts, signal));
    } catch (thrown) {
      results.push({ id, status: "failed", failure: toFailure(thrown, () => reportBug(thrown)).data });
    }
  }
  return { results };
}

/** @param onRun a program is about to be started, which may take long */
async function applyOne(
  host: Host,
  id: string,
  parts: Parts,
  signal: StopSignal,
  onRun?: () => void,
): Promise<ExtensionResult> {
  host.audit.record("approved", { proposal: id, ...parts });
  host.audit.ensureWritten();
  try {
    const local = await applyLocal(host, id, signal, onRun);
    const applied = local ?? (await changeJob(host, "apply", { id, ...parts }, signal));
    host.audit.record("applied", {
      proposal: id,
      transaction: (applied as { transaction?: string }).transaction,
    });
    return applied as ExtensionResult;
  } catch (thrown) {
    host.audit.record("failed", { proposal: id, code: toFailure(thrown, () => "bug").code });
    throw thrown;
  }
}

/** What is applied is seen by every later call. */
async function inOrder<T>(host: Host, work: (leave: () => void) => Promise<T>): Promise<T> {
  // Calls that came earlier wait for the same promise, and so enter the order before this.
  if (!host.loadedRegistry) await host.registry();
  const turn = host.order.enter("all", true);
  try {
    await turn.ready;
    return await work(() => turn.leave());
  } finally {
    turn.leave();
  }
}

async function changeJob(host: Host, name: string, input: object, signal: StopSignal): Promise<unknown> {
  const answer = await host.changePool.run({
    name,
    input: JSON.stringify(input),
    timeoutMs: limits.LONG_CALL_MS,
    signal,
  });
  return JSON.parse(answer.payload) as unknown;
}

function idOf(params: Params, host?: Host): string {
  const { id, request } = params as { id?: unknown; request?: unknown };
  if (typeof id === "string") return id;
  if (host && (typeof request === "string" || typeof request === "number")) {
    const proposal = host.proposalOf.get(JSON.stringify(request));
    if (proposal !== undefined) return proposal;
    throw new Failure(
      "not_found",
      `Cannot apply the proposal of request ${JSON.stringify(request)}: that request made none`,
      { hint: "Look at that request's answer: it failed, or there was nothing to change." },
    );
  }
  throw invalid(host ? "give id, ids or request" : "give id");
}

function listOf(value: unknown, name: string): string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")) return value;
  throw invalid(`${name} must be a list of strings that is not empty`);
}

function hunksOf(value: unknown): Parts["hunks"] {
  if (value === undefined) return undefined;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [];
  if (entries.length > 0 && entries.every(([, list]) => areNumbers(list)))
    return value as Readonly<Record<string, readonly number[]>>;
  throw invalid('hunks must name files and the numbers of their hunks, as {"a.ts": [1, 3]}');
}

function areNumbers(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0 && list.every((one) => Number.isInteger(one));
}

function invalid(state: string): Failure {
  return new Failure("invalid_input", `Cannot read the parameters: ${state}`);
}
