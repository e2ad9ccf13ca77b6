/**
 * The extension methods `ringfence/*`: what the agent's runtime or a person calls, never the model, so they are methods
 * and not tools. A failure here is a JSON-RPC error with code 1 and the failure as its data.
 */
import { parseLabel } from "../approval/index.ts";
import { Failure, limits, reportBug, toFailure } from "../base/index.ts";
import {
  applyProposal,
  asMethod,
  changeInOrder,
  changeJob,
  getProposal,
  listProposals,
  lookInOrder,
  rejectProposal,
  type Caller,
  type Parts,
  type Services,
} from "../pipeline/index.ts";
import { answerBridge } from "./bridge.ts";
import { invalid, refuseUnknownParams } from "./params.ts";
import { answerPolicyMethod } from "./policy.ts";

export type ExtensionResult = Readonly<Record<string, unknown>>;

type Params = Readonly<Record<string, unknown>>;

/** @throws Failure */
export async function callExtension(
  host: Services,
  method: string,
  params: Params,
  caller: Caller,
): Promise<ExtensionResult> {
  refuseUnknownParams(method, params);
  await host.whole();
  switch (method) {
    case "ringfence/proposals/list":
      return await lookInOrder(host, caller, async () => ({
        proposals: await listProposals(host, checkOf(params), caller),
      }));
    case "ringfence/proposals/get":
      return await lookInOrder(host, caller, async () => await viewDetails(host, params, caller));
    case "ringfence/history/list":
      return await lookInOrder(host, caller, async () => await listHistory(host, params, caller));
    case "ringfence/history/undo":
      return await changeInOrder(host, caller, async () => await undoTransaction(host, params, caller));
    case "ringfence/proposals/reject":
      return await rejectProposal(host, rejectionOf(params), caller);
    case "ringfence/bridge/offer":
    case "ringfence/bridge/tools":
      return await answerBridge(host, method, params);
    case "ringfence/policy/explain":
    case "ringfence/grants/list":
    case "ringfence/grants/add":
    case "ringfence/grants/revoke":
      return await answerPolicyMethod(host, method, params, caller);
    case "ringfence/proposals/apply":
      return await changeInOrder(host, caller, async (leave) => await applyProposals(host, params, caller, leave));
    default:
      throw new Error(`no method ${method} is carried out here`);
  }
}

async function viewDetails(host: Services, params: Params, caller: Caller): Promise<ExtensionResult> {
  const page = numberOf(params, "page", 1, Number.MAX_SAFE_INTEGER);
  const page_bytes = numberOf(params, "page_bytes", MIN_PAGE_BYTES, MAX_ASKED_PAGE_BYTES);
  const { details } = await getProposal(host, caller, idOf(params), { page, page_bytes });
  return { ...details };
}

const MIN_PAGE_BYTES = 1024;
/** As JSON it may be six times as long. */
const MAX_ASKED_PAGE_BYTES: number = 4 * 1024 * 1024;

function numberOf(params: Params, name: string, least: number, most: number): number | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw invalid(`${name} must be a whole number from ${least} to ${most}`);
}

async function listHistory(host: Services, params: Params, caller: Caller): Promise<ExtensionResult> {
  return { transactions: await changeJob(host, "history", { check: checkOf(params) }, asMethod(caller)) };
}

function checkOf({ check }: Params): boolean | undefined {
  if (check !== undefined && typeof check !== "boolean") throw invalid("check must be true or false");
  return check;
}

function rejectionOf(params: Params): Parameters<typeof rejectProposal>[1] {
  const reason = params["reason"];
  if (reason !== undefined && (typeof reason !== "string" || reason.length > limits.MAX_REASON_CHARS))
    throw invalid(`reason must be a string of at most ${limits.MAX_REASON_CHARS} characters`);
  return { id: parseLabel(idOf(params)).id, reason };
}

/** On record before it happens, like any other change. A dry run changes nothing. */
async function undoTransaction(host: Services, params: Params, caller: Caller): Promise<ExtensionResult> {
  const { transaction, dry_run } = params;
  if (transaction !== undefined && typeof transaction !== "string") throw invalid("transaction must be the id of one");
  if (dry_run !== undefined && typeof dry_run !== "boolean") throw invalid("dry_run must be true or false");
  const input = { transaction, dry_run };
  if (dry_run) return { ...(await changeJob(host, "undo", input, asMethod(caller))) };
  host.audit.record("undoing", { transaction });
  host.audit.ensureWritten();
  const undone = await changeJob(host, "undo", input, asMethod(caller));
  host.policy.baselines.forget(
    undone.files.flatMap(({ path, source }) => (source === undefined ? path : [path, source])),
  );
  host.audit.record("undone", { transaction: undone.transaction, by: undone.undo });
  return { ...undone };
}

/** `{id}` or `{request}`: its result or its failure; `{ids}`: one entry each, failures among them. */
async function applyProposals(
  host: Services,
  params: Params,
  caller: Caller,
  leave: () => void,
): Promise<ExtensionResult> {
  const parts: Parts = { files: listOf(params["files"], "files"), hunks: hunksOf(params["hunks"]) };
  const ids = listOf(params["ids"], "ids");
  if (ids && (params["id"] !== undefined || params["request"] !== undefined))
    throw invalid("give id, ids or request, not several of them");
  if (!ids) return (await applyProposal(host, idOf(params, host), { parts, caller, onRun: leave })).value;
  const results: ExtensionResult[] = [];
  for (const id of ids) {
    try {
      // A question in the middle would lose what the others came to.
      const { context: _, ...alone } = caller;
      results.push((await applyProposal(host, id, { parts, caller: alone })).value);
    } catch (thrown) {
      results.push({ id, status: "failed", failure: toFailure(thrown, () => reportBug(thrown)).data });
    }
  }
  return { results };
}

function idOf(params: Params, host?: Services): string {
  const { id, request } = params as { id?: unknown; request?: unknown };
  if (id !== undefined && request !== undefined) throw invalid("give id or request, not both");
  if (typeof id === "string") return id;
  if (host && (typeof request === "string" || typeof request === "number")) {
    const proposal = host.proposalOf.get(JSON.stringify(request));
    if (proposal !== undefined) return proposal;
    throw new Failure(
      "not_found",
      `Cannot apply the proposal of request ${JSON.stringify(request).slice(0, 60)}: that request made none`,
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
