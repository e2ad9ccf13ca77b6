/**
 * The decision once more, on what a prepared change really touches: links followed, spellings resolved, every member of a tree
 * under the name that it has and the one that it gets. It can only be stricter than the one that was made on the caller's
 * words, because both must allow.
 *
 * A file that has several names is protected under all of them. The other names are looked for in the roots, up to a number of
 * entries, and only where such a file is written in place, moved or copied. Not guaranteed: names outside the roots are known
 * only by their number; what is written in place there too is asked about.
 */
import { lstatSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import { evaluate, isSteering, type Question } from "../../policy/index.ts";
import type { Act, AskedCall, Decision, Rules, ToolFacts } from "../../policy/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import { fsName, readDirectory } from "../../sys/index.ts";
import { locatedFrom, originOf, pathsOf } from "../../txn/index.ts";
import type { PreparedChanges, PreparedStep, RootPath, StepFacts } from "../../txn/index.ts";
import { recordOfNote, type Ruling } from "../ruled-scopes.ts";

type Touched = Question["targets"][number];

/** What is known besides what is kept with the proposal. */
export interface Told {
  /** The tools whose changes the call makes. */
  readonly parts: readonly ToolFacts[];
  /** What would be overwritten without having been read: more than an ordinary change. */
  readonly unread: readonly string[];
  /** The caller's words. */
  readonly words: AskedCall | undefined;
}

export function decidePrepared(
  { tool, mode }: Ruling,
  rules: Rules,
  prepared: PreparedChanges,
  scope: Scope,
  told: Told,
): Decision {
  const { steps } = prepared;
  const shared = findShared(prepared, scope);
  const targets = steps.flatMap((step, index) => {
    const facts = prepared.facts?.[index] ?? {};
    const as = (facts.tools ?? []).map(
      (name): ToolFacts => told.parts.find((one) => one.name === name) ?? { name, effect: "change" },
    );
    const isRuled = rules.rules.some(
      (rule) => rule.verdict !== "allow" && [tool, ...as].some((one) => rule.coversPathsOf(one)),
    );
    return [...targetsOf(step, scope), ...membersOf(step, facts, scope, isRuled)].map((one) => ({ ...one, as }));
  });
  const removes = steps.some(({ op }) => op === "remove");
  const asked = askedOf(tool.name, prepared, scope, told.words);
  const [unread] = told.unread;
  const isUnread = unread === undefined ? undefined : `"${unread}" would be overwritten, and was not read`;
  const why = shared?.why ?? isUnread;
  const risk = why === undefined ? {} : { atLeast: "R4" as const, because: why };
  const decision = evaluate({ tool, targets, removes, mode, asked, ...risk }, rules);
  return shared?.isClosed
    ? { ...decision, type: "deny", reason: shared.why, source: "scope", rule: "denied" }
    : decision;
}

/** The change as data, for what was allowed exactly: what it does where, without the contents. */
function askedOf(
  tool: string,
  { steps, files }: PreparedChanges,
  scope: Scope,
  words: AskedCall | undefined,
): AskedCall {
  const rootAt = (root: number): string => scope.absolute(locatedFrom(scope, { root, rel: "" }));
  const place = ({ root, rel }: RootPath): readonly string[] => [rootAt(root), rel];
  const touches = steps.flatMap((step) =>
    pathsOf(step).map(({ root, rel }) => ({ root: rootAt(root), rel, isMade: step.op === "make_directory" })),
  );
  const acts = [
    ...steps.map((step): Act => {
      const was = "before" in step ? step.before.kind : "";
      const from = "from" in step ? place(step.from) : [];
      const how = step.op === "put" ? [step.inPlace, String(step.mode ?? "")] : [];
      return [step.op, was, wholeOf(step)?.kind ?? "", ...place(step.at), ...from, ...how];
    }),
    ...files.map(({ operation, absolute, source }): Act => [operation, absolute, source ?? ""]),
  ];
  return { tool, part: "change", acts, words, touches };
}

function targetsOf(step: PreparedStep, scope: Scope): Touched[] {
  const isTree = wholeOf(step)?.kind === "directory";
  return pathsOf(step).map((path) => ({ ...targetAt(path, scope), isTree }));
}

/** On both sides of a move or copy. Where no rule could mean one, only those that cost more than the rest are looked at. */
function membersOf(step: PreparedStep, { tree }: StepFacts, scope: Scope, isRuled: boolean): Touched[] {
  const below = (tree?.below ?? []).filter((path) => isRuled || isSteering(path));
  if (below.length === 0) return [];
  return pathsOf(step).flatMap(({ root, rel }) =>
    below.map((path) => targetAt({ root, rel: rel === "" ? path : `${rel}/${path}` }, scope)),
  );
}

function targetAt(path: RootPath, scope: Scope): Touched {
  const at = locatedFrom(scope, path);
  if (at.root.isMemory) return { ...recordOfNote(path.rel), mode: "write" };
  const absolute = scope.absolute(at);
  return { path: path.rel, rel: path.rel, absolute, mode: "write" };
}

/** What is taken as it is, with all that is in it. */
function wholeOf(step: PreparedStep): { readonly kind: string } | undefined {
  if (step.op === "remove") return step.before;
  return step.op === "move" || step.op === "copy" ? step.source : undefined;
}

export function deniedChange(tool: string, decision: Decision): Failure {
  // Which one is not said, because the rule may hide it.
  const about =
    decision.source === "scope" ? "" : " (it is about something that the paths of the call lead to or hold)";
  return new Failure("denied", `Cannot call "${tool}": ${decision.reason}${about}`, { details: { decision } });
}

interface Shared {
  readonly why: string;
  /** No tool may change what it is the other name of. */
  readonly isClosed: boolean;
}

/** Some tenths of a second of looking. */
const MAX_LOOKED_AT = 50_000;

/** @returns the strictest of what is known of any of them; `undefined` for files that have one name, or ordinary ones */
function findShared({ steps, facts }: PreparedChanges, scope: Scope): Shared | undefined {
  const written = new Map<string, number>();
  const taken = new Set<string>();
  for (const [index, step] of steps.entries()) {
    for (const { inode } of facts?.[index]?.tree?.shared ?? []) taken.add(inode);
    const own = sharedBy(step, steps.slice(0, index), scope);
    if (own === undefined) continue;
    if (step.op === "put") written.set(own.inode, own.names);
    else taken.add(own.inode);
  }
  if (written.size === 0 && taken.size === 0) return undefined;
  const names = findNames(scope, new Set([...written.keys(), ...taken]));
  const isClosed = names.some((one) => one.isClosed && written.has(one.inode));
  const known = names.find((one) => one.isClosed || isSteering(one.rel));
  if (isClosed || known?.isClosed) return { why: "another name of the file is closed to every tool", isClosed };
  if (known) return { why: `"${known.rel}" is another name of the file`, isClosed };
  const isUnknown = [...written].some(([inode, count]) => names.filter((one) => one.inode === inode).length < count);
  return isUnknown ? { why: "the file has other names, which cannot be found", isClosed } : undefined;
}

/** The file that a step writes into, moves or copies, when it has other names. */
function sharedBy(step: PreparedStep, earlier: readonly PreparedStep[], scope: Scope) {
  const isPut = step.op === "put" && step.inPlace;
  const before = isPut ? step.before : step.op === "move" || step.op === "copy" ? step.source : undefined;
  if (before?.kind !== "file" || before.links < 2) return undefined;
  const place = originOf("from" in step ? step.from : step.at, earlier);
  try {
    const { dev, ino } = scope.lstat(locatedFrom(scope, place), "look at");
    return { inode: `${dev}:${ino}`, names: before.links };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { inode: "", names: before.links };
  }
}

function findNames(scope: Scope, inodes: ReadonlySet<string>) {
  const found = new Map<string, { readonly inode: string; readonly rel: string; readonly isClosed: boolean }>();
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
