/**
 * What a call that starts a program could cost, and whether it may. A declared command has the risk of its declaration; a
 * command line is read, and every path in it goes through the scope. What cannot be read is never run unasked, whatever
 * the mode.
 */
import { resolve } from "node:path";
import type { RunRequest } from "../../contract/index.ts";
import type { NamedPath, TouchedVerdict } from "../../jobs/index.ts";
import {
  EFFECTS,
  isPath,
  looksForSecrets,
  type Decision,
  type Question,
  type Risk,
  type Target,
} from "../../policy/index.ts";
import { placeTarget } from "../../session/index.ts";
import type { ShellAssessment, ShellReader } from "../../shell/index.ts";
import { shellLine } from "../../text/index.ts";
import type { ReadCall, Assessed } from "../call.ts";
import { readJob } from "../jobs.ts";
import { narrowedFor } from "../skill-programs.ts";
import type { Services } from "../services.ts";
import { gitUse } from "../../start/index.ts";
import { createGit } from "../git-power.ts";
import { askedRun } from "./asked-call.ts";
import { whyAskedGit } from "./assess-git.ts";
import { decideCall } from "./assess.ts";
import { absoluteOf, hasDeniedBelow, listsClosed, mayReadClosed, type RunBy } from "./look-below.ts";

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
      : await decideLine(host, { command: lineOf(request), cwd: placeOf(host, request, assessed) }, as, question, {
          ...assessed,
          call,
        });
  if (assessed.skill && decision.type === "ask") return withoutProposal({ ...assessed, decision });
  // On record before it happens, unless it only reads.
  const changes = decision.risk !== "R0" && decision.risk !== "R1";
  return { ...assessed, decision, changes, asked, targets: access };
}

/** What a person approves is run by itself later, when no skill holds it any more. */
export function withoutProposal(assessed: Assessed): Assessed {
  const { skill, decision } = assessed;
  return skill && decision.type === "ask" ? { ...assessed, decision: notProposed(decision) } : assessed;
}

function notProposed({ reason, risk }: Decision): Decision {
  const why = `a skill proposes no programs, and a person would be asked: ${reason}`;
  return { type: "deny", reason: why, source: "override", rule: "skill", risk };
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

/** Where it would be started, as the launcher sees it. */
function placeOf(host: Services, { cwd }: RunRequest, { skill }: Assessed): string | undefined {
  return cwd ?? narrowedFor(host, skill).within?.[0];
}

/**
 * The line that rules are matched against: for a command its name and the given values, in the order of their names; a
 * program without a shell is read and decided as the line that says just this.
 */
export function lineOf(request: RunRequest): string {
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
  const read = (gitIsHardened: boolean): ShellAssessment =>
    reader.assess(command, { cwd: at, roots, home: HOME_OF_NOBODY, guarded, gitIsHardened });
  const { said, aboutGit } = await readWithGit(host, read, at, by);
  const why = said.reasons.slice(0, 3).join("; ");
  const made = (type: Decision["type"], reason: string, risk: Risk): Decision => ({
    type,
    reason,
    source: "shell",
    rule: said.verdict,
    risk,
  });
  if (said.verdict === "deny") return made("deny", why, "R5");
  const touched = await refusedPaths(host, said, at, by);
  const first = touched.find(({ isUnsure }) => isUnsure !== true);
  if (first) return { ...made("deny", first.refused, "R5"), source: "scope", rule: first.code };
  const isBelow =
    hasDeniedBelow(host, said, by.facts) ||
    (said.verdict === "allow" && (await mayReadClosed(host, said, at, by))) ||
    (await listsClosed(host, said, at, by));
  const looks = host.config.secrets.search_terms !== "allow" && said.searches.some(looksForSecrets);
  const asks = said.verdict === "ask" || isBelow || looks || aboutGit !== undefined;
  const risk = asks ? atLeast(said.risk, looks ? "R4" : "R3") : said.risk;
  const because = said.verdict === "ask" ? why : looks ? LOOKS : (aboutGit ?? MAY_READ);
  const line = { kind: "command" as const, line: command, runs: said.runs };
  const decision = decideRun(host, { ...question, targets: [line], risk, because }, as);
  if (decision.type !== "allow") return decision;
  // No rule and no mode lets run unasked what nobody can read.
  if (said.opaque) return made("ask", because, "R4");
  const [unsure] = touched;
  if (unsure) return made("ask", unsure.refused, "R4");
  const isRuled = decision.source !== "mode";
  if (isRuled && (await mayReadClosed(host, said, at, by))) return made("ask", MAY_READ, "R4");
  if (host.config.fence === "off" && leaves(said))
    return made("ask", "it reaches outside the roots, and no fence holds it", "R4");
  return by.mode === "plan" ? made("ask", "this host only proposes", risk) : decision;
}

/** As it is said of the tools that search. */
const LOOKS = "the search looks for secrets";
const MAY_READ = "it may read or name what is denied";

/** What a program that is not known does with a path is not known either. */
function leaves({ paths }: ShellAssessment): boolean {
  return paths.some(({ inside, intent }) => !inside && intent !== "any");
}

/** git is read as harmless where it is offered and its reading was looked at; anywhere else as what may run anything. */
async function readWithGit(
  host: Services,
  read: (gitIsHardened: boolean) => ShellAssessment,
  at: string,
  by: RunBy,
): Promise<{ readonly said: ShellAssessment; readonly aboutGit?: string | undefined }> {
  const plain = read(false);
  if (plain.verdict !== "ask" || "off" in gitUse(host.config)) return { said: plain };
  const hardened = read(true);
  if (hardened.verdict !== "allow" || hardened.git.length === 0) return { said: plain };
  const { signal } = by.call;
  const stop = new AbortController();
  if (signal.aborted) stop.abort();
  else signal.addEventListener("abort", () => stop.abort());
  const git = createGit({ host, tool: READER, under: by, signal: stop.signal });
  return { said: hardened, aboutGit: await whyAskedGit(hardened.git, at, git) };
}

/** In whose name git is asked what a line would read. */
const READER = { name: "shell", effect: "read" } as const;

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
    .filter(({ inside }) => inside)
    .map(({ path, intent, recursive, glob }) => ({
      path: absoluteOf(path, cwd),
      writes: intent === "write" || intent === "remove",
      isPattern: glob,
      changes: intent === "remove" ? "tree" : intent === "write" && recursive ? "place" : undefined,
    }));
  // A program looks around where it is started, whatever its line names.
  const isRoot = host.config.roots.some(({ path }) => path === cwd);
  const refused = await checkPaths(host, isRoot ? touched : [{ path: cwd, writes: false }, ...touched], by);
  // A place outside the roots is said where the line would be started.
  return refused.filter(({ path, code }) => path !== cwd || code === "denied");
}

async function checkPaths(
  host: Services,
  touched: readonly NamedPath[],
  by: RunBy,
): Promise<readonly TouchedVerdict[]> {
  if (touched.length === 0) return [];
  return await readJob(host, "touched", touched, { under: by, signal: by.call.signal });
}

function atLeast(risk: Risk, least: Risk): Risk {
  return risk < least ? least : risk;
}
