/**
 * A host whose root is a git work tree, and git itself to make what the tests look at: with a configuration of its own, so that
 * nothing of this machine's user shows.
 */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RawConfig } from "../../../src/config/index.ts";
import type { Tool } from "../../../src/contract/index.ts";
import { component, type Component } from "../../components/component.ts";
import type { FileTree } from "../../host/file-tree.ts";
import { openTestHost, type TestHost } from "../../host/in-memory-host.ts";
import { withLauncher } from "../../proc/command-host.ts";

export const git: Component = component("git");

const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: "2024-05-01T10:00:00Z",
  GIT_COMMITTER_DATE: "2024-05-01T10:00:00Z",
};

/** Runs git and gives its output. @throws with what it said when it fails */
export function runGit(cwd: string, ...args: readonly string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(["git", ...args], { cwd, env: ENVIRONMENT });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
}

export interface RepositoryHost extends TestHost {
  readonly git: (...args: readonly string[]) => string;
  readonly write: (path: string, text: string | Uint8Array) => void;
  /** Adds everything and commits it. */
  readonly commit: (message: string) => string;
}

export function makeRepository(root: string): void {
  mkdirSync(root, { recursive: true });
  runGit(root, "init", "--quiet", "--initial-branch=main");
}

/** @param files of the first commit @param tools instead of the built-in ones */
export function openRepositoryHost(
  files: FileTree = {},
  config: RawConfig = {},
  tools?: readonly Tool[],
): RepositoryHost {
  // The directory is there before the host is, as for anybody who works in a repository.
  const host = openTestHost({
    files: { ".git/description": "", ...files },
    config: { fence: "auto", ...config },
    fence: withLauncher,
    ...(tools ? { tools } : {}),
  });
  const { root } = host;
  makeRepository(root);
  const run = (...args: readonly string[]): string => runGit(root, ...args);
  const commit = (message: string): string => {
    run("add", "--all");
    run("commit", "--quiet", "--allow-empty", "--message", message);
    return run("rev-parse", "HEAD").trim();
  };
  if (Object.keys(files).length > 0) commit("first");
  return Object.assign(host, {
    git: run,
    commit,
    write(path: string, text: string | Uint8Array) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(realpathSync(root), path), text);
    },
  });
}
