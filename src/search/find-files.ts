/**
 * The files of a tree that an operator's patterns name, whatever git ignores: for keeping them before a program may change
 * them. What recursive tools skip is entered only where a pattern spells it.
 */
import type { Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import { compileGlob, matchInOrder } from "./ignore/glob-pattern.ts";
import { Walk } from "./walk/walk.ts";

interface FoundFiles {
  readonly files: readonly Located[];
  /** Not all of them: there are more than `limit`, or the time was over. */
  readonly cut: boolean;
}

/** @throws Failure `invalid_input` for a pattern that is none */
export function findFiles(
  ctx: SearchContext,
  start: Located,
  patterns: readonly string[],
  limit: number,
): FoundFiles {
  const matcher = compileGlob(patterns, true);
  const isSkipped = (rel: string): boolean =>
    ctx.skip.includes(rel.slice(rel.lastIndexOf("/") + 1)) && !matcher.isNamed(rel);
  const walk = new Walk(ctx, start, {
    verb: "keep",
    depth: Infinity,
    hidden: true,
    useIgnore: false,
    enters: (rel) => matcher.enters(rel) && !isSkipped(rel),
  });
  const files: Located[] = [];
  const matches = matchInOrder(matcher);
  for (const entry of walk) {
    if (entry.type !== "file" || !matches(entry)) continue;
    if (files.length === limit) return { files, cut: true };
    files.push(entry.at);
  }
  return { files, cut: walk.stoppedBy !== undefined };
}
