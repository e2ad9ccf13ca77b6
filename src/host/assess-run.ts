/**
 * What a call that starts a program could cost, and whether it may. A declared command has the risk of its declaration; a
 * command line is read, and every path in it goes through the scope. What cannot be read is never run unasked, whatever
 * the mode.
 */
import { resolve } from "node:path";
import { limits } from "../base/index.ts";
import type { AnyTool, RunTool } from "../contract/index.ts";
import type { TouchedPath, TouchedVerdict } from "../jobs/index.ts";
import type { Decision, Question, Risk, ToolFacts } from "../policy/index.ts";
import type { ShellAssessment, ShellReader } from "../shell/index.ts";
import { decideCall, type Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import type { Host } from "./host.ts";
import { ruledJob } from "./ruled-job.ts";

interface RunCall {
  readonly tool: RunTool;
  readonly input: unknown;
  readonly call: Call;
}

type RunBy = Assessed & Pick<RunCall, "call">;

export function isRunTool(tool: AnyTool): tool is RunTool {
  return !("kind" in tool) && tool.effect === "run";
}

/** @param assessed by what is known of the tool alone */
export async function assessRun(
  host: Host,
  { tool, input, call }: RunCall,
  assessed: Assessed,
): Promise<Assessed> {
  if (assessed.decision.type === "deny") return assessed;
  const started = tool.starts?.(input as never);
  const { facts, mode } = assessed;
  const access = tool.access(input as never);
  const targets = access.map((one) => ({ ...one, ...host.policy.place(one.path) }));
  const question: Question = { tool: facts, targets, removes: false, mode };
  // To look at what runs already, or to end it, costs nothing more.
  if (!started) return { ...assessed, decision: decideCall(host, { ...question, risk: "R1" }) };
  const { request, risk } = started;
  const decision =
    request.kind === "command"
      ? decideRun(host, { ...question, risk, because: "it runs a program" }, `cmd_${request.name}`)
      : await decideLine(host, request, question, { ...assessed, call });
  // On record before it happens, unless it only reads.
  const changes = decision.risk !== "R0" && decision.risk !== "R1";
  return { ...assessed, decision, changes, paths: access.map(({ path }) => path) };
}

/** Under the names of both tools that could start it: neither is a way around the rules for the other. */
function decideRun(host: Host, question: Question, name: string): Decision {
  const decision = decideCall(host, question);
  if (name === question.tool.name || decision.type === "deny") return decision;
  const other = decideCall(host, { ...question, tool: { ...question.tool, name } });
  return other.type === "deny" || decision.type === "allow" ? other : decision;
}

async function decideLine(
  host: Host,
  { command, cwd }: { readonly command: string; readonly cwd?: string | undefined },
  question: Question,
  by: RunBy,
): Promise<Decision> {
  const roots = host.config.roots.map(({ path }) => path);
  const at = resolve(roots[0] ?? "/", cwd ?? ".");
  const reader = await shellReader();
  const guarded = [".ringfence", host.config.stateDir];
  const said = reader.assess(command, { cwd: at, roots, home: HOME_OF_NOBODY, guarded });
  const why = said.reasons.slice(0, 3).join("; ");
  const made = (type: Decision["type"], reason: string, risk: Risk): Decision => ({
    type,
    reason,
    source: "shell",
    rule: said.verdict,
    risk,
  });
  if (said.verdict === "deny") return made("deny", why, "R5");
  const [first] = await refusedPaths(host, said, at, by);
  if (first) return made("deny", first.refused, "R5");
  const asks = said.verdict === "ask" || hasDeniedBelow(host, said, by.facts);
  const risk = asks ? atLeast(said.risk, "R3") : said.risk;
  const because = said.verdict === "ask" ? why : "it may read what is denied";
  const line = { path: "", mode: "metadata" as const, command };
  const decision = decideRun(host, { ...question, targets: [line], risk, because }, "shell");
  if (decision.type !== "allow") return decision;
  // No rule and no mode lets run unasked what nobody can read.
  if (said.opaque) return made("ask", because, "R4");
  return by.mode === "plan" ? made("ask", "this host only proposes", risk) : decision;
}

/** `~` is a folder of the command's own, which is no place for anything. */
const HOME_OF_NOBODY = "/nonexistent";

let reader: Promise<ShellReader> | undefined;

/** The grammar is read once, and only by a host that is asked for a command line. */
async function shellReader(): Promise<ShellReader> {
  reader ??= import("../shell/index.ts").then(async ({ openShellReader }) => await openShellReader());
  return await reader;
}

async function refusedPaths(
  host: Host,
  { paths }: ShellAssessment,
  cwd: string,
  by: RunBy,
): Promise<readonly TouchedVerdict[]> {
  const touched: TouchedPath[] = paths
    .filter(({ inside, path }) => inside && !/[*?[]/.test(path))
    .map(({ path, intent }) => ({
      path: path.startsWith("/") ? path : `${cwd}/${path}`,
      writes: intent === "write" || intent === "remove",
    }));
  if (touched.length === 0) return [];
  const job = ruledJob(host, by, "touched", JSON.stringify(touched));
  const { payload } = await host.readPool.run({
    ...job,
    timeoutMs: limits.DEFAULT_CALL_MS,
    signal: by.call.signal,
  });
  return JSON.parse(payload) as TouchedVerdict[];
}

/** A whole tree, or a pattern, may hold what a rule denies; the text does not tell. */
function hasDeniedBelow({ config, policy }: Host, { paths }: ShellAssessment, tool: ToolFacts): boolean {
  const denies = policy.rules.some(
    (rule) => rule.verdict === "deny" && rule.pattern && rule.coversTool(tool),
  );
  return (
    (config.deny.length > 0 || denies) && paths.some(({ recursive, path }) => recursive || /[*?[]/.test(path))
  );
}

function atLeast(risk: Risk, least: Risk): Risk {
  return risk < least ? least : risk;
}
