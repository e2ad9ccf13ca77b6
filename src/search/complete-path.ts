/**
 * The paths that a beginning of one could become: the names in the directory that it names, as far as they begin with its
 * last part. What a list would leave out is never named, nor what `admits` does not let through; a directory that cannot
 * be opened, wherever it is, has no names.
 */
import { Failure } from "../base/index.ts";
import { readName, showName, type Located } from "../scope/index.ts";
import { readDirectory, type DirectoryEntry } from "../sys/index.ts";
import type { SearchContext } from "./context.ts";
import { compareNames, TopEntries } from "./walk/name-order.ts";

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
