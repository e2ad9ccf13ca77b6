/**
 * What no change may do. It changes none of the files that decide about the tools, nor the places where such files would be
 * looked for at the next start, not even to be narrower, because a narrower file can be replaced again. And it writes no
 * placeholder, which stands for a secret that the caller has not seen: written into a file it would destroy the secret.
 *
 * A path is not enough: a directory can be put in the place of one that holds such files, a link on the way to them can be
 * exchanged, and a file can have other names, which a file system may fold.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../../base/index.ts";
import { findPlaceholder } from "../../policy/index.ts";
import type { Scope } from "../../scope/index.ts";
import { type ChangeSet, locatedFrom, pathsOf, type PreparedChanges, type PreparedStep } from "../../txn/index.ts";
import { originOf } from "./decide-prepared.ts";

/** @param configFiles absolute files, links on the way to them, and directories with all that is in them */
export function isPolicyFile(absolute: string, configFiles: readonly string[]): boolean {
  if (basename(absolute).toLowerCase() === ".ringfence.json") return true;
  return configFiles.some((path) => isAtOrBelow(absolute, path));
}

function isAtOrBelow(path: string, top: string): boolean {
  // Most paths are of another length or another beginning, and no name is folded for them.
  return path.length >= top.length && `${path}/`.toLowerCase().startsWith(`${top}/`.toLowerCase());
}

/** @throws Failure `denied` for what reaches them otherwise than by their path */
export function refusePolicyChange(prepared: PreparedChanges, scope: Scope, configFiles: readonly string[]): void {
  const inodes = new Set(configFiles.flatMap(inodeOf));
  for (const [index, step] of prepared.steps.entries()) {
    const holder = pathsOf(step)
      .map((place) => scope.absolute(locatedFrom(scope, place)))
      .find((absolute) => configFiles.some((path) => path !== absolute && isAtOrBelow(path, absolute)));
    if (holder !== undefined && step.op !== "make_directory") throw refused(holder);
    if (isOtherName(step, prepared.steps.slice(0, index), scope, inodes)) throw refused(step.at.rel);
  }
}

/** Written in place, a file changes under all its names. */
function isOtherName(
  step: PreparedStep,
  earlier: readonly PreparedStep[],
  scope: Scope,
  inodes: ReadonlySet<string>,
): boolean {
  if (step.op !== "put" || !step.inPlace || step.before.kind !== "file" || inodes.size === 0) return false;
  try {
    const { dev, ino } = scope.lstat(locatedFrom(scope, originOf(step.at, earlier)), "change");
    return inodes.has(`${dev}:${ino}`);
  } catch (thrown) {
    // One that the set makes itself is on no disk yet.
    if (step.follows && thrown instanceof Failure) return false;
    throw thrown;
  }
}

function inodeOf(path: string): string[] {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? [`${stat.dev}:${stat.ino}`] : [];
}

function refused(path: string): Failure {
  return new Failure("denied", `Cannot change "${path}": the configuration of this host depends on it`);
}

/** Members that are not written: they say where, or what is there already. */
const NOT_WRITTEN: ReadonlySet<string> = new Set(["path", "source", "destination", "ifHash", "oldText"]);

/** @throws Failure `denied` */
export function refusePlaceholders(set: ChangeSet): void {
  const found = findIn(set.changes);
  if (found === undefined) return;
  throw new Failure("denied", `Cannot make the change: it would write ${found}, which only stands for a secret`, {
    hint: "Change the text around it with edit_file and leave the secret where it is.",
  });
}

function findIn(value: unknown): string | undefined {
  if (typeof value === "string") return findPlaceholder(value);
  if (typeof value !== "object" || value === null) return undefined;
  const isBase64 = "encoding" in value && value.encoding === "base64";
  for (const [key, member] of Object.entries<unknown>(value as Record<string, unknown>)) {
    if (NOT_WRITTEN.has(key)) continue;
    const text = isBase64 && key === "content" ? Buffer.from(String(member), "base64").toString("latin1") : member;
    const found = findIn(text);
    if (found !== undefined) return found;
  }
  return undefined;
}
