/**
 * What no change and no command may touch. Before a command runs: whether the paths that it names may be touched, and whether a
 * program that lists directories would bring to light what no tool may see. The scope is asked for every name, so that deny
 * rules, secrets and links count as they are on the disk, not as the text says.
 *
 * A change changes none of the files that decide about the tools, nor the places where such files would be looked for at the
 * next start. A path is not enough there: a directory can be put in the place of one that holds such files, and a file can have
 * other names. And no change writes a placeholder, which would destroy the secret that it stands for.
 *
 * Usual mistake: to look only at what the tools for files would show; a program shows dot files and ignored ones too.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { type Cancel, Failure, type FailureCode } from "../../base/index.ts";
import { findPlaceholder } from "../../policy/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import { compileSegment, type NameTest } from "../../search/index.ts";
import type { Listing } from "../../shell/index.ts";
import { readDirectory } from "../../sys/index.ts";
import { locatedFrom, originOf, pathsOf } from "../../txn/index.ts";
import type { ChangeSet, PreparedChanges, PreparedStep } from "../../txn/index.ts";

export interface NamedPath {
  /** In the words of the caller. */
  readonly path: string;
  readonly writes: boolean;
}

export interface TouchedVerdict {
  readonly path: string;
  /** Why it may not be touched. */
  readonly refused: string;
  readonly code: FailureCode;
}

/** The touched paths that are refused. A path that is not there is left to the program. */
export function checkTouched(scope: Scope, paths: readonly NamedPath[]): TouchedVerdict[] {
  return paths.flatMap(({ path, writes }) => {
    const refused = whyRefused(scope, path, writes);
    return refused === undefined ? [] : [{ path, ...refused }];
  });
}

function whyRefused(scope: Scope, path: string, writes: boolean): Omit<TouchedVerdict, "path"> | undefined {
  try {
    const at = targetOf(scope, scope.locate(path, "touch"));
    if (!writes || !scope.innermost(at).root.readOnly) return undefined;
    return { refused: "its root is for reading only", code: "denied" };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === "not_found" ? undefined : { refused: thrown.message, code: thrown.code };
  }
}

function targetOf(scope: Scope, at: Located): Located {
  try {
    return scope.resolve(at, "touch");
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
    using place = scope.place(at, "touch");
    return place.at;
  }
}

export interface LookBelow {
  /** Absolute paths, of files too: below them there is nothing. */
  readonly listings: readonly Listing[];
}

interface Looking {
  readonly scope: Scope;
  readonly configFiles: readonly string[];
  readonly cancel: Cancel;
}

export function lookBelow({ listings }: LookBelow, looking: Looking): { readonly holdsClosed: boolean } {
  return { holdsClosed: listings.some((listing) => holdsClosed(listing, looking)) };
}

/** Also true where it cannot be looked at: an unreadable directory, or no time left. */
function holdsClosed(listing: Listing, looking: Looking): boolean {
  const start = startOf(listing.path, looking.scope);
  if (typeof start === "string") return start === "closed";
  const isShown = showing(listing);
  const open: { at: Located; depth: number }[] = [{ at: start, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (looking.cancel.state() !== "none") return true;
    const { at, depth } = next;
    if (depth > (listing.depth ?? Infinity)) continue;
    const below = readLevel(at, listing, isShown, looking);
    if (below === undefined) return true;
    for (const one of below) open.push({ at: one, depth: depth + 1 });
  }
  return false;
}

/** What is not there, or is a file, has nothing below it. */
function startOf(path: string, scope: Scope): Located | "nothing" | "closed" {
  try {
    const asked = scope.locate(path, "list");
    const at = asked.rel === "" ? asked : scope.resolve(asked, "list");
    using directory = scope.tryDirectory(at);
    return directory?.at ?? "nothing";
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code === "not_found" ? "nothing" : "closed";
    throw thrown;
  }
}

/** The directories in it, or `undefined` if it holds what is closed. */
function readLevel(
  at: Located,
  { shows, hidden, follows }: Listing,
  isShown: (name: string, isFile: boolean) => boolean,
  { scope, configFiles }: Looking,
): Located[] | undefined {
  const isDenied = scope.deniesIn(at);
  const below: Located[] = [];
  try {
    using directory = scope.openDirectory(at, "list", "refuse");
    for (const { name, type } of readDirectory(directory)) {
      if (!hidden && name.startsWith(".")) continue;
      // What is only kept from changes is no secret.
      const isClosed = isDenied(name) && !isPolicyFile(scope.absolute(scope.child(at, name)), configFiles);
      if (isClosed && isShown(name, type === "file")) return undefined;
      if (type === "symlink" && shows === "contents") return undefined;
      if (type === "symlink" && follows === true && leadsOut(scope.child(at, name), scope)) return undefined;
      if (!isClosed && type === "directory") below.push(scope.child(at, name));
    }
  } catch (thrown) {
    if (thrown instanceof Failure || (thrown instanceof Error && "code" in thrown)) return undefined;
    throw thrown;
  }
  return below;
}

function leadsOut(link: Located, scope: Scope): boolean {
  try {
    scope.resolve(link, "list");
    return false;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code !== "not_found";
  }
}

/** A directory may hold what is shown, whatever its own name. */
function showing({ onlyDirectories, names }: Listing): (name: string, isFile: boolean) => boolean {
  const tests = names?.map(testOf);
  return (name, isFile) =>
    !isFile || (onlyDirectories !== true && (tests?.some((test) => test(name.toLowerCase())) ?? true));
}

/** A pattern that cannot be read may mean any name. Classes of the C library (`[[:punct:]]`) are read by it alone. */
function testOf(pattern: string): NameTest {
  if (pattern.includes("[")) return () => true;
  return compileSegment(pattern.toLowerCase(), { dot: true, groups: false }) ?? (() => true);
}

/** @param configFiles absolute files, links on the way to them, and directories with all that is in them */
export function isPolicyFile(absolute: string, configFiles: readonly string[]): boolean {
  if (basename(absolute).toLowerCase() === ".ringfence.json") return true;
  return configFiles.some((path) => isPathBelow(absolute, path));
}

function isPathBelow(path: string, top: string): boolean {
  // Most paths are of another length or another beginning, and no name is folded for them.
  return path.length >= top.length && `${path}/`.toLowerCase().startsWith(`${top}/`.toLowerCase());
}

/** @throws Failure `denied` for what reaches them otherwise than by their path */
export function refusePolicyChange(prepared: PreparedChanges, scope: Scope, configFiles: readonly string[]): void {
  const inodes = new Set(configFiles.flatMap(inodeOf));
  for (const [index, step] of prepared.steps.entries()) {
    const holder = pathsOf(step)
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
