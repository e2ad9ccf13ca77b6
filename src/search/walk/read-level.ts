/**
 * One directory as a search sees it: opened by handle, its names filtered (denied, skipped, ignored, hidden), sorted,
 * and what was left out counted. An unreadable directory is counted and empty, never fatal.
 *
 * Order of the decisions, as ripgrep: deny, then the caller's own globs, then skipped names and ignore rules, then
 * dot names (which a `!` rule brings back).
 */
import { Failure } from "../../base/index.ts";
import type { Located, OpenDirectory } from "../../scope/index.ts";
import {
  readDirectory,
  statEntries,
  statEntry,
  typeOfMode,
  type DirectoryEntry,
  type EntryStat,
  type EntryType,
} from "../../sys/index.ts";
import type { SearchContext } from "../context.ts";
import { extendChain, judgeIn, makesChain, type IgnoreChain } from "../ignore/ignore-chain.ts";
import { type IgnoreRules, judgeByPatterns } from "../ignore/ignore-file.ts";
import { sortByName } from "./name-order.ts";

export interface LevelOptions {
  /** For messages: `Cannot <verb> "..."`. */
  readonly verb: string;
  readonly hidden: boolean;
  /** Ignore files and `ctx.skip`. */
  readonly useIgnore: boolean;
  /** Links followed while they stay inside; else they are entries of their own. */
  readonly follow?: boolean;
  /** Which entries are wanted with their `lstat`, asked for each directory; it is below the start, as everywhere here. */
  readonly wantsStat?: (directory: string) => (name: string, type: EntryType) => boolean;
  /** The caller's own globs; they beat ignore rules and dots. */
  readonly override?:
    | ((directory: string, name: string, isDirectory: boolean) => "include" | "exclude" | undefined)
    | undefined;
  /** Names of dot files that are wanted although dot names are left out. */
  readonly keepsHidden?: ((name: string) => boolean) | undefined;
  /** Directories on the way to what the caller named in full; no rule leaves them out. */
  readonly isNamed?: ((rel: string) => boolean) | undefined;
  /** The caller does not care in which order the entries come. */
  readonly inAnyOrder?: boolean;
  /** Whether a directory can hold anything wanted. */
  readonly enters?: ((rel: string) => boolean) | undefined;
}

/** One name of a directory. Its paths are put together when they are asked for: most never are. */
export class LevelEntry {
  readonly parent: Located;
  /** Where the parent lies below the start of the walk. */
  readonly directory: string;
  readonly name: string;
  type: EntryType;
  stat: EntryStat | undefined = undefined;
  #rel: string | undefined = undefined;

  constructor(parent: Located, directory: string, name: string, type: EntryType) {
    this.parent = parent;
    this.directory = directory;
    this.name = name;
    this.type = type;
  }

  /** Below the start of the walk. Kept once it was asked for, because sorting asks for it again and again. */
  get rel(): string {
    return (this.#rel ??= this.directory === "" ? this.name : `${this.directory}/${this.name}`);
  }

  get at(): Located {
    const { root, rel } = this.parent;
    const { name } = this;
    return { root, rel: rel === "" ? name : `${rel}/${name}`, mustBeDirectory: false, asked: name };
  }

  /** 0 when nobody wanted the `lstat`. */
  get mtimeMs(): number {
    return this.stat?.mtimeMs ?? 0;
  }
}

export interface Level {
  readonly entries: LevelEntry[];
  readonly chain: IgnoreChain | undefined;
  /** `dev:ino` when links are followed, to end cycles. */
  readonly identity: string | undefined;
}

/** What all directories of a walk have in common. */
export interface LevelContext {
  readonly ctx: SearchContext;
  readonly options: LevelOptions;
  readonly skipped: Skipped;
}

/** Which directory, and which ignore rules come to it from above. */
export interface LevelPlace {
  readonly at: Located;
  /** Below the start of the walk. */
  readonly rel: string;
  readonly above: IgnoreChain | undefined;
}

interface Reading extends LevelContext {
  readonly directory: OpenDirectory;
  readonly at: Located;
  readonly rel: string;
  readonly isDenied: (name: string) => boolean;
  readonly judge: ReturnType<typeof judgeIn> | undefined;
  readonly judgeByHost: ReturnType<IgnoreRules["judgeIn"]> | undefined;
}

export function readLevel(looking: LevelContext, { at, rel, above }: LevelPlace): Level | undefined {
  const { ctx, options, skipped } = looking;
  try {
    using directory = ctx.scope.openDirectory(at, options.verb, options.follow ? "follow" : "refuse");
    const found = readDirectory(directory);
    const chain = options.useIgnore ? extendWith(looking, above, at, found) : undefined;
    const judge = chain && judgeIn(chain, at.rel, ctx.gitignore);
    const judgeByHost = options.useIgnore ? judgeByPatterns(ctx.ignore, at.rel) : undefined;
    const reading: Reading = { ...looking, directory, at, rel, isDenied: ctx.scope.deniesIn(at), judge, judgeByHost };
    const kept: LevelEntry[] = [];
    for (const entry of found) {
      const type = typeIfKept(reading, entry);
      if (type) kept.push(new LevelEntry(at, rel, entry.name, type));
    }
    const wantsStat = options.wantsStat?.(rel);
    const entries = wantsStat ? withStats(directory, kept, wantsStat) : kept;
    return {
      entries: options.inAnyOrder ? entries : sortByName(entries),
      chain,
      identity: options.follow ? (statEntry(directory, ".")?.identity ?? "") : undefined,
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure) && !(thrown instanceof Error && "code" in thrown)) throw thrown;
    skipped.unreadable++;
    return undefined;
  }
}

function extendWith(
  { ctx, options, skipped }: LevelContext,
  above: IgnoreChain | undefined,
  at: Located,
  found: readonly DirectoryEntry[],
): IgnoreChain | undefined {
  const names = found.filter(({ name }) => makesChain(name)).map(({ name }) => name);
  if (names.length === 0) return above;
  // Links may lead to the directory, and none may lead from it to the rules.
  using real = options.follow ? ctx.scope.tryDirectory(at) : undefined;
  return extendChain(ctx.scope, above, at, names, () => skipped.unreadable++, real?.at);
}

function typeIfKept(reading: Reading, { name, type: listed }: DirectoryEntry): EntryType | undefined {
  const { options, skipped } = reading;
  if (reading.isDenied(name)) {
    skipped.denied++;
    return undefined;
  }
  let type: EntryType | undefined = listed;
  if (type === "unknown") {
    const stat = statEntry(reading.directory, name);
    type = stat && typeOfMode(stat.mode);
  }
  if (type === "symlink" && options.follow) type = targetType(reading, name);
  return type === undefined || isSkipped(reading, name, type === "directory") ? undefined : type;
}

/** Adds the `lstat` where it is wanted. An entry that is gone since the directory was read is left out. */
function withStats(
  directory: OpenDirectory,
  entries: LevelEntry[],
  wants: (name: string, type: EntryType) => boolean,
): LevelEntry[] {
  const asked = entries.filter(({ name, type }) => wants(name, type));
  const names = asked.map(({ name }) => name);
  const gone = new Set<LevelEntry>();
  const stats = statEntries(directory, names);
  asked.forEach((entry, index) => {
    const stat = (entry.stat = stats[index]);
    if (stat) entry.type = typeOfMode(stat.mode);
    else gone.add(entry);
  });
  return gone.size === 0 ? entries : entries.filter((entry) => !gone.has(entry));
}

function isSkipped(
  { ctx, options, skipped, rel, judge, judgeByHost }: Reading,
  name: string,
  isDirectory: boolean,
): boolean {
  if (isDirectory && options.isNamed?.(rel === "" ? name : `${rel}/${name}`)) return false;
  const override = options.override?.(rel, name, isDirectory);
  if (override === "exclude") return true;
  let isKept = override === "include";
  if (options.useIgnore && isDirectory && ctx.skip.includes(name)) {
    skipped.ignore(`default: ${name}`);
    return true;
  }
  if (!isKept && judgeByHost?.(name, isDirectory) === "ignore") {
    skipped.ignore("configuration");
    return true;
  }
  if (judge && !isKept) {
    const judged = judge(name, isDirectory);
    if (judged?.verdict === "ignore") {
      skipped.ignore(judged.source);
      return true;
    }
    isKept = judged?.verdict === "keep";
  }
  if (options.hidden || isKept || !name.startsWith(".")) return false;
  if (!isDirectory && options.keepsHidden?.(name)) return false;
  skipped.hidden++;
  return true;
}

/** What a link inside the root leads to; a link that leads out, or nowhere, stays a link. */
function targetType({ ctx, options, at: parent }: Reading, name: string): EntryType {
  const at = ctx.scope.child(parent, name);
  using directory = ctx.scope.tryDirectory(at);
  if (directory) return "directory";
  try {
    ctx.scope.openFile(at, options.verb)[Symbol.dispose]();
    return "file";
  } catch {
    return "symlink";
  }
}

export interface WalkTotals {
  files: number;
  directories: number;
  /** Entries that ignore rules or skipped names left out; a directory counts once, its content was not looked at. */
  ignored: number;
  /** The rules' files, most first, at most ten. */
  ignored_by: { rule: string; count: number }[];
  hidden: number;
  denied: number;
  unreadable: number;
  links: number;
  /** FIFOs, sockets, devices. */
  special: number;
}

/** As it travels between workers. */
export interface SkippedCounts extends Omit<WalkTotals, "ignored" | "ignored_by"> {
  readonly ignoredBy: readonly (readonly [rule: string, count: number])[];
}

/** The count of everything that a walk saw and of everything that it did not show, by reason: a part of `totals`. */
export class Skipped {
  files = 0;
  directories = 0;
  hidden = 0;
  denied = 0;
  unreadable = 0;
  links = 0;
  special = 0;
  readonly #ignoredBy = new Map<string, number>();

  /** What was seen and not left out. @returns the type again */
  count(type: EntryType): EntryType {
    this[memberOf(type)]++;
    return type;
  }

  ignore(rule: string, count = 1): void {
    this.#ignoredBy.set(rule, (this.#ignoredBy.get(rule) ?? 0) + count);
  }

  add({ ignoredBy, ...counts }: SkippedCounts): void {
    for (const name of COUNTS) this[name] += counts[name];
    for (const [rule, count] of ignoredBy) this.ignore(rule, count);
  }

  counts(): SkippedCounts {
    const { files, directories, hidden, denied, unreadable, links, special } = this;
    return { files, directories, hidden, denied, unreadable, links, special, ignoredBy: [...this.#ignoredBy] };
  }

  totals(): WalkTotals {
    const { ignoredBy, files, directories, ...others } = this.counts();
    const rules = ignoredBy.map(([rule, count]) => ({ rule, count }));
    rules.sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
    const ignored = rules.reduce((sum, { count }) => sum + count, 0);
    return { files, directories, ignored, ignored_by: rules.slice(0, MAX_RULES_NAMED), ...others };
  }
}

const COUNTS = ["files", "directories", "hidden", "denied", "unreadable", "links", "special"] as const;
const MAX_RULES_NAMED = 10;

/** Where an entry of a type is counted. */
export function memberOf(type: EntryType): "files" | "directories" | "links" | "special" {
  return type === "file" ? "files" : type === "directory" ? "directories" : type === "symlink" ? "links" : "special";
}
