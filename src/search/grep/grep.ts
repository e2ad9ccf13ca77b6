/**
 * The search of file contents: which files (walk), which lines (matcher), in path order, until there is enough. The
 * answer says what was not searched, and how to go on; running out of time gives what was found so far.
 */
import { createCancel, monotonicMs, toEnd } from "../../base/index.ts";
import type { Located } from "../../scope/index.ts";
import { type SearchContext, hasMembers, markTree, nextCall, readCursor } from "../context.ts";
import { createBacktrackingMatcher } from "../engine/backtracking-matcher.ts";
import { keptMatcher } from "../engine/create-matcher.ts";
import type { Matcher } from "../engine/matcher.ts";
import { looksLikeGlob } from "../engine/pattern-failure.ts";
import {
  type GrepAnswer,
  GrepFound,
  type GrepOptions,
  type GrepPlace,
  type GrepPlan,
  grepTotals,
  type GrepTotals,
  type MarkedPlace,
  resolveGrep,
  type FileEnd,
} from "./grep-answer.ts";
import { grepNamedFile, type GrepRun } from "./grep-file.ts";
import { grepTree, newRun } from "./grep-tree.ts";
import { createFileFilter, type FileFilter } from "../walk/file-filter.ts";
import type { WalkTotals } from "../walk/skipped.ts";
import { startAnywhere, Walk } from "../walk/walk.ts";

/** @throws Failure `invalid_input`, `unsupported`, `not_found`, `outside_scope`, `denied` */
export async function grep(ctx: SearchContext, options: GrepOptions): Promise<GrepAnswer> {
  const plan = resolveGrep(options);
  // A path that may not be searched is said before anything about the pattern.
  startAnywhere(ctx, options.path, "search");
  using linear = await keptMatcher(plan);
  if (linear) {
    const answer = await search(ctx, options, plan, linear.matcher);
    const hint = await hintFor(ctx, options, plan, answer);
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

/** A short look, so that an answer without a match is not much later for it. */
const LOOK_MS = 100;

async function hintFor(
  ctx: SearchContext,
  options: GrepOptions,
  plan: GrepPlan,
  { totals, truncated }: GrepAnswer,
): Promise<string | undefined> {
  if (totals.matches > 0 || truncated || plan.invert || options.cursor !== undefined) return undefined;
  const deadlineMs = monotonicMs() + LOOK_MS;
  const cancel = createCancel(deadlineMs, () => ctx.cancel.state() !== "none");
  for (const call of otherCalls(plan, totals)) {
    const other: GrepOptions = { ...options, ...call.change, output: "files", limit: 1 };
    const otherPlan = resolveGrep(other);
    using kept = await keptMatcher(otherPlan);
    const { scope, skip, progress, turn } = ctx;
    const alone = { scope, skip, progress, turn, cancel };
    const found = kept && (await search(alone, other, otherPlan, kept.matcher));
    const [path] = found?.paths ?? [];
    if (path !== undefined) return otherCallHint(call, path);
  }
  return globHint(plan);
}

interface OtherCall {
  /** As it is said to the caller. */
  readonly words: string;
  readonly change: Partial<GrepOptions>;
}

/** The likeliest first. */
function otherCalls(plan: GrepPlan, totals: GrepTotals): OtherCall[] {
  const { pattern, literal } = plan;
  const classes = literal ? pattern : bracketBareClasses(pattern);
  const calls: OtherCall[] = [];
  if (classes !== pattern) calls.push({ words: `pattern: ${JSON.stringify(classes)}`, change: { pattern: classes } });
  if (!literal && /[\\^$.|?*+()[\]{}]/.test(pattern)) calls.push({ words: "literal: true", change: { literal: true } });
  if (plan.word) calls.push({ words: "word: false", change: { word: false } });
  if (plan.line) calls.push({ words: "line: false", change: { line: false } });
  if (plan.case !== "insensitive" && /\p{L}/u.test(pattern))
    calls.push({ words: 'case: "insensitive"', change: { case: "insensitive" } });
  if (totals.hidden > 0) calls.push({ words: "hidden: true", change: { hidden: true } });
  if (totals.ignored > 0) calls.push({ words: "no_ignore: true", change: { no_ignore: true } });
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

/** @param found a file that the other call finds something in */
function otherCallHint({ words }: OtherCall, found: string): string {
  return `Nothing matches; with ${words} something would, for example in "${found}".`;
}

function globHint({ pattern, literal }: GrepPlan): string | undefined {
  if (literal || !looksLikeGlob(pattern)) return undefined;
  return `Nothing matches, and the pattern looks like a glob: give it as include: [${JSON.stringify(pattern)}], or use glob.`;
}

async function search(ctx: SearchContext, options: GrepOptions, plan: GrepPlan, matcher: Matcher): Promise<GrepAnswer> {
  const place = readCursor(options, "grep", isPlace);
  const start = startAnywhere(ctx, options.path, "search");
  const isChanged = place !== undefined && place.mark !== markPlace(ctx, start.at, place);
  const filter = createFileFilter(options);
  const walk = walkOf(ctx, options, start.at, filter, place);
  using run = newRun(ctx, plan, matcher, options.follow === true);
  const found = new GrepFound(ctx, plan, place);
  const { end, walked } = start.isFile
    ? { end: await grepNamed(run, start.at, found, place), walked: walk.skipped.totals() }
    : await grepTree({ run, walk, filter, options, found, place });
  const answer = answerOf(run, walk, found, end, walked);
  if (isChanged) answer.tree_changed = true;
  if (answer.truncated) answer.next = nextCall(options, { ...found.next, mark: markPlace(ctx, start.at, found.next) });
  return answer;
}

function markPlace(ctx: SearchContext, start: Located, { rel, at }: GrepPlace): string {
  return markTree(ctx, start, rel, at !== undefined);
}

async function grepNamed(run: GrepRun, at: Located, found: GrepFound, place: GrepPlace | undefined): Promise<FileEnd> {
  const one = await toEnd(grepNamedFile(run, at, found.room, place?.at));
  return found.add("", run.ctx.scope.show(at), one);
}

function walkOf(
  ctx: SearchContext,
  options: GrepOptions,
  start: Located,
  filter: FileFilter,
  place: GrepPlace | undefined,
): Walk {
  return new Walk(ctx, start, {
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
}

function answerOf(run: GrepRun, walk: Walk, found: GrepFound, end: FileEnd, walked: WalkTotals): GrepAnswer {
  const state = run.ctx.cancel.state();
  const stoppedBy = walk.stoppedBy ?? (end === "stopped" && state !== "none" ? state : undefined);
  const truncated = end !== "done" || stoppedBy !== undefined;
  const answer: GrepAnswer = {
    ...found.results(),
    truncated,
    totals: grepTotals(run.totals, walked, found, truncated),
    engine: run.matcher.engine,
  };
  if (stoppedBy) answer.stopped_by = stoppedBy;
  return answer;
}

function isPlace(value: unknown): value is MarkedPlace {
  if (!hasMembers(value, { rel: "string", mark: "string" })) return false;
  const at: unknown = typeof value === "object" && value !== null && "at" in value ? value.at : undefined;
  return at === undefined || hasMembers(at, { line: "number", column: "number" });
}
