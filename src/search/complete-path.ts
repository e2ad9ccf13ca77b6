/**
 * The paths that a beginning of one could become: the names in the directory that it names, as far as they begin with its
 * last part. What a list would leave out is never named, nor what `admits` does not let through; a directory that cannot
 * be opened, wherever it is, has no names.
 */
import { Failure } from "../base/index.ts";
import { readName, showName, type Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import { listLevel } from "./list-level.ts";

export interface PathCompletions {
  /** Paths in the form of the beginning, directories with a slash at the end. */
  readonly paths: readonly string[];
  readonly hasMore: boolean;
}

/** More are never shown by a client, and the protocol allows no more. */
export const MAX_COMPLETIONS = 100;
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

function namesIn(
  ctx: SearchContext,
  parent: string,
  last: string,
  admits: (path: string) => boolean,
): PathCompletions {
  try {
    const at = ctx.scope.locate(parent === "" ? "." : showName(parent), "complete");
    const start = ctx.scope.resolve({ ...at, mustBeDirectory: true }, "complete");
    const limit = MAX_COMPLETIONS * 2;
    const { page, seen } = listLevel(ctx, start, { hidden: true, limit, beginning: last });
    const paths = page
      .map((entry) => showName(parent + entry.name) + (isDirectory(ctx, entry) ? "/" : ""))
      .filter(admits);
    return {
      paths: paths.slice(0, MAX_COMPLETIONS),
      hasMore: seen > limit || paths.length > MAX_COMPLETIONS,
    };
  } catch (thrown) {
    if (thrown instanceof Failure) return NONE;
    throw thrown;
  }
}

function isDirectory(ctx: SearchContext, { at, type }: { at: Located; type: string }): boolean {
  if (type !== "symlink") return type === "directory";
  using directory = ctx.scope.tryDirectory(at);
  return directory !== undefined;
}
