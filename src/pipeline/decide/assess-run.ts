/**
 * What a call that starts a program could cost, and whether it may. A declared command has the risk of its declaration; a
 * command line is read, and every path in it goes through the scope. What cannot be read is never run unasked, whatever
 * the mode.
 */
import { resolve } from "node:path";
import { Failure } from "../../base/index.ts";
import type { RunRequest } from "../../contract/index.ts";
import type { LookBelow, NamedPath, TouchedVerdict } from "../../jobs/index.ts";
import {
  EFFECTS,
  isPath,
  type Decision,
  type Question,
  type Risk,
  type Target,
  type ToolFacts,
} from "../../policy/index.ts";
import { placeTarget } from "../../session/index.ts";
import type { ShellAssessment, ShellReader } from "../../shell/index.ts";
import { shellLine } from "../../text/index.ts";
import type { ReadCall, Assessed } from "../call.ts";
import { readJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { askedRun } from "./asked-call.ts";
import { decideCall } from "./assess.ts";

type RunBy = Assessed & Pick<ReadCall, "call">;

/** @param assessed by what is known of the tool alone; handed back for a tool that starts nothing */
export async function assessRun(
  host: Services,
  { tool, input, call }: ReadCall,
  assessed: Assessed,
): Promise<Assessed> {
  if (assessed.decision.type === "deny" || !EFFECTS[tool.effect].startsPrograms) return assessed;
  const started = tool.starts?.(input as never);
  const { facts, mode } = assessed;
  const access = assessed.targets === "all" ? [] : assessed.targets;
  const targets = access.map((one) => placeTarget(one, host.policy.place));
  const asked = started && askedRun(host, assessed.asked, started.request, lineOf(started.request));
  const question: Question = { tool: facts, targets, removes: false, mode, asked };
  // To look at what runs already, or to end it, costs nothing more.
  if (!started) return { ...assessed, decision: decideCall(host, { ...question, risk: "R1" }) };
  const { request, risk, as } = started;
  const decision =
    request.kind === "command"
      ? ((await refuseClosed(host, access, { ...assessed, call })) ??
        decideCommand(host, request, as, { ...question, risk, because: "it runs a program" }))
      : await decideLine(host, { command: lineOf(request), cwd: request.cwd }, as, question, { ...assessed, call });
  // On record before it happens, unless it only reads.
  const changes = decision.risk !== "R0" && decision.risk !== "R1";
  return { ...assessed, decision, changes, asked, targets: access };
}

/**
 * A secret file is handed to no program, like to no tool. What is not there, or outside the roots, is said where the
 * program would be started.
 */
async function refuseClosed(host: Services, access: readonly Target[], by: RunBy): Promise<Decision | undefined> {
  const touched = access.filter(isPath<Target>).map(({ path, mode }) => ({ path, writes: mode === "write" }));
  const denied = (await checkPaths(host, touched, by)).find(({ code }) => code === "denied");
  return denied && { type: "deny", reason: denied.refused, source: "scope", rule: denied.code, risk: "R5" };
}

/** Decided as a line like `deploy stage=live`, so that a rule can mean this command with these values. */
function decideCommand(
  host: Services,
  request: Extract<RunRequest, { kind: "command" }>,
  as: string,
  question: Question,
): Decision {
  const line = { kind: "command" as const, line: lineOf(request) };
  return decideRun(host, { ...question, targets: [...question.targets, line] }, as);
}

/**
 * Under the names of both tools that could start it: what rules say about one of them holds for the other. What is
 * suggested is the call that was made, by the tool that was called.
 */
function decideRun(host: Services, question: Question, name: string): Decision {
  const decision = decideCall(host, question);
  if (name === question.tool.name || decision.type === "deny") return decision;
  const other = decideCall(host, { ...question, tool: { ...question.tool, name } });
  if (other.type !== "ask") return other.type === "allow" && isByRule(decision, "ask") ? decision : other;
  if (decision.type === "allow" && !isByRule(other, "ask")) return decision;
  if (decision.type === "allow" || isByRule(decision, "ask")) return decision.type === "ask" ? decision : other;
  const { suggested_rule: own, ...rest } = decision;
  const suggested = own === undefined ? undefined : other.suggested_rule;
  return suggested === undefined ? rest : { ...rest, suggested_rule: suggested };
}

function isByRule({ type, source }: Decision, wanted: Decision["type"]): boolean {
  return type === wanted && source !== "mode";
}

/**
 * The line that rules are matched against: for a command its name and the given values, in the order of their names; a
 * program without a shell is read and decided as the line that says just this.
 */
function lineOf(request: RunRequest): string {
  if (request.kind === "shell") return request.command;
  if (request.kind === "program") return shellLine([request.program, ...request.args]);
  const { name, input, stdin } = request;
  const given: Readonly<Record<string, unknown>> = { ...input, ...(stdin === undefined ? {} : { stdin }) };
  const values = Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [name, ...values.map(([key, value]) => `${key}=${textOf(value)}`)].join(" ");
}

function textOf(value: unknown): string {
  return typeof value === "string" && /^[\w@%+:,./-]+$/.test(value) ? value : JSON.stringify(value);
}

async function decideLine(
  host: Services,
  { command, cwd }: { readonly command: string; readonly cwd?: string | undefined },
  as: string,
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
  if (first) return { ...made("deny", first.refused, "R5"), source: "scope", rule: first.code };
  const isBelow =
    hasDeniedBelow(host, said, by.facts) ||
    (await mayReadClosed(host, said, at, by)) ||
    (await listsClosed(host, said, at, by));
  const asks = said.verdict === "ask" || isBelow;
  const risk = asks ? atLeast(said.risk, "R3") : said.risk;
  const because = said.verdict === "ask" ? why : "it may read or name what is denied";
  const line = { kind: "command" as const, line: command };
  const decision = decideRun(host, { ...question, targets: [line], risk, because }, as);
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
  reader ??= import("../../shell/index.ts").then(async ({ openShellReader }) => await openShellReader());
  return await reader;
}

async function refusedPaths(
  host: Services,
  { paths }: ShellAssessment,
  cwd: string,
  by: RunBy,
): Promise<readonly TouchedVerdict[]> {
  const touched: NamedPath[] = paths
    .filter(({ inside, path }) => inside && !/[*?[]/.test(path))
    .map(({ path, intent }) => ({
      path: absoluteOf(path, cwd),
      writes: intent === "write" || intent === "remove",
    }));
  return await checkPaths(host, touched, by);
}

/** As the kernel goes it, link by link: `link/..` is not where the link stands. */
function absoluteOf(path: string, cwd: string): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

async function checkPaths(
  host: Services,
  touched: readonly NamedPath[],
  by: RunBy,
): Promise<readonly TouchedVerdict[]> {
  if (touched.length === 0) return [];
  return await readJob(host, "touched", touched, { under: by, signal: by.call.signal });
}

/** A whole tree, or a pattern, may hold what a rule denies; the text does not tell. */
function hasDeniedBelow({ config, policy }: Services, { paths }: ShellAssessment, tool: ToolFacts): boolean {
  const denies = policy.rules.some((rule) => rule.verdict === "deny" && rule.pattern && rule.coversTool(tool));
  return (config.deny.length > 0 || denies) && paths.some(({ recursive, path }) => recursive || /[*?[]/.test(path));
}

/**
 * What reads a whole tree, or a pattern, reads the secrets in it too: the fence of a command is around roots, not around
 * files. So the tree is looked through first, and what cannot be looked through in a moment is asked about.
 */
async function mayReadClosed(
  host: Services,
  { paths, verdict }: ShellAssessment,
  cwd: string,
  by: RunBy,
): Promise<boolean> {
  if (verdict !== "allow") return false;
  const tops = paths
    .filter(
      ({ inside, intent, recursive, path }) => inside && intent !== "metadata" && (recursive || /[*?[]/.test(path)),
    )
    .map(({ path }) => resolve(cwd, beforePattern(path) || "."));
  for (const path of new Set(tops)) {
    const options = { pattern: NO_FILE, path, no_ignore: true, hidden: true, sort: "name" as const };
    try {
      const how = { under: by, timeoutMs: LOOK_MS, signal: by.call.signal };
      const { totals, stopped_by } = await readJob(host, "context:search.glob", options, how);
      if (totals.denied > 0 || totals.unreadable > 0 || stopped_by !== undefined) return true;
    } catch (thrown) {
      // Of one file there is nothing below, and it was looked at by its own path.
      if (!(thrown instanceof Failure)) throw thrown;
      if (thrown.code !== "invalid_input" && thrown.code !== "not_found") return true;
    }
  }
  return false;
}

/** The directories that a pattern names plainly. */
function beforePattern(path: string): string {
  const sign = path.search(/[*?[]/);
  return sign < 0 ? path : path.slice(0, path.lastIndexOf("/", sign) + 1);
}

/** Every directory is entered for it, and nothing is found. */
const NO_FILE = "**/\u0001";
const LOOK_MS = 1000;

/** What no tool may see is named by no line either, unless a person was asked. */
async function listsClosed(
  host: Services,
  { listings, verdict }: ShellAssessment,
  cwd: string,
  by: RunBy,
): Promise<boolean> {
  if (verdict !== "allow" || listings.length === 0) return false;
  const look: LookBelow = { listings: listings.map((one) => ({ ...one, path: absoluteOf(one.path, cwd) })) };
  try {
    const how = { under: by, timeoutMs: LOOK_MS, signal: by.call.signal };
    return (await readJob(host, "below", look, how)).holdsClosed;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return true;
  }
}

function atLeast(risk: Risk, least: Risk): Risk {
  return risk < least ? least : risk;
}
