/**
 * What the policy says of something that a client is about to do with a tool of its own: each call of ours that it amounts to is
 * explained, as `ringfence explain` does, and the strictest answer counts. Nothing runs and no file is opened for its content.
 *
 * Invariant: the answer is only ever stricter than the client. `pass` leaves the call to it, with its own questions.
 */
import { StopSource } from "../../base/index.ts";
import type { Explanation } from "../../calls/index.ts";
import {
  SERVER,
  type GuardRow,
  type HookAnswer,
  type ToldHook,
  type GuardCall,
  type ToolMeaning,
} from "../../clients/index.ts";
import type { Host } from "../../host/index.ts";
import { Peer, RequestContext, SCRIPT, scriptRevision } from "../../mcp/index.ts";
import { callMethod } from "../../methods/index.ts";
import { grantCommand } from "../../pipeline/index.ts";
import { Writer } from "../../wire/index.ts";

/** Whose policy it is, and which names its tools have for clients. */
export interface GuardPolicy {
  readonly host: Host;
  readonly row: GuardRow;
  readonly isOurName: (name: string) => Promise<boolean>;
}

/** @throws Failure; RpcError for a tool of ours that this policy hides */
export async function askPolicy(policy: GuardPolicy, request: ToldHook): Promise<HookAnswer> {
  const { tool, meaning } = request;
  switch (meaning.means) {
    case "nothing":
      return PASS;
    case "deny":
    case "ask":
      return { verdict: meaning.means, reason: `${tool}: ${meaning.why}.` };
    case "mcp":
      return await judgeServer(policy, tool, meaning);
    case "calls": {
      const answers: HookAnswer[] = [];
      for (const call of meaning.calls) answers.push(await judgeCall(policy, call));
      return strictest(answers);
    }
  }
}

const PASS: HookAnswer = { verdict: "pass", reason: "" };
const ORDER: readonly HookAnswer["verdict"][] = ["deny", "ask", "pass"];

function strictest(answers: readonly HookAnswer[]): HookAnswer {
  return answers.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))[0] ?? PASS;
}

/**
 * Calls of ringfence are decided where they arrive. Where the client names no server, or the name could be that of a tool of
 * another one, the tool has to be known here.
 */
async function judgeServer(
  { isOurName }: GuardPolicy,
  tool: string,
  { server, mcpTool }: ToolMeaning & { readonly means: "mcp" },
): Promise<HookAnswer> {
  const isOurs = server === SERVER && !hidesServer(mcpTool);
  if (isOurs || ((server ?? SERVER) === SERVER && (await isOurName(mcpTool)))) return PASS;
  return { verdict: "ask", reason: `${tool}: it is a tool of another server, which this policy says nothing about.` };
}

/** In `mcp__ringfence__evil__run` the server may be `ringfence__evil`, and in `mcp__ringfence___run` it may be `ringfence_`. */
function hidesServer(tool: string): boolean {
  return tool.startsWith("_") || tool.includes("__");
}

async function judgeCall({ host, row }: GuardPolicy, { name, arguments: given }: GuardCall): Promise<HookAnswer> {
  if (!(await host.registry()).has(name)) return { verdict: "deny", reason: `${name}: this policy has no such tool.` };
  const caller = { signal: new StopSource(), context: contextOf(row) };
  const said = await callMethod(host, "ringfence/policy/explain", { name, arguments: given }, caller);
  const { decision, asked_before: before = [] } = said;
  if (decision.type !== "allow")
    return { verdict: decision.type, reason: sayWhy(name, said), ...allowedBy(host, said) };
  if (before.length === 0) return PASS;
  return { verdict: "ask", reason: `${name}: ${before.join(" and ")} would decide about it, and is not asked here.` };
}

function sayWhy(name: string, { decision, paths }: Explanation): string {
  const what = paths === "all" || paths.length === 0 || name === "shell" ? name : `${name} ${paths.join(", ")}`;
  return `${what}: ${decision.reason} (${decision.source}: ${decision.rule}).`;
}

function allowedBy({ config }: Host, { decision }: Explanation): Pick<HookAnswer, "allowedBy"> {
  const { type, suggested_rule: rule } = decision;
  return type === "ask" && rule !== undefined ? { allowedBy: grantCommand(config, rule) } : {};
}

/** Limits by client hold for the client's own tools as well. */
function contextOf({ mcpName }: GuardRow): RequestContext {
  return new RequestContext({
    id: "guard",
    revision: scriptRevision,
    client: { ...SCRIPT, name: mcpName },
    signal: new StopSource(),
    onProgress: undefined,
    peer: new Peer(new Writer({ write: () => undefined, flush: () => undefined })),
  });
}
