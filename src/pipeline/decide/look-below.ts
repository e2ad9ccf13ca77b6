/**
 * Whether a command line could read or name what is closed to tools: it is looked below what the line names, and what cannot be
 * looked through in a moment is taken to hold something.
 */
import { resolve } from "node:path";
import { Failure } from "../../base/index.ts";
import type { LookBelow } from "../../jobs/index.ts";
import type { ToolFacts } from "../../policy/index.ts";
import type { ShellAssessment } from "../../shell/index.ts";
import type { Assessed, ReadCall } from "../call.ts";
import { readJob } from "../jobs.ts";
import type { Services } from "../services.ts";

/** The call whose line it is, and what its policy says. */
export type RunBy = Assessed & Pick<ReadCall, "call">;

export function absoluteOf(path: string, cwd: string): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

/** A whole tree, or a pattern, may hold what a rule denies; the text does not tell. */
export function hasDeniedBelow({ config, policy }: Services, { paths }: ShellAssessment, tool: ToolFacts): boolean {
  const denies = policy.rules.some((rule) => rule.verdict === "deny" && rule.pattern && rule.coversPathsOf(tool));
  return (config.deny.length > 0 || denies) && paths.some(({ recursive, glob }) => recursive || glob);
}

/**
 * What reads a whole tree reads the secrets in it too: the fence of a command is around roots, not around files. So the tree is
 * looked through first, and what cannot be looked through in a moment is asked about.
 */
export async function mayReadClosed(
  host: Services,
  { paths }: ShellAssessment,
  cwd: string,
  by: RunBy,
): Promise<boolean> {
  const tops = paths
    .filter(({ inside, intent, recursive }) => inside && intent === "read" && recursive)
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
export async function listsClosed(
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
