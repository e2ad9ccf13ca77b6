/**
 * What a tool has of git: the launcher runs it, and the workers say which paths of its output are closed to the tool. Only a
 * tool whose effect is a change may ask for a verb that writes.
 */
import { Failure, type StopSignal } from "../base/index.ts";
import type { GitApi, Tool } from "../contract/index.ts";
import { EFFECTS } from "../policy/index.ts";
import { showName } from "../scope/index.ts";
import type { CallPolicy } from "./call.ts";
import { readJob } from "./jobs.ts";
import type { Services } from "./services.ts";
import { launcherOf } from "./launcher-of.ts";

interface GitUser {
  readonly host: Services;
  readonly tool: Pick<Tool, "name" | "effect">;
  readonly under: CallPolicy;
  /** Aborted when the caller leaves and when the use is over. */
  readonly signal: AbortSignal;
}

export function createGit({ host, tool, under, signal }: GitUser): GitApi {
  const { narrowed } = host;
  return {
    find: async (path) => await launcherOf(host)("git_find", { path, ...narrowed }),
    async run(ask) {
      if (ask.writes === true && EFFECTS[tool.effect].onlyReads)
        throw new Failure("denied", `Cannot change a repository for "${tool.name}": the tool only reads`);
      return await launcherOf(host)("git", { ...ask, path: showName(ask.path), ...narrowed }, { signal });
    },
    closed: async (paths, writes = false) => await closedOf(host, paths, { writes, under, signal }),
    show: (path) => shownIn(host, path),
  };
}

async function closedOf(
  host: Services,
  paths: readonly string[],
  { writes, under, signal }: { readonly writes: boolean; readonly under: CallPolicy; readonly signal: StopSignal },
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const byName = new Map(paths.map((path) => [showName(path), path]));
  const touched = [...byName.keys()].map((path) => ({ path, writes }));
  const refused = await readJob(host, "touched", touched, { under, signal });
  return new Set(refused.flatMap(({ path }) => byName.get(path) ?? []));
}

function shownIn({ config }: Services, path: string): string {
  const first = config.roots[0]?.path ?? "/";
  if (path === first) return ".";
  return showName(path.startsWith(`${first}/`) ? path.slice(first.length + 1) : path);
}
