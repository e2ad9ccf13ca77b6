/**
 * Lets git run the hooks of this folder in a checkout of the repository. A setting of one's own stays, and nothing happens
 * where there is no checkout or no git.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** @param root the top of the working tree; in a worktree `.git` is a file */
export function setUpHooks(root) {
  if (!existsSync(join(root, ".git"))) return;
  const config = (...args) => spawnSync("git", ["-C", root, "config", ...args], { stdio: "ignore" }).status;
  // 1: git was asked, and nobody has set it, here or for all repositories.
  if (config("--get", "core.hooksPath") === 1) config("core.hooksPath", "scripts/hooks");
}
