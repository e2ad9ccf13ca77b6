/**
 * Files by pattern. Newest first looks at every match; by name it stops at the limit. Directories and links are not
 * files and are given only on request.
 */
import { limits } from "../base/index.ts";
import type { Located } from "../scope/index.ts";
import {
  clampLimit,
  mostResults,
  newRoom,
  sizeOfPath,
  takeOne,
  type Cut,
  type SearchContext,
  markTree,
  nextCall,
  readCursor,
} from "./context.ts";
import {
  FoundEntry,
  isPlace,
  newest,
  startOf,
  walkOptions,
  type Found,
  type GlobFound,
  type GlobOptions,
  type GlobQuestion,
  type MarkedPlace,
} from "./glob-newest.ts";
import { compileGlob, matchInOrder } from "./ignore/glob-pattern.ts";
import type { WalkTotals } from "./walk/skipped.ts";
import { Walk } from "./walk/walk.ts";

export interface GlobAnswer extends Cut {
  paths: string[];
  totals: WalkTotals & { paths: number; at_least?: true };
  /** When nothing was found and a small change of the pattern would find something, or this cannot be gone on with. */
  hint?: string;
}

/** @throws Failure `invalid_input`, `outside_scope`, `not_found`, `denied` */
export async function glob(ctx: SearchContext, options: GlobOptions): Promise<GlobAnswer> {
  const { start, patterns } = startOf(ctx, options);
  const matcher = compileGlob(patterns, options.hidden === true);
  const limit = mostResults(ctx, clampLimit(options.limit ?? limits.USUAL_PATHS, limits.MAX_PATHS));
  const place = readCursor(options, "glob", isPlace);
  const asked: GlobQuestion = { options, matcher, limit, place };
  const found =
    options.sort === "name" || options.directories ? await byName(ctx, start, asked) : await newest(ctx, start, asked);
  const { walk, entries, seen } = found;
  const paths = pathsThatFit(ctx, entries, options.limit);
  const more = found.more || paths.length < entries.length;
  const mark = (rel: string): string => markTree(ctx, start, rel) + (found.sum?.mark() ?? "");
  const last = entries[paths.length - 1];
  const answer: GlobAnswer = {
    paths,
    truncated: more || walk.stoppedBy !== undefined,
    totals: { paths: seen, ...walk.skipped.totals() },
  };
  if (walk.stoppedBy || (more && (options.sort === "name" || options.directories))) answer.totals.at_least = true;
  if (walk.stoppedBy) answer.stopped_by = walk.stoppedBy;
  if (place && !walk.stoppedBy && place.mark !== mark(place.rel)) answer.tree_changed = true;
  // What comes first of all is not known then: going on after the last would pass over what was not looked at.
  const canGoOn = !walk.stoppedBy || !found.sum;
  if (answer.truncated && last && canGoOn) {
    const next: MarkedPlace = { rel: last.rel, mtimeMs: last.mtimeMs, mark: mark(last.rel) };
    answer.next = nextCall(options, next);
  }
  const isEmpty = entries.length === 0 && !place;
  const hint = !canGoOn ? STOPPED : isEmpty ? await hintFor(ctx, options, start, patterns) : undefined;
  if (hint) answer.hint = hint;
  return answer;
}

const STOPPED = 'This cannot be gone on with: narrow it by path or pattern, or pass sort: "name".';

/** As many as one message may hold, and at least one. */
function pathsThatFit(ctx: SearchContext, entries: readonly Found[], asked: number | undefined): string[] {
  const room = newRoom(ctx, asked, entries.length);
  const paths: string[] = [];
  for (const entry of entries) {
    const path = ctx.scope.show(entry.at);
    if (!takeOne(room, sizeOfPath(path))) break;
    paths.push(path);
  }
  return paths;
}

async function byName(
  ctx: SearchContext,
  start: Located,
  { options, matcher, limit, place }: GlobQuestion,
): Promise<GlobFound> {
  const after = place?.rel;
  const walk = new Walk(ctx, start, { ...walkOptions(options, matcher), depth: Infinity, after });
  const entries: Found[] = [];
  const matches = matchInOrder(matcher);
  for (const entry of walk.inTurns()) {
    if (entry instanceof Promise) {
      await entry;
      continue;
    }
    if ((entry.type !== "file" && !options.directories) || !matches(entry)) continue;
    if (entries.length === limit) return { walk, entries, more: true, seen: limit + 1 };
    entries.push(new FoundEntry(entry, 0));
  }
  return { walk, entries, more: false, seen: entries.length };
}

/** `*.ts` means the top level; people and models often mean any depth. One quick look says so. */
async function hintFor(
  ctx: SearchContext,
  options: GlobOptions,
  start: Located,
  patterns: readonly string[],
): Promise<string | undefined> {
  const only = patterns.length === 1 ? (patterns[0] ?? "") : "";
  if (only === "" || only.includes("/") || only.includes("**")) return undefined;
  const deeper = compileGlob([`**/${only}`], options.hidden === true);
  const { no_ignore, hidden } = options;
  const asked: GlobQuestion = {
    options: { pattern: "", no_ignore, hidden },
    matcher: deeper,
    limit: 1,
    place: undefined,
  };
  const { entries } = await byName(ctx, start, asked);
  const example = entries[0];
  return (
    example &&
    `"${only}" matches at the top level only; "**/${only}" would find files such as "${ctx.scope.show(example.at)}".`
  );
}

interface FoundFiles {
  readonly files: readonly Located[];
  /** Not all of them: there are more than `limit`, or the time was over. */
  readonly cut: boolean;
}

/**
 * The files of a tree that an operator's patterns name, whatever git ignores: for keeping them before a program may change
 * them. What recursive tools skip is entered only where a pattern spells it.
 *
 * @throws Failure `invalid_input` for a pattern that is none
 */
export function findFiles(ctx: SearchContext, start: Located, patterns: readonly string[], limit: number): FoundFiles {
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
