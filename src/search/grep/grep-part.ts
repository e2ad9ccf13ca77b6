/**
 * A part of a grep: some files of one tree, one after the other. The worker that was asked does some parts itself and
 * gives others to a worker that has time; the same code runs in both, and nothing of the answer tells which it was.
 */
import { toEnd, type InTurns } from "../../base/index.ts";
import { ListedFiles, type Located } from "../../scope/index.ts";
import type { SearchContext } from "../context.ts";
import { keptMatcher } from "../engine/kept-matcher.ts";
import { noFiles, type FileTotals } from "./grep-answer.ts";
import { grepFile, type FileFound, type FoundFile, type GrepRun } from "./grep-file.ts";
import { newRoom } from "../answer-room.ts";
import { resolveGrep, type GrepOptions, type GrepPlan } from "./grep-options.ts";
import { WindowBuffer } from "./line-windows.ts";
import type { Matcher } from "../engine/matcher.ts";

export interface PartAnswer {
  /** By the number of the file in the part, only those with something to say, in order. */
  readonly found: readonly (readonly [index: number, found: FileFound])[];
  readonly totals: FileTotals;
}

/** As it travels to another worker. */
interface PartRequest {
  readonly options: GrepOptions;
  readonly root: number;
  /** Directories below the root, each followed by the names of files in it, joined by what no path holds. */
  readonly directories: string;
}

const BETWEEN_DIRECTORIES = "///";
const BETWEEN_NAMES = "//";

/** Of the grep of a tree, or a part of one. */
export function newRun(
  ctx: SearchContext,
  plan: GrepPlan,
  matcher: Matcher,
  follow: boolean,
): GrepRun & Disposable {
  const files = new ListedFiles(ctx.scope);
  return {
    ctx,
    plan,
    matcher,
    buffer: new WindowBuffer(),
    files,
    totals: noFiles(),
    follow,
    onBytes: progressOf(ctx),
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}

/** Until one file says that the part is full, or that the search was stopped. */
export function* grepPart(run: GrepRun, files: readonly FoundFile[]): InTurns<PartAnswer> {
  const totals = noFiles();
  const part: GrepRun = { ...run, totals };
  const room = newRoom(run.ctx, run.plan.asked, run.plan.limit);
  const found: [number, FileFound][] = [];
  for (let index = 0; index < files.length; index++) {
    const file = files[index];
    if (!file) break;
    const one = yield* grepFile(part, file, room);
    if (one.end !== "done" || one.count > 0 || one.matches.length > 0) found.push([index, one]);
    if (one.end !== "done") break;
    const turn = run.ctx.turn?.pause();
    if (turn) yield turn;
  }
  return { found, totals };
}

export function partRequest(options: GrepOptions, files: readonly FoundFile[]): string {
  const { cursor: _cursor, ...same } = options;
  let directories = "";
  let last: Located | undefined;
  for (const { parent, name } of files) {
    if (parent !== last) directories += (last ? BETWEEN_DIRECTORIES : "") + parent.rel;
    directories += BETWEEN_NAMES + name;
    last = parent;
  }
  const request: PartRequest = { options: same, root: last?.root.index ?? 0, directories };
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
export async function answerGrepPart(ctx: SearchContext, input: string): Promise<string> {
  const request = JSON.parse(input) as PartRequest;
  const { options } = request;
  const plan = resolveGrep(options);
  using kept = await keptMatcher(plan);
  if (!kept) throw new Error("a search that backtracks is not shared");
  using run = newRun(ctx, plan, kept.matcher, options.follow === true);
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
