/**
 * Whether a host with this configuration can work, said when it starts and not at the first call. The roots are opened by
 * the host itself; the state folder is only needed later.
 *
 * The state folder may lie in a root, and is hidden there; a root may not lie in the state folder, because a tool that
 * can reach proposals can approve its own.
 */
import { Failure, realPathOf } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { isInside } from "../scope/index.ts";
import { openStateFolder } from "../state/index.ts";
import { writesGit } from "./git-use.ts";

/**
 * @param starts what packs start: the powers that run in processes of their own, and programs
 * @throws Failure `denied` for the state folder, `unsupported` for what is not started on this platform
 */
export function checkStart(config: Config, starts: StartsOfPacks = {}): void {
  const { stateDir, roots } = config;
  // Before anything is made there, and a place that does not exist so far holds no root.
  const state = realPathOf(stateDir);
  const runs = offersPrograms(config);
  if (runs && process.platform !== "linux")
    throw new Failure(
      "unsupported",
      `Cannot offer commands or other MCP servers: they are not yet started on ${process.platform}`,
      { hint: "Leave commands, shell and upstream out of the configuration." },
    );
  const [helper] = namesIn(starts);
  if (helper !== undefined && process.platform !== "linux")
    throw new Failure(
      "unsupported",
      `Cannot offer "${helper}" of a pack: processes of its kind are not yet started on ${process.platform}`,
      { hint: "Leave its pack out of the configuration." },
    );
  const holder = runs ? roots.find(({ path }) => isInside(state, realPathOf(path))) : undefined;
  if (holder)
    throw new Failure(
      "denied",
      `Cannot offer commands or other MCP servers: the state folder lies in the root "${holder.path}", where they could reach it`,
      { hint: "Give roots that do not hold it, or another state folder with --state-dir DIR." },
    );
  for (const { path } of roots) {
    if (!isInside(realPathOf(path), state)) continue;
    throw new Failure("denied", `Cannot serve the root "${path}": it is the state folder of this host, or lies in it`, {
      hint: "Give another state folder with --state-dir DIR.",
    });
  }
  openStateFolder(stateDir);
}

/** By the names of powers and of packs. */
export interface StartsOfPacks {
  readonly helpers?: object;
  readonly programs?: object;
}

function namesIn({ helpers = {}, programs = {} }: StartsOfPacks): string[] {
  return [...Object.keys(helpers), ...Object.keys(programs)];
}

/** Commands, a shell, hooks, other MCP servers, helpers: what a launcher is needed for whether there is a fence or not. */
export function startsPrograms(config: Config, starts: StartsOfPacks = {}): boolean {
  const hasHooks = config.hooks.some(({ before, after, run }) => (before ?? after ?? run) !== undefined);
  return offersPrograms(config) || namesIn(starts).length > 0 || (hasHooks && process.platform === "linux");
}

/** Whether the network of a program is a list. What a space declares is known later. */
export function listsHosts(
  { commands, hooks, shell, upstreams, spaces }: Config,
  { programs = {} }: StartsOfPacks = {},
): boolean {
  const declared = [
    ...Object.values(commands),
    ...hooks,
    ...(shell ? [shell] : []),
    ...Object.values(upstreams?.servers ?? {}),
  ];
  const hasPrograms = Object.keys(programs).length > 0;
  return spaces.length > 0 || hasPrograms || declared.some(({ network }) => typeof network === "object");
}

/** Where there is no launcher these are refused; hooks a host then starts itself. */
function offersPrograms(config: Config): boolean {
  const { commands, shell, upstreams, spaces } = config;
  const isDeclared = spaces.length > 0 || Object.keys(commands).length > 0;
  return shell !== undefined || upstreams !== undefined || isDeclared || writesGit(config);
}
