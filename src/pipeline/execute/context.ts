/**
 * The powers of a tool that runs in this thread. Every function that reads is a job of the workers, so that a
 * consumer's own tool reads through the same scope and never here.
 */
import { Failure, type StopSignal } from "../../base/index.ts";
import { cleanEnvironment, secretFromEnvironment } from "../../config/index.ts";
import {
  filesPower,
  memoryPower,
  searchPower,
  type CallContext,
  type CommandsApi,
  type HideSecrets,
  type OwnCall,
  type OwnPower,
  type Powers,
  type Tool,
} from "../../contract/index.ts";
import type { ReadJobs } from "../../jobs/index.ts";
import type { MemorySettings } from "../../memory/index.ts";
import { EFFECTS, redactPart, type Redactor } from "../../policy/index.ts";
import {
  findOpeners,
  showOnDesktop,
  type AskOptions,
  type LauncherCalls,
  type ReadyWhen,
  type RunRequest,
} from "../../proc/index.ts";
import type { Call, CallPolicy } from "../call.ts";
import { readJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { calmProgress } from "./calm-progress.ts";
import { timeoutOf } from "./deadline.ts";
import { runKeeping } from "./keep-files.ts";
import { createGit } from "../git-power.ts";
import { createHttp } from "./outside/http-power.ts";
import { launcherOf } from "../launcher-of.ts";
import { narrowedFor } from "../skill-programs.ts";
import { createMemory } from "./memory-power.ts";
import { createPower } from "./powers.ts";
import { createProgram } from "./outside/program-power.ts";
import { createSessions } from "./sessions.ts";

/** One use of a tool: what its powers are made of. */
interface Use {
  readonly host: Services;
  readonly tool: Tool;
  readonly call: Call;
  readonly under: CallPolicy;
  /** Aborted when the caller leaves and when the use is over. */
  readonly signal: AbortSignal;
  /** What holds for a call that no person has approved. */
  readonly unasked?: Unasked | undefined;
}

/** The context of a tool: the powers that it needs, or else those of its effect, and nothing else. */
export function createContext(use: Use): CallContext {
  const { host, tool, call } = use;
  const context: CallContext & Record<string, unknown> = {
    facts: { ...host.facts, containment: host.config.containment === "portable" ? "portable" : "handle" },
    cancel: { state: () => (call.signal.aborted ? "cancelled" : "none") },
    progress: (done, total, what) => call.onProgress?.(done, total, what),
  };
  for (const need of tool.needs ?? EFFECTS[tool.effect].powers) {
    const name = typeof need === "string" ? need : need.name;
    context[name] = powerOf(name, use);
  }
  return context;
}

function powerOf(name: string, use: Use): unknown {
  if (Object.hasOwn(POWERS, name)) return POWERS[name as keyof Powers](use);
  const { host, tool, signal } = use;
  const power = host.packs.powersOf(tool).find((one) => one.name === name);
  if (power) return createPower({ host, power, settings: host.packs.settingsOf(tool), signal });
  throw new Failure("unsupported", `Cannot call "${use.tool.name}": this host has no power "${name}"`, {
    hint: "The pack of the tool has to declare it.",
  });
}

const POWERS: { readonly [Name in keyof Powers]: (use: Use) => Powers[Name] } = {
  files: (use) => jobsOf(use, filesPower),
  search: (use) => jobsOf(use, searchPower),
  desktop: (use) => ({ open: showOn(use, "open"), reveal: showOn(use, "reveal") }),
  commands: createCommands,
  git: createGit,
  filters: createFilters,
  http: createHttp,
  program: createProgram,
  remote: ({ host, tool, call, signal }) => ({
    signal,
    timeoutMs: timeoutOf(host, tool),
    caller: call.context,
    onProgress: calmProgress(call.onProgress, tool.name, host.clock),
  }),
  reviews: ({ host, call }) => ({ wait: async (ask) => await host.awaitReviews(call, ask) }),
  roots: ({ host }) => host.config.roots.map(({ path }) => path),
  resolvePath:
    ({ host, call, under }) =>
    async (path) =>
      await readJob(host, "resolve", { path, mayBeNew: true }, { under, signal: call.signal }),
  secret:
    ({ tool, under }) =>
    (name) =>
      readSecret(tool, name, under.skill),
  signal: ({ signal }) => signal,
  hideSecrets: ({ host }) => createHideSecrets(host.redactor),
  sessions: ({ host }) => createSessions(host),
  memory: (use) =>
    createMemory({
      host: use.host,
      under: use.under,
      settings: memorySettingsOf(use),
      jobs: jobsOf(use, memoryPower),
      // What is made behind an answer goes on after the call.
      http: () => createHttp({ ...use, signal: new AbortController().signal }),
    }),
};

/** The schema of the pack has checked it. */
function memorySettingsOf({ host, tool }: Use): MemorySettings {
  return host.packs.settingsOf(tool) as MemorySettings;
}

/** A power whose functions are jobs of the reading workers. */
function jobsOf<Api>({ host, tool, call, under }: Use, { name: power, calls }: OwnPower<string, Api>): Api {
  const { signal, onProgress } = call;
  const jobs = Object.entries<OwnCall>(calls).map(([name, { long = false }]) => {
    const job = `context:${power}.${name}` as keyof ReadJobs & `context:${string}`;
    const how = { under, timeoutMs: timeoutOf(host, tool), long, signal, onProgress };
    return [name, async (options: never) => await readJob(host, job, options, how)];
  });
  return Object.fromEntries(jobs) as Api;
}

function showOn({ host, call, under }: Use, action: "open" | "reveal"): (path: string) => Promise<void> {
  return async (path) => {
    const real = await resolvePath(host, path, call.signal, under);
    if (host.launch) await host.launch(action, { path: real });
    else showHere(host, action, real);
  };
}

/** Without a fence there may be no launcher in between. */
function showHere({ config }: Services, action: "open" | "reveal", path: string): void {
  const writable = [...config.roots.map(({ path: root }) => root), config.stateDir];
  showOnDesktop(action, path, findOpeners(cleanEnvironment(), writable));
}

/** What bounds the programs of a call that no person has approved. */
export interface Unasked {
  /** What it starts is ended then, with its output so far. */
  readonly budgetMs: number;
  /** A command line of it only reads, by its text. */
  readonly onlyReads: boolean;
}

const APPROVED: Unasked = { budgetMs: Infinity, onlyReads: false };

function createHideSecrets(redact: Redactor | undefined): HideSecrets {
  return (text, around) => {
    if (!redact) return { text, count: 0 };
    if (!around) return redact(text);
    const shown = redactPart(redact, around.before, text, around.after);
    // A border may go through the only one.
    return { text: shown, count: shown === text ? 0 : Math.max(1, redact(text).count) };
  };
}

function createFilters({ host, signal }: Use): Powers["filters"] {
  return {
    run: async (ask, onProgress) =>
      await launcherOf(host)(
        "filter",
        { ...ask, ...host.narrowed },
        { signal, onProgress: onProgress && ((_bytes, line, step) => step && onProgress(line, step)) },
      ),
  };
}

function createCommands({ host, call, tool, under, unasked = APPROVED }: Use): CommandsApi {
  const { budgetMs, onlyReads } = unasked;
  const launch = async <A extends keyof LauncherCalls>(action: A, ask: LauncherCalls[A]["ask"], how?: AskOptions) =>
    await launcherOf(host)(action, ask, how);
  const onProgress = progressOf(host, call);
  const atMost = (ms: number | undefined): number | undefined =>
    Number.isFinite(budgetMs) ? Math.min(ms ?? Infinity, budgetMs) : ms;
  const narrowed = narrowedFor(host, tool.starts ? under.skill : undefined);
  const held = <R extends RunRequest>(request: R): R =>
    request.kind !== "command" && onlyReads ? { ...request, fixed: true } : request;
  const mayStart = (): void => {
    if (!tool.starts)
      throw new Failure("denied", `Cannot start a program for "${tool.name}": the tool does not say what it starts`, {
        hint: "The rules decide about what `starts` of the tool returns.",
      });
  };
  return {
    describe: async (request) => await launch("describe", { ...request, ...narrowed }),
    run: async (request) => {
      mayStart();
      return await runKeeping(host, tool.name, request, under, async () => {
        const bounded = { ...held(request), timeout_ms: atMost(request.timeout_ms), ...narrowed };
        return await launch("run", bounded, { signal: call.signal, onProgress });
      });
    },
    start: async (ask) => {
      mayStart();
      return await launch("start", { ...held(ask), ...readyWithin(ask.ready_when, atMost), ...narrowed });
    },
    output: async (ask) => await launch("output", { ...ask, wait_ms: ask.wait_ms && atMost(ask.wait_ms) }),
    list: async (ask) => await launch("list", ask),
    stop: async (ask) => await launch("stop", { ...ask, grace_ms: ask.grace_ms && atMost(ask.grace_ms) }),
  };
}

function readyWithin(
  ready: ReadyWhen | undefined,
  atMost: (ms: number | undefined) => number | undefined,
): { readonly ready_when?: ReadyWhen } {
  if (!ready) return {};
  return { ready_when: { ...ready, timeout_ms: atMost(ready.timeout_ms) } };
}

const MAX_PROGRESS_CHARS = 200;

/** Bytes, and the last line with its secrets replaced: what a person sees while it runs. */
function progressOf({ redactor }: Services, { onProgress }: Call): ((bytes: number, line: string) => void) | undefined {
  if (!onProgress) return undefined;
  return (bytes, line) => {
    const whole = redactor ? redactor(line).text : line;
    const shown = whole.length <= MAX_PROGRESS_CHARS ? whole : `${whole.slice(0, MAX_PROGRESS_CHARS)}...`;
    onProgress(bytes, undefined, shown === "" ? "bytes of output" : `bytes of output: ${shown}`);
  };
}

/** The canonical absolute path of an existing object inside the roots. @throws Failure */
export async function resolvePath(
  host: Services,
  path: string,
  signal: StopSignal,
  under?: CallPolicy,
): Promise<string> {
  return await readJob(host, "resolve", { path }, { under, signal });
}

/** @throws Failure `denied` for a name that the tool did not declare */
function readSecret(tool: { readonly secrets?: readonly string[] }, name: string, skill: CallPolicy["skill"]): string {
  if (skill && !skill.secrets.includes(name))
    throw new Failure("denied", `Cannot read the secret "${name}": the permissions of the skill do not name it`);
  const value = tool.secrets?.includes(name) ? secretFromEnvironment(name) : undefined;
  if (value === undefined) throw new Failure("denied", `Cannot read the secret "${name}": the tool did not declare it`);
  return value;
}
