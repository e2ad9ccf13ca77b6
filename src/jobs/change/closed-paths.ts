/**
 * What no change may touch: none of the files that decide about the tools, nor the places where such files would be looked for at
 * the next start. A path is not enough there: a directory can be put in the place of one that holds such files, and a file can have
 * other names. And no change writes a placeholder, which would destroy the secret that it stands for, or takes a secret apart.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../../base/index.ts";
import { findPlaceholder, showsRest } from "../../policy/index.ts";
import type { Scope } from "../../scope/index.ts";
import { locatedFrom, originOf, pathsOf } from "../../txn/index.ts";
import type { ChangeSet, HideKeys, PreparedChanges, PreparedStep } from "../../txn/index.ts";

/** @param configFiles absolute files, links on the way to them, and directories with all that is in them */
export function isPolicyFile(absolute: string, configFiles: readonly string[]): boolean {
  if (basename(absolute).toLowerCase() === ".ringfence.json") return true;
  return configFiles.some((path) => isPathBelow(absolute, path));
}

/** Also of the directory itself. */
export function isPathBelow(path: string, top: string): boolean {
  // Most paths are of another length or another beginning, and no name is folded for them.
  return path.length >= top.length && `${path}/`.toLowerCase().startsWith(`${top}/`.toLowerCase());
}

/** @throws Failure `denied` for what reaches them otherwise than by their path */
export function refusePolicyChange(prepared: PreparedChanges, scope: Scope, configFiles: readonly string[]): void {
  const inodes = new Set(configFiles.flatMap(inodeOf));
  for (const [index, step] of prepared.steps.entries()) {
    // What is copied stays where it is.
    const changed = step.op === "copy" ? [step.at] : pathsOf(step);
    const holder = changed
      .map((place) => scope.absolute(locatedFrom(scope, place)))
      .find((absolute) => configFiles.some((path) => path !== absolute && isPathBelow(path, absolute)));
    if (holder !== undefined && step.op !== "make_directory") throw policyFailure(holder);
    if (isOtherName(step, prepared.steps.slice(0, index), scope, inodes)) throw policyFailure(step.at.rel);
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

function policyFailure(path: string): Failure {
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

/** @throws Failure `denied`, where the diff or the next read would show what is left of a secret */
export function refusingRests(hideKeys: HideKeys): HideKeys {
  return (path, before, after) => {
    if (!showsRest(before, after)) return hideKeys(path, before, after);
    throw new Failure("denied", `Cannot change "${path}": a part of a secret would stay, and be read as any text`, {
      hint: "Leave the secret and its name as they are, or take out the whole of it.",
    });
  };
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
