/**
 * The files of a tree through a grep, in path order. The first files are searched one by one, because a common pattern has
 * its answer there. The others go in parts of a fixed number. The worker that was asked searches some parts itself and gives
 * others to a worker that has time; the same code runs in both, and nothing in the answer tells which it was.
 */
import { Failure, type InTurns, toEnd } from "../../base/index.ts";
import { ListedFiles, type Located } from "../../scope/index.ts";
import { newRoom, type SearchContext } from "../context.ts";
import { keptMatcher } from "../engine/create-matcher.ts";
import type { Matcher } from "../engine/matcher.ts";
import {
  addTotals,
  type FileTotals,
  type GrepFound,
  type GrepOptions,
  type GrepPlace,
  type GrepPlan,
  type GrepRun,
  noFiles,
  resolveGrep,
  type FileEnd,
  type FileFound,
} from "./grep-answer.ts";
import { type FoundFile, grepFile } from "./grep-file.ts";
import { WindowBuffer } from "./line-windows.ts";
import type { FileFilter } from "../walk/file-filter.ts";
import type { WalkTotals } from "../walk/read-level.ts";
import type { LevelEntry } from "../walk/read-level.ts";
import { inParts } from "../walk/shared-parts.ts";
import type { Walk } from "../walk/walk.ts";

/** A few milliseconds of searching each. */
const FIRST_FILES = 256;
const PART_FILES = 256;

interface TreeSearch {
  readonly run: GrepRun;
  readonly walk: Walk;
  readonly filter: FileFilter;
  readonly options: GrepOptions;
  readonly found: GrepFound;
  readonly place: GrepPlace | undefined;
}

interface TreeEnd {
  readonly end: FileEnd;
  /** What the walk had seen when the last file of the answer was taken from it. */
  readonly walked: WalkTotals;
}

interface Part {
  readonly entries: readonly LevelEntry[];
  readonly walked: WalkTotals;
}

export async function grepTree(search: TreeSearch): Promise<TreeEnd> {
  const files = wantedFiles(search);
  const first = await toEnd(grepFirst(search, files));
  if (first) return { end: first, walked: search.walk.skipped.totals() };
  const { run, options, walk } = search;
  const state: { end: FileEnd; walked?: WalkTotals } = { end: "done" };
  try {
    const parts = partsOf(walk, files);
    await inParts<Part, PartAnswer>(run.ctx, {
      name: "part:grep",
      next: () => parts.next().value ?? undefined,
      request: ({ entries }) => partRequest(run.ctx, options, entries),
      async here({ entries }) {
        const answer = await toEnd(grepPart(run, entries));
        run.ctx.tidy?.();
        return answer;
      },
      take(part, answer) {
        state.end = take(search, part, answer);
        if (state.end !== "done") state.walked = part.walked;
        return state.end !== "done";
      },
    });
  } catch (thrown) {
    // A part was told to stop because this search was.
    const isStopped = thrown instanceof Failure && ["cancelled", "timed_out"].includes(thrown.code);
    if (!isStopped || run.ctx.cancel.state() === "none") throw thrown;
    state.end = "stopped";
  }
  return { end: state.end, walked: state.walked ?? walk.skipped.totals() };
}

/** With a promise of the next turn wherever others should have the thread. */
type Files = Generator<LevelEntry | Promise<void>, void, undefined>;

function* wantedFiles({ walk, filter }: TreeSearch): Files {
  for (const entry of walk.inTurns())
    if (entry instanceof Promise || (entry.type === "file" && filter.accepts(entry.name))) yield entry;
}

/** `undefined`: there are more. */
function* grepFirst({ run, found, place }: TreeSearch, files: Files): InTurns<FileEnd | undefined> {
  for (let count = 0; count < FIRST_FILES;) {
    const next = files.next();
    if (next.done) return "done";
    if (next.value instanceof Promise) {
      yield next.value;
      continue;
    }
    count++;
    const { at, rel } = next.value;
    const after = rel === place?.rel ? place.at : undefined;
    const begun = grepFile(run, next.value, found.room, after);
    const one = "next" in begun ? yield* begun : begun;
    const end = found.add(rel, run.ctx.scope.show(at), one);
    if (end !== "done") return end;
    const turn = run.ctx.turn?.pause();
    if (turn) yield turn;
  }
  return undefined;
}

function* partsOf(walk: Walk, files: Files): Generator<Part | Promise<void>, void, undefined> {
  for (let entries: LevelEntry[] = []; ; entries = []) {
    while (entries.length < PART_FILES) {
      const next = files.next();
      if (next.done) break;
      if (next.value instanceof Promise) yield next.value;
      else entries.push(next.value);
    }
    if (entries.length === 0) return;
    yield { entries, walked: walk.skipped.totals() };
  }
}

function take({ run, found }: TreeSearch, { entries }: Part, answer: PartAnswer): FileEnd {
  addTotals(run.totals, answer.totals);
  for (const [index, one] of answer.found) {
    const entry = entries[index];
    if (!entry) continue;
    const before = entries[index - 1];
    if (before) found.pass(before.rel);
    const end = found.add(entry.rel, run.ctx.scope.show(entry.at), one);
    if (end !== "done") return end;
  }
  const last = entries.at(-1);
  if (last) found.pass(last.rel);
  return "done";
}

interface PartAnswer {
  /** By the number of the file in the part, only those with something to say, in order. */
  readonly found: readonly (readonly [index: number, found: FileFound])[];
  readonly totals: FileTotals;
}

interface PartRequest {
  readonly options: GrepOptions;
  readonly hidesKeys: boolean;
  readonly root: number;
  /** Directories below the root, each followed by the names of files in it, joined by what no path holds. */
  readonly directories: string;
}

const BETWEEN_DIRECTORIES = "///";
const BETWEEN_NAMES = "//";

/** What the grep of a tree, or of a part of one, starts with. */
export function newRun(ctx: SearchContext, plan: GrepPlan, matcher: Matcher): GrepRun & Disposable {
  const files = new ListedFiles(ctx.scope);
  return {
    ctx,
    plan,
    matcher,
    buffer: new WindowBuffer(),
    files,
    totals: noFiles(),
    onBytes: progressOf(ctx),
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}

/** Until one file says that the part is full, or that the search was stopped. */
function* grepPart(run: GrepRun, files: readonly FoundFile[]): InTurns<PartAnswer> {
  const totals = noFiles();
  const part: GrepRun = { ...run, totals };
  const room = newRoom(run.ctx, run.plan.asked, run.plan.limit, run.plan.skip);
  const found: [number, FileFound][] = [];
  for (let index = 0; index < files.length; index++) {
    const file = files[index];
    if (!file) break;
    const begun = grepFile(part, file, room);
    const one = "next" in begun ? yield* begun : begun;
    if (one.end !== "done" || one.count > 0 || one.matches.length > 0) found.push([index, one]);
    if (one.end !== "done") break;
    const turn = run.ctx.turn?.pause();
    if (turn) yield turn;
  }
  return { found, totals };
}

function partRequest({ hidesKeys = false }: SearchContext, options: GrepOptions, files: readonly FoundFile[]): string {
  const { cursor: _cursor, ...same } = options;
  let directories = "";
  let last: Located | undefined;
  for (const { parent, name } of files) {
    if (parent !== last) directories += (last ? BETWEEN_DIRECTORIES : "") + parent.rel;
    directories += BETWEEN_NAMES + name;
    last = parent;
  }
  const request: PartRequest = { options: same, hidesKeys, root: last?.root.index ?? 0, directories };
  return JSON.stringify(request);
}

function readFiles(ctx: SearchContext, { root: index, directories }: PartRequest): FoundFile[] {
  const root = ctx.scope.roots[index];
  if (!root) throw new Error(`no root ${index}`);
  return directories.split(BETWEEN_DIRECTORIES).flatMap((one) => {
    const [rel = "", ...names] = one.split(BETWEEN_NAMES);
    const parent: Located = { root, rel, mustBeDirectory: true, asked: rel };
    return names.map((name) => ({ parent, name }));
  });
}

/** In the worker that was given the part. @throws Failure as `grep` */
export async function answerGrepPart(own: SearchContext, input: string): Promise<string> {
  const request = JSON.parse(input) as PartRequest;
  const ctx: SearchContext = { ...own, hidesKeys: request.hidesKeys };
  const plan = resolveGrep(request.options);
  using kept = await keptMatcher(plan);
  if (!kept) throw new Error("a search that backtracks is not shared");
  using run = newRun(ctx, plan, kept.matcher);
  return JSON.stringify(await toEnd(grepPart(run, readFiles(ctx, request))));
}

/** Large files count by their megabytes. */
const PROGRESS_BYTES: number = 16 * 1024 * 1024;

function progressOf(ctx: SearchContext): (count: number) => void {
  let total = 0;
  let said = 0;
  return (count) => {
    total += count;
    if (total - said < PROGRESS_BYTES) return;
    said = total;
    ctx.progress(total, undefined, "bytes searched");
  };
}
