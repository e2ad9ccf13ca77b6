/**
 * The search of file contents: which files (walk), which lines (matcher), in path order, until there is enough. The
 * answer says what was not searched, and how to go on; running out of time gives what was found so far.
 */
import { createCancel, monotonicMs, toEnd } from "../../base/index.ts";
import { hasMembers, markTree, nextCall, readCursor, type SearchContext } from "../context.ts";
import { createBacktrackingMatcher } from "../engine/backtracking-matcher.ts";
import { keptMatcher } from "../engine/create-matcher.ts";
import { type Matcher, looksLikeGlob } from "../engine/matcher.ts";
import { createFileFilter } from "../walk/file-filter.ts";
import { startAnywhere, Walk } from "../walk/walk.ts";
import {
  type GrepAnswer,
  GrepFound,
  type GrepOptions,
  type GrepPlace,
  type GrepPlan,
  grepTotals,
  type GrepTotals,
  resolveGrep,
} from "./grep-answer.ts";
import { grepNamedFile } from "./grep-file.ts";
import { grepTree, newRun } from "./grep-tree.ts";

/** @throws Failure `invalid_input`, `unsupported`, `not_found`, `outside_scope`, `denied` */
export async function grep(ctx: SearchContext, options: GrepOptions): Promise<GrepAnswer> {
  const plan = resolveGrep(options);
  // A path that may not be searched is said before anything about the pattern.
  startAnywhere(ctx, options.path, "search");
  using linear = await keptMatcher(plan);
  if (linear) {
    const startedMs = monotonicMs();
    const answer = await search(ctx, options, plan, linear.matcher);
    const hint = await hintFor(ctx, options, plan, { ...answer, tookMs: monotonicMs() - startedMs });
    return hint === undefined ? answer : { ...answer, hint };
  }
  if (ctx.apart) {
    const answer = ctx.apart(JSON.stringify(options));
    return JSON.parse(await (ctx.turn?.away(answer) ?? answer)) as GrepAnswer;
  }
  using matcher = await createBacktrackingMatcher(plan, ctx.cancel);
  // A match asks this job whether it should stop, so no part of it is another worker's.
  const { share: _share, ...alone } = ctx;
  return await search(alone, options, plan, matcher);
}

type MarkedPlace = GrepPlace & { readonly mark: string };

async function search(ctx: SearchContext, options: GrepOptions, plan: GrepPlan, matcher: Matcher): Promise<GrepAnswer> {
  const place = readCursor(options, "grep", isPlace);
  const start = startAnywhere(ctx, options.path, "search");
  const mark = ({ rel, at }: GrepPlace): string => markTree(ctx, start.at, rel, at !== undefined);
  const isChanged = place !== undefined && place.mark !== mark(place);
  const filter = createFileFilter(options);
  const walk = new Walk(ctx, start.at, {
    verb: "search",
    depth: Infinity,
    hidden: options.hidden === true,
    useIgnore: options.no_ignore !== true,
    follow: options.follow === true,
    override: filter.override,
    keepsHidden: filter.keepsHidden,
    after: place?.rel,
    isAfterIncluded: place?.at !== undefined,
  });
  using run = newRun(ctx, plan, matcher);
  const found = new GrepFound(ctx, plan, place);
  const { end, walked } = start.isFile
    ? {
        end: found.add("", ctx.scope.show(start.at), await toEnd(grepNamedFile(run, start.at, found.room, place?.at))),
        walked: walk.skipped.totals(),
      }
    : await grepTree({ run, walk, filter, options, found, place });
  const state = ctx.cancel.state();
  const stoppedBy = walk.stoppedBy ?? (end === "stopped" && state !== "none" ? state : undefined);
  const truncated = end !== "done" || stoppedBy !== undefined;
  // The next page begins where this one ended, so it passes nothing over.
  const { skip: _, ...same } = options;
  return {
    ...found.results(),
    truncated,
    totals: grepTotals(run.totals, walked, found, truncated),
    engine: matcher.engine,
    ...(stoppedBy ? { stopped_by: stoppedBy } : {}),
    ...(isChanged ? { tree_changed: true as const } : {}),
    ...(truncated ? { next: nextCall(same, { ...found.next, mark: mark(found.next) }) } : {}),
  };
}

function isPlace(value: unknown): value is MarkedPlace {
  if (!hasMembers(value, { rel: "string", mark: "string" })) return false;
  const at: unknown = typeof value === "object" && value !== null && "at" in value ? value.at : undefined;
  return at === undefined || hasMembers(at, { line: "number", column: "number" });
}

/**
 * A short look, so that an answer without a match is not much later for it: a twentieth of what the search took, and what
 * nobody notices where that took no time itself.
 */
const LOOK = { share: 0.05, leastMs: 20, mostMs: 100 };

async function hintFor(
  ctx: SearchContext,
  options: GrepOptions,
  plan: GrepPlan,
  { totals, truncated, tookMs }: GrepAnswer & { readonly tookMs: number },
) {
  if (totals.matches > 0 || truncated || plan.invert || options.cursor !== undefined) return undefined;
  let leftMs = Math.min(LOOK.mostMs, Math.max(LOOK.leastMs, tookMs * LOOK.share));
  for (const { words, ...change } of otherCalls(plan, totals)) {
    const other: GrepOptions = { ...options, ...change, output: "files", limit: 1 };
    const otherPlan = resolveGrep(other);
    using kept = await keptMatcher(otherPlan);
    // Not the time in which an engine is loaded, which is longer than the look.
    const begunMs = monotonicMs();
    const cancel = createCancel(begunMs + leftMs, () => ctx.cancel.state() !== "none");
    const { scope, skip, ignore, progress, turn } = ctx;
    const alone = { scope, skip, ignore, progress, turn, cancel };
    const [path] = (kept && (await search(alone, other, otherPlan, kept.matcher)))?.paths ?? [];
    if (path !== undefined) return `Nothing matches; with ${words} something would, for example in "${path}".`;
    leftMs -= monotonicMs() - begunMs;
  }
  const { pattern, literal } = plan;
  if (literal || !looksLikeGlob(pattern)) return undefined;
  return `Nothing matches, and the pattern looks like a glob: give it as include: [${JSON.stringify(pattern)}], or use glob.`;
}

/** What is to change in the call, as it is said to the caller and as it is; the likeliest first. */
function otherCalls(plan: GrepPlan, totals: GrepTotals): (Partial<GrepOptions> & { readonly words: string })[] {
  const { pattern, literal } = plan;
  const classes = literal ? pattern : bracketBareClasses(pattern);
  const calls: ReturnType<typeof otherCalls> = [];
  if (classes !== pattern) calls.push({ words: `pattern: ${JSON.stringify(classes)}`, pattern: classes });
  if (!literal && /[\\^$.|?*+()[\]{}]/.test(pattern)) calls.push({ words: "literal: true", literal: true });
  if (plan.word) calls.push({ words: "word: false", word: false });
  if (plan.line) calls.push({ words: "line: false", line: false });
  if (plan.case !== "insensitive" && /\p{L}/u.test(pattern))
    calls.push({ words: 'case: "insensitive"', case: "insensitive" });
  if (totals.hidden > 0) calls.push({ words: "hidden: true", hidden: true });
  if (totals.ignored > 0) calls.push({ words: "no_ignore: true", no_ignore: true });
  return calls;
}

/**
 * A named class that stands in no brackets of its own is a set of the letters of its name. One pass: to look back from each
 * class for its bracket would take the square of the pattern's length.
 */
function bracketBareClasses(pattern: string): string {
  let isInBrackets = false;
  return pattern.replaceAll(/\[:\^?[a-z]+:\]|[[\]]/g, (part) => {
    if (part.length > 1) return isInBrackets ? part : `[${part}]`;
    isInBrackets = part === "[";
    return part;
  });
}
