/**
 * What a call that starts a program could cost, and whether it may. A declared command has the risk of its declaration; a
 * command line is read, and every path in it goes through the scope. What cannot be read is never run unasked, whatever
 * the mode.
 */
import { resolve } from "node:path";
import { limits } from "../base/index.ts";
import type { RunTool } from "../contract/index.ts";
import type { TouchedPath, TouchedVerdict } from "../jobs/index.ts";
import { decide, narrowMode, type Decision, type Mode, type Risk } from "../policy/index.ts";
import type { ShellAssessment, ShellReader } from "../shell/index.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import type { Host } from "./host.ts";

interface RunCall {
  readonly tool: RunTool;
  readonly input: unknown;
  readonly call: Call;
}

export async function assessRun(
  host: Host,
  { tool, input, call }: RunCall,
  assessed: Assessed,
): Promise<Assessed> {
  const started = tool.starts?.(input as never);
  const mode = narrowMode(host.config.mode, call.meta["dev.ringfence/mode"]);
  // To look at what runs already, or to end it, costs nothing more.
  if (!started) return { ...assessed, decision: decide("R1", mode), changes: false };
  const { request, risk } = started;
  const decision =
    request.kind === "command"
      ? decideRisk(risk, mode, "it runs a program")
      : await decideLine(host, request.command, request.cwd, mode, call);
  // On record before it happens, unless it only reads.
  const changes = decision.risk !== "R0" && decision.risk !== "R1";
  return { decision, changes, paths: tool.access(input as never).map(({ path }) => path) };
}

function decideRisk(risk: Risk, mode: Mode, why: string): Decision {
  const decision = decide(risk, mode);
  return decision.type === "ask" ? { ...decision, reason: why } : decision;
}

async function decideLine(
  host: Host,
  command: string,
  cwd: string | undefined,
  mode: Mode,
  call: Call,
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
  const refused = await refusedPaths(host, said, at, call);
  const [first] = refused;
  if (first) return made("deny", first.refused, "R5");
  if (said.verdict === "ask" || hasDeniedBelow(host, said)) {
    const risk = atLeast(said.risk, "R3");
    const reason = said.verdict === "ask" ? why : "it may read what is denied";
    return said.opaque ? made("ask", reason, "R4") : decideRisk(risk, mode, reason);
  }
  return mode === "plan" ? made("ask", "this host only proposes", said.risk) : decide(said.risk, mode);
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
  call: Call,
): Promise<readonly TouchedVerdict[]> {
  const touched: TouchedPath[] = paths
    .filter(({ inside, path }) => inside && !/[*?[]/.test(path))
    .map(({ path, intent }) => ({
      path: path.startsWith("/") ? path : `${cwd}/${path}`,
      writes: intent === "write" || intent === "remove",
    }));
  if (touched.length === 0) return [];
  const job = { name: "touched", input: JSON.stringify(touched), timeoutMs: limits.DEFAULT_CALL_MS };
  const { payload } = await host.readPool.run({ ...job, signal: call.signal });
  return JSON.parse(payload) as TouchedVerdict[];
}

/** A whole tree, or a pattern, may hold what a rule denies; the text does not tell. */
function hasDeniedBelow({ config }: Host, { paths }: ShellAssessment): boolean {
  return config.deny.length > 0 && paths.some(({ recursive, path }) => recursive || /[*?[]/.test(path));
}

function atLeast(risk: Risk, least: Risk): Risk {
  return risk < least ? least : risk;
}
