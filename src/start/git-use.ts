/**
 * Whether a host offers git. Without a word in the configuration it does where git is installed, on Linux, and the directory of
 * a root is a work tree when the host starts: a host without a repository has neither the tools in its list nor a process for
 * them. `packs.git` switches it on for repositories that lie deeper or come later, or off.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cleanEnvironment, type Config } from "../config/index.ts";
import { findPrograms, type GitUse } from "../proc/index.ts";

type GitConfig = Pick<Config, "packSettings" | "roots" | "stateDir">;

/** Why git is not offered, or how it is. */
export function gitUse(config: GitConfig): GitUse | { readonly off: string } {
  const { packSettings, roots, stateDir } = config;
  const settings = settingsOf(packSettings);
  if (settings?.enabled === false) return { off: "the configuration switches it off" };
  if (settings === undefined && !roots.some(({ path }) => isWorkTree(path)))
    return { off: 'no root was a git work tree at the start; "packs": {"git": {}} switches it on' };
  if (process.platform !== "linux") return { off: `programs are not yet started on ${process.platform}` };
  const { git } = findPrograms({ git: { program: "git" } }, { roots, hidden: [stateDir] }, cleanEnvironment());
  if (!git || "missing" in git) return { off: git?.missing ?? "git is not installed" };
  return { write: writesGit(config) };
}

/** How git is offered, where it is. */
export function offeredGit(config: GitConfig): GitUse | undefined {
  const use = gitUse(config);
  return "off" in use ? undefined : use;
}

/** Whether the verbs of git that change something are switched on. They run with the roots as they were given. */
export function writesGit({ packSettings }: GitConfig): boolean {
  const { enabled, write } = settingsOf(packSettings) ?? {};
  return enabled !== false && write === true;
}

/** The schema of the pack has checked it where packs are loaded. */
function settingsOf(
  packs: GitConfig["packSettings"],
): { readonly enabled?: boolean; readonly write?: boolean } | undefined {
  return Object.hasOwn(packs, "git") ? (packs["git"] as object) : undefined;
}

function isWorkTree(root: string): boolean {
  return existsSync(join(root, ".git"));
}
