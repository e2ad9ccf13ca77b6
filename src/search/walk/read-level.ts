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
import { extendChain, judgeIn, makesChain, type IgnoreChain, type IgnoreJudgement } from "../ignore/ignore-chain.ts";
import type { Skipped } from "./skipped.ts";
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
}

/** One name of a directory. Its paths are put together when they are asked for: most never are. */
export class LevelEntry {
  /** The directory that it stands in, and where that lies below the start of the walk. */
  readonly parent: Located;
  readonly directory: string;
  readonly name: string;
  type: EntryType;
  stat: EntryStat | undefined = undefined;

  constructor(parent: Located, directory: string, name: string, type: EntryType) {
    this.parent = parent;
    this.directory = directory;
    this.name = name;
    this.type = type;
  }

  /** Below the start of the walk. */
  get rel(): string {
    return this.directory === "" ? this.name : `${this.directory}/${this.name}`;
  }

  get at(): Located {
    const { root, rel } = this.parent;
    const { name } = this;
    return { root, rel: rel === "" ? name : `${rel}/${name}`, mustBeDirectory: false, asked: name };
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
  /** Counts what is passed over. */
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
  readonly judge: ((name: string, isDirectory: boolean) => IgnoreJudgement | undefined) | undefined;
}

export function readLevel(looking: LevelContext, { at, rel, above }: LevelPlace): Level | undefined {
  const { ctx, options, skipped } = looking;
  try {
    using directory = ctx.scope.openDirectory(at, options.verb, options.follow ? "follow" : "refuse");
    const found = readDirectory(directory);
    const chain = options.useIgnore ? extendWith(looking, above, at, found) : undefined;
    const reading: Reading = {
      ...looking,
      directory,
      at,
      rel,
      isDenied: ctx.scope.deniesIn(at),
      judge: chain && judgeIn(chain, at.rel),
    };
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
      identity: options.follow ? identityOf(directory) : undefined,
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
  const onUnreadable = (): number => skipped.unreadable++;
  if (!options.follow) return extendChain(ctx.scope, above, at, names, onUnreadable);
  // Links lead to the directory, and none may lead from it to the rules.
  using real = ctx.scope.tryDirectory(at);
  return extendChain(ctx.scope, above, at, names, onUnreadable, real?.at);
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
  const stats = statEntries(
    directory,
    asked.map(({ name }) => name),
  );
  const gone = new Set<LevelEntry>();
  asked.forEach((entry, index) => {
    const stat = stats[index];
    entry.stat = stat;
    if (stat) entry.type = typeOfMode(stat.mode);
    else gone.add(entry);
  });
  return gone.size === 0 ? entries : entries.filter((entry) => !gone.has(entry));
}

function isSkipped({ ctx, options, skipped, rel, judge }: Reading, name: string, isDirectory: boolean): boolean {
  if (isDirectory && options.isNamed?.(rel === "" ? name : `${rel}/${name}`)) return false;
  const override = options.override?.(rel, name, isDirectory);
  if (override === "exclude") return true;
  let isKept = override === "include";
  if (options.useIgnore && isDirectory && ctx.skip.includes(name)) {
    skipped.ignore(`default: ${name}`);
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
  const directory = ctx.scope.tryDirectory(at);
  if (directory) {
    directory[Symbol.dispose]();
    return "directory";
  }
  try {
    ctx.scope.openFile(at, options.verb)[Symbol.dispose]();
    return "file";
  } catch {
    return "symlink";
  }
}

function identityOf(directory: OpenDirectory): string {
  return statEntry(directory, ".")?.identity ?? "";
}
