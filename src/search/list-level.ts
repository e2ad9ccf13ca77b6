/**
 * One directory by name, without a walk: the usual list, and the paths that a beginning of one could become. Of a
 * hundred thousand names only those of the page are looked at, so a first page costs one reading of the directory and
 * little else. The names of the large directory that was listed last are kept in order, and its later pages are cut out
 * of them; one worker keeps one directory.
 *
 * Invariant: kept names are used only while the directory's times are what they were when it was read, and older than
 * what a file system's clock can miss. What stands behind a name is never kept: its size and time change without the
 * directory's.
 *
 * Completion names nothing that a list would leave out or that `admits` does not let through; a directory that cannot
 * be opened has no names.
 */
import { fstatSync } from "node:fs";
import { nowMs, Failure } from "../base/index.ts";
import { type Located, type OpenDirectory, type Scope, readName, showName } from "../scope/index.ts";
import { statEntries, readDirectory, type EntryStat, type DirectoryEntry } from "../sys/index.ts";
import type { SearchContext } from "./context.ts";
import { Skipped, memberOf } from "./walk/read-level.ts";
import { compareNames, sortByName, TopEntries } from "./walk/name-order.ts";

interface LevelPage extends NamesPage {
  /** One for each entry of the page; `undefined` for an entry that is gone since. */
  readonly stats: readonly (EntryStat | undefined)[];
}

interface LevelPageOptions {
  /** Names that begin with a dot too. */
  readonly hidden: boolean;
  readonly limit: number;
  /** The last name of the page before. */
  readonly after: string | undefined;
}

/** @throws Failure when the directory cannot be opened */
export function listLevel(ctx: SearchContext, start: Located, options: LevelPageOptions): LevelPage {
  using directory = ctx.scope.openDirectory(start, "list", "refuse");
  const names = namesPage(ctx, directory, start, options);
  return { ...names, stats: statsOf(directory, names.page) };
}

/** A name that cannot be looked at hides none of the others. */
function statsOf(directory: OpenDirectory, page: readonly DirectoryEntry[]): readonly (EntryStat | undefined)[] {
  const names = page.map(({ name }) => name);
  try {
    return statEntries(directory, names);
  } catch {
    return names.length > 1 ? page.flatMap((one) => statsOf(directory, [one])) : [undefined];
  }
}

function namesPage(ctx: SearchContext, directory: OpenDirectory, start: Located, options: LevelPageOptions): NamesPage {
  const { after } = options;
  const isDenied = ctx.scope.deniesIn(start);
  if (after === undefined) return pageOf(readDirectory(directory), isDenied, options);
  const names = readToKeep(ctx.scope, directory, start);
  if (names instanceof OrderedNames) return names.pageAfter({ ...options, after });
  const left = names.filter(({ name }) => compareNames(name, after) > 0);
  return pageOf(left, isDenied, options);
}

function pageOf(
  entries: readonly DirectoryEntry[],
  isDenied: (name: string) => boolean,
  { hidden, limit }: LevelPageOptions,
): NamesPage {
  const skipped = new Skipped();
  const top = new TopEntries<DirectoryEntry>(limit, (a, b) => compareNames(a.name, b.name));
  for (const entry of entries) {
    if (isDenied(entry.name)) skipped.denied++;
    else if (!hidden && isDotName(entry)) skipped.hidden++;
    else {
      skipped.count(entry.type);
      top.offer(entry);
    }
  }
  return { skipped, page: top.take(), seen: top.seen };
}

interface NamesPage {
  readonly skipped: Skipped;
  /** The first names after the place to go on, in order. */
  readonly page: readonly DirectoryEntry[];
  /** Names from that place on. */
  readonly seen: number;
}

let kept: { readonly scope: Scope; readonly mark: string; readonly names: OrderedNames } | undefined;
/** Smaller directories are read again as fast; larger ones would take more than some tens of megabytes. */
const [FEWEST_KEPT, MOST_KEPT] = [2000, 500_000];

/** The directory's names in order, or just its entries when they cannot be kept. */
export function readToKeep(
  scope: Scope,
  directory: OpenDirectory,
  start: Located,
): OrderedNames | readonly DirectoryEntry[] {
  const mark = markOf(directory, start);
  if (mark !== undefined && kept?.mark === mark && kept.scope === scope) return kept.names;
  kept = undefined;
  const entries = readDirectory(directory);
  const isWorthIt = entries.length >= FEWEST_KEPT && entries.length <= MOST_KEPT;
  // What changes while it is read is not what was marked.
  if (mark === undefined || !isWorthIt || mark !== markOf(directory, start)) return entries;
  kept = { scope, mark, names: new OrderedNames(sortByName(entries), scope.deniesIn(start)) };
  return kept.names;
}

/**
 * The directory, by which path, because rules go by paths, and its last change; `undefined` when a change of now might
 * not be seen.
 */
function markOf({ fd }: OpenDirectory, { root, rel }: Located): string | undefined {
  if (fd < 0) return undefined;
  const { dev, ino, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
  if (nowMs() - Number(ctimeNs / 1_000_000n) < SETTLED_MS) return undefined;
  return `${root.index} ${dev} ${ino} ${mtimeNs} ${ctimeNs} ${rel}`;
}

/** Two changes within one tick of the system's clock have the same time; and some file systems count in seconds. */
const SETTLED_MS = 2500;

/** The names that may be shown, in order, and the kind of each, so that a page counts what comes after it in one pass. */
export class OrderedNames {
  readonly #entries: readonly DirectoryEntry[];
  readonly #denied: readonly DirectoryEntry[];
  /** An index into `KINDS`; the names that begin with a dot have `KINDS.length` more. */
  readonly #kinds: Uint8Array;

  /** @param sorted by name */
  constructor(sorted: readonly DirectoryEntry[], isDenied: (name: string) => boolean) {
    this.#denied = sorted.filter(({ name }) => isDenied(name));
    const denied = new Set(this.#denied);
    this.#entries = denied.size === 0 ? sorted : sorted.filter((entry) => !denied.has(entry));
    this.#kinds = Uint8Array.from(
      this.#entries,
      (entry) => KINDS.indexOf(memberOf(entry.type)) + (isDotName(entry) ? KINDS.length : 0),
    );
  }

  pageAfter({ hidden, limit, after }: LevelPageOptions & { readonly after: string }): NamesPage {
    const first = firstAfter(this.#entries, after);
    const page: DirectoryEntry[] = [];
    for (let at = first; page.length < limit && at < this.#entries.length; at++) {
      const entry = this.#entries[at];
      if (entry && (hidden || !isDotName(entry))) page.push(entry);
    }
    const counts = new Uint32Array(KINDS.length * 2);
    for (let at = first; at < this.#kinds.length; at++) {
      const kind = this.#kinds[at] ?? 0;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    const skipped = new Skipped();
    for (const [kind, count] of counts.entries()) {
      if (kind >= KINDS.length && !hidden) skipped.hidden += count;
      else skipped[KINDS[kind % KINDS.length] ?? "special"] += count;
    }
    skipped.denied = this.#denied.length - firstAfter(this.#denied, after);
    return { skipped, page, seen: this.#entries.length - first - skipped.hidden };
  }
}

const KINDS = ["files", "directories", "links", "special"] as const;

function isDotName({ name }: DirectoryEntry): boolean {
  return name.startsWith(".");
}

function firstAfter(entries: readonly DirectoryEntry[], after: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareNames(entries[middle]?.name ?? "", after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface PathCompletions {
  /** Paths in the form of the beginning, directories with a slash at the end. */
  readonly paths: readonly string[];
  readonly hasMore: boolean;
}

/** More are never shown by a client, and the protocol allows no more. */
const MAX_COMPLETIONS = 100;
const NONE: PathCompletions = { paths: [], hasMore: false };

export function completePath(
  ctx: SearchContext,
  beginning: string,
  admits: (path: string) => boolean,
): PathCompletions {
  const known = readName(beginning);
  if (known === undefined) return NONE;
  const cut = known.lastIndexOf("/") + 1;
  const [parent, last] = [known.slice(0, cut), known.slice(cut)];
  const outer = ctx.scope.roots
    .filter(({ index }) => index > 0 || known.startsWith("/"))
    .map(({ spellings }) => `${showName(spellings[0] ?? "")}/`)
    .filter((path) => path.startsWith(beginning) && path !== beginning && admits(path));
  const { paths, hasMore } = known.startsWith("~") ? NONE : namesIn(ctx, parent, last, admits);
  const all = [...paths, ...outer];
  return { paths: all.slice(0, MAX_COMPLETIONS), hasMore: hasMore || all.length > MAX_COMPLETIONS };
}

function namesIn(ctx: SearchContext, parent: string, last: string, admits: (path: string) => boolean): PathCompletions {
  const pathOf = ({ name }: DirectoryEntry): string => showName(parent + name);
  try {
    const at = ctx.scope.locate(parent === "" ? "." : showName(parent), "complete");
    const start = ctx.scope.resolve({ ...at, mustBeDirectory: true }, "complete");
    const isOpen = (entry: DirectoryEntry): boolean =>
      !ctx.scope.denies(ctx.scope.child(start, entry.name)) && admits(pathOf(entry));
    const { found, hasMore } = firstNames(ctx, start, last, isOpen);
    const paths = found.map((entry) => pathOf(entry) + (isDirectory(ctx, start, entry) ? "/" : ""));
    return { paths, hasMore };
  } catch (thrown) {
    if (thrown instanceof Failure) return NONE;
    throw thrown;
  }
}

/** The first names. Only names that would be among them are asked about, because rules cost more than reading. */
function firstNames(
  ctx: SearchContext,
  start: Located,
  beginning: string,
  isOpen: (entry: DirectoryEntry) => boolean,
): { readonly found: readonly DirectoryEntry[]; readonly hasMore: boolean } {
  using directory = ctx.scope.openDirectory(start, "complete", "refuse");
  const top = new TopEntries<DirectoryEntry>(MAX_COMPLETIONS, (a, b) => compareNames(a.name, b.name));
  let hasMore = false;
  for (const entry of readDirectory(directory)) {
    if (!entry.name.startsWith(beginning)) continue;
    if (top.last && compareNames(entry.name, top.last.name) > 0) hasMore = true;
    else if (isOpen(entry)) top.offer(entry);
  }
  return { found: top.take(), hasMore: hasMore || top.seen > MAX_COMPLETIONS };
}

function isDirectory(ctx: SearchContext, start: Located, { name, type }: DirectoryEntry): boolean {
  using directory = type === "symlink" ? ctx.scope.tryDirectory(ctx.scope.child(start, name)) : undefined;
  return type === "directory" || directory !== undefined;
}
