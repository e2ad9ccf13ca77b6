/**
 * The tools' context on this side of the workers: every function is a job, so that a consumer's own tool reads through
 * the same scope and never on this thread.
 */
import { Failure, limits, type StopSignal } from "../base/index.ts";
import { cleanEnvironment, secretFromEnvironment } from "../config/index.ts";
import type { FilesApi, ReadContext, SearchApi, ShowContext, Tool } from "../contract/index.ts";
import { findOpeners, showOnDesktop, type Launch } from "../proc/index.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import type { Host } from "./host.ts";
import { ruledJob, type Under } from "./ruled-job.ts";

const LONG: ReadonlySet<string> = new Set(["hash", "tree", "usage", "glob", "grep"]);

export function createRemoteContext(host: Host, call: Call, tool: Tool, assessed: Assessed): ReadContext {
  const timeoutMs = host.policy.budget.timeoutMs(tool.timeoutMs ?? limits.DEFAULT_CALL_MS);
  const bind =
    (group: "files" | "search", name: string) =>
    async (options: unknown): Promise<never> => {
      const job = {
        ...ruledJob(host, assessed, `context:${group}.${name}`, JSON.stringify(options)),
        timeoutMs,
        long: LONG.has(name),
        signal: call.signal,
      };
      return JSON.parse((await host.readPool.run(job)).payload) as never;
    };
  const files: FilesApi = {
    read: bind("files", "read"),
    readMany: bind("files", "readMany"),
    stat: bind("files", "stat"),
    hash: bind("files", "hash"),
    diff: bind("files", "diff"),
  };
  const search: SearchApi = {
    list: bind("search", "list"),
    tree: bind("search", "tree"),
    usage: bind("search", "usage"),
    glob: bind("search", "glob"),
    grep: bind("search", "grep"),
  };
  return {
    files,
    search,
    facts: { ...host.facts, containment: host.config.containment === "portable" ? "portable" : "handle" },
    cancel: { state: () => (call.signal.aborted ? "cancelled" : "none") },
    progress: (done, total, what) => call.onProgress?.(done, total, what),
    secret: (name) => readSecret(tool, name),
  };
}

export function createShowContext(host: Host, call: Call, tool: Tool, assessed: Assessed): ShowContext {
  const launch = host.launch ?? launchHere(host);
  const show = (action: "open" | "reveal") => async (path: string) =>
    await launch({ action, path: await resolvePath(host, path, call.signal, assessed) });
  return {
    ...createRemoteContext(host, call, tool, assessed),
    desktop: { open: show("open"), reveal: show("reveal") },
  };
}

/** Without a fence there is no launcher in between. */
function launchHere({ config }: Host): Launch {
  const writable = [...config.roots.map(({ path }) => path), config.stateDir];
  return ({ action, path }) => {
    showOnDesktop(action, path, findOpeners(cleanEnvironment(), writable));
    return Promise.resolve();
  };
}

/** The canonical absolute path of an existing object inside the roots. @throws Failure */
export async function resolvePath(
  host: Host,
  path: string,
  signal: StopSignal,
  under?: Under,
): Promise<string> {
  const input = JSON.stringify({ path });
  const answer = await host.readPool.run({
    ...(under ? ruledJob(host, under, "resolve", input) : { name: "resolve", input }),
    timeoutMs: limits.DEFAULT_CALL_MS,
    signal,
  });
  return JSON.parse(answer.payload) as string;
}

/** @throws Failure `denied` for a name that the tool did not declare */
export function readSecret(tool: { readonly secrets?: readonly string[] }, name: string): string {
  const value = tool.secrets?.includes(name) ? secretFromEnvironment(name) : undefined;
  if (value === undefined)
    throw new Failure("denied", `Cannot read the secret "${name}": the tool did not declare it`);
  return value;
}
