/**
 * Files that have several names: what is protected under one of them is protected under all. The other names are looked for
 * in the roots, up to a number of entries, and only where a file with another name is written in place, moved or copied.
 *
 * Not guaranteed: names outside the roots are known only by their number. What is written in place there too is asked about.
 */
import { lstatSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import { isSteering } from "../../policy/index.ts";
import { type Located, type Scope } from "../../scope/index.ts";
import { readDirectory, fsName } from "../../sys/index.ts";
import { locatedFrom, type RootPath, type PreparedStep, type StepFacts } from "../../txn/index.ts";

export interface Shared {
  readonly why: string;
  /** No tool may change what it is the other name of. */
  readonly isClosed: boolean;
}

/** Some tenths of a second of looking. */
const MAX_LOOKED_AT = 50_000;

/** @returns the strictest of what is known of any of them; `undefined` for files that have one name, or ordinary ones */
export function findShared(
  steps: readonly PreparedStep[],
  facts: readonly StepFacts[],
  scope: Scope,
): Shared | undefined {
  const written = new Map<string, number>();
  const taken = new Set<string>();
  for (const [index, step] of steps.entries()) {
    for (const inode of facts[index]?.tree?.shared ?? []) taken.add(inode);
    const own = sharedBy(step, index, steps, scope);
    if (own === undefined) continue;
    if (step.op === "put") written.set(own.inode, own.names);
    else taken.add(own.inode);
  }
  if (written.size === 0 && taken.size === 0) return undefined;
  const names = findNames(scope, new Set([...written.keys(), ...taken]));
  const isWritten = (inode: string): boolean => written.has(inode);
  const closed = names.find(({ inode, isClosed }) => isClosed && isWritten(inode));
  if (closed) return { why: "another name of the file is closed to every tool", isClosed: true };
  const known = names.find(({ rel, isClosed }) => isClosed || isSteering(rel));
  if (known)
    return {
      why: known.isClosed
        ? "another name of the file is closed to every tool"
        : `"${known.rel}" is another name of the file`,
      isClosed: false,
    };
  const isUnknown = [...written].some(([inode, count]) => names.filter((one) => one.inode === inode).length < count);
  return isUnknown ? { why: "the file has other names, which cannot be found", isClosed: false } : undefined;
}

/** The file that a step writes into, moves or copies, when it has other names. */
function sharedBy(
  step: PreparedStep,
  index: number,
  steps: readonly PreparedStep[],
  scope: Scope,
): { readonly inode: string; readonly names: number } | undefined {
  const isPut = step.op === "put" && step.inPlace;
  const before = isPut ? step.before : step.op === "move" || step.op === "copy" ? step.source : undefined;
  if (before?.kind !== "file" || before.links < 2) return undefined;
  const place = originOf("from" in step ? step.from : step.at, steps.slice(0, index));
  try {
    const { dev, ino } = scope.lstat(locatedFrom(scope, place), "look at");
    return { inode: `${dev}:${ino}`, names: before.links };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { inode: "", names: before.links };
  }
}

/** Where on the disk it lies before the first step. */
export function originOf(place: RootPath, earlier: readonly PreparedStep[]): RootPath {
  return earlier.reduceRight((at, step) => {
    if (step.op !== "move" || step.at.root !== at.root) return at;
    if (at.rel === step.at.rel) return step.from;
    const isInside = at.rel.startsWith(`${step.at.rel}/`);
    return isInside ? { root: step.from.root, rel: step.from.rel + at.rel.slice(step.at.rel.length) } : at;
  }, place);
}

interface NameOf {
  readonly inode: string;
  readonly rel: string;
  readonly isClosed: boolean;
}

function findNames(scope: Scope, inodes: ReadonlySet<string>): NameOf[] {
  const found = new Map<string, NameOf>();
  const pending = scope.roots.map((root): Located => ({ root, rel: "", mustBeDirectory: true, asked: "." }));
  let left = MAX_LOOKED_AT;
  for (let next = pending.pop(); next && left > 0; next = pending.pop()) {
    using directory = scope.tryDirectory(next);
    if (!directory) continue;
    for (const { name, type } of readDirectory(directory)) {
      if (--left < 0) break;
      const at = scope.child(next, name);
      if (type === "directory" && !scope.denies(at)) pending.push(at);
      if (type !== "file") continue;
      const stat = lstatSync(fsName(`${directory.path}/${name}`), { bigint: true, throwIfNoEntry: false });
      const inode = `${stat?.dev}:${stat?.ino}`;
      if (inodes.has(inode)) found.set(scope.absolute(at), { inode, rel: at.rel, isClosed: scope.denies(at) });
    }
  }
  // Roots may lie in each other.
  return [...found.values()];
}
