/**
 * The tools' context on this side of the workers: every function is a job, so that a consumer's own tool reads through
 * the same scope and never on this thread.
 */
import { Failure, limits, type StopSignal } from "../../base/index.ts";
import { cleanEnvironment, secretFromEnvironment } from "../../config/index.ts";
import type {
  CommandsApi,
  FilesApi,
  ReadContext,
  RunContext,
  SearchApi,
  ShowContext,
  Tool,
} from "../../contract/index.ts";
import type { ReadJobs } from "../../jobs/index.ts";
import { findOpeners, showOnDesktop, type Launch, type ReadyWhen, type RunRequest } from "../../proc/index.ts";
import type { Call, CallPolicy } from "../call.ts";
import { readJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { runKeeping } from "./keep-files.ts";
import { createPowers } from "./powers.ts";

export function createRemoteContext(host: Services, call: Call, tool: Tool, assessed: CallPolicy): ReadContext {
  const timeoutMs = host.policy.budget.timeoutMs(tool.timeoutMs ?? limits.DEFAULT_CALL_MS);
  const bind =
    <Name extends keyof ReadJobs & `context:${string}`>(name: Name, long: boolean | "bulk" = false) =>
    async (options: ReadJobs[Name][0]): Promise<ReadJobs[Name][1]> =>
      await readJob(host, name, options, { under: assessed, timeoutMs, long, signal: call.signal });
  const files: FilesApi = {
    read: bind("context:files.read"),
    readMany: bind("context:files.readMany"),
    stat: bind("context:files.stat"),
    hash: bind("context:files.hash", "bulk"),
    diff: bind("context:files.diff"),
  };
  const search: SearchApi = {
    list: bind("context:search.list"),
    tree: bind("context:search.tree", true),
    usage: bind("context:search.usage", true),
    glob: bind("context:search.glob", true),
    grep: bind("context:search.grep", true),
  };
  return {
    files,
    search,
    facts: { ...host.facts, containment: host.config.containment === "portable" ? "portable" : "handle" },
    cancel: { state: () => (call.signal.aborted ? "cancelled" : "none") },
    progress: (done, total, what) => call.onProgress?.(done, total, what),
    secret: (name) => readSecret(tool, name),
    ...createPowers(host, call, tool),
  };
}

export function createShowContext(host: Services, call: Call, tool: Tool, assessed: CallPolicy): ShowContext {
  const show = (action: "open" | "reveal") => async (path: string) => {
    const real = await resolvePath(host, path, call.signal, assessed);
    if (host.launch) await host.launch(action, { path: real });
    else showHere(host, action, real);
  };
  return {
    ...createRemoteContext(host, call, tool, assessed),
    desktop: { open: show("open"), reveal: show("reveal") },
  };
}

/** Without a fence there may be no launcher in between. */
function showHere({ config }: Services, action: "open" | "reveal", path: string): void {
  const writable = [...config.roots.map(({ path: root }) => root), config.stateDir];
  showOnDesktop(action, path, findOpeners(cleanEnvironment(), writable));
}

/** The failure for a call that a person has not approved. */
export interface Unasked {
  /** What it starts is ended then, with its output so far. */
  readonly budgetMs: number;
  /** A command line of it only reads, by its text. */
  readonly onlyReads: boolean;
}

const APPROVED: Unasked = { budgetMs: Infinity, onlyReads: false };

export function createRunContext(
  host: Services,
  call: Call,
  tool: Tool,
  under: CallPolicy,
  { budgetMs, onlyReads }: Unasked = APPROVED,
): RunContext {
  const launch = launcherOf(host);
  const onProgress = progressOf(host, call);
  const atMost = (ms: number | undefined): number | undefined =>
    Number.isFinite(budgetMs) ? Math.min(ms ?? Infinity, budgetMs) : ms;
  const { narrowed } = host;
  const held = <R extends RunRequest>(request: R): R =>
    request.kind === "shell" && onlyReads ? { ...request, fixed: true } : request;
  const commands: CommandsApi = {
    describe: async (request) => await launch("describe", { ...request, ...narrowed }),
    run: async (request) =>
      await runKeeping(host, tool.name, request, under, async () => {
        const bounded = { ...held(request), timeout_ms: atMost(request.timeout_ms), ...narrowed };
        return await launch("run", bounded, { signal: call.signal, onProgress });
      }),
    start: async (ask) => await launch("start", { ...held(ask), ...readyWithin(ask.ready_when, atMost), ...narrowed }),
    output: async (ask) => await launch("output", { ...ask, wait_ms: ask.wait_ms && atMost(ask.wait_ms) }),
    list: async (ask) => await launch("list", ask),
    stop: async (ask) => await launch("stop", { ...ask, grace_ms: ask.grace_ms && atMost(ask.grace_ms) }),
  };
  return { ...createRemoteContext(host, call, tool, under), commands };
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

/** @throws Failure `unsupported` */
export function launcherOf({ launch }: Services): Launch {
  if (launch) return launch;
  throw new Failure("unsupported", "Cannot start anything: this host was started without a launcher");
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
export function readSecret(tool: { readonly secrets?: readonly string[] }, name: string): string {
  const value = tool.secrets?.includes(name) ? secretFromEnvironment(name) : undefined;
  if (value === undefined) throw new Failure("denied", `Cannot read the secret "${name}": the tool did not declare it`);
  return value;
}
