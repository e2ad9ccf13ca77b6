/**
 * A part of a grep: some files of one tree, one after the other. The worker that was asked does some parts itself and
 * gives others to a worker that has time; the same code runs in both, and nothing of the answer tells which it was.
 */
import type { Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import { keptMatcher } from "./kept-matcher.ts";
import { noFiles, type FileTotals } from "./grep-answer.ts";
import { grepFile, type FileFound, type GrepRun } from "./grep-file.ts";
import { newRoom } from "./answer-room.ts";
import { resolveGrep, type GrepOptions, type GrepPlan } from "./grep-options.ts";
import { WindowBuffer } from "./line-windows.ts";
import type { Matcher } from "./matcher.ts";

export interface PartAnswer {
  /** By the number of the file in the part, only those with something to say, in order. */
  readonly found: readonly (readonly [index: number, found: FileFound])[];
  readonly totals: FileTotals;
}

/** As it travels to another worker. */
interface PartRequest {
  readonly options: GrepOptions;
  readonly root: number;
  /** Below the root, joined by what no path holds. */
  readonly rels: string;
}

const BETWEEN = "//";

export function newRun(ctx: SearchContext, plan: GrepPlan, matcher: Matcher, follow: boolean): GrepRun {
  return {
    ctx,
    plan,
    matcher,
    buffer: new WindowBuffer(),
    totals: noFiles(),
    follow,
    onBytes: progressOf(ctx),
  };
}

/** Until one file says that the part is full, or that the search was stopped. */
export function grepPart(run: GrepRun, files: readonly { readonly at: Located }[]): PartAnswer {
  const totals = noFiles();
  const part: GrepRun = { ...run, totals };
  const room = newRoom(run.plan);
  const found: [number, FileFound][] = [];
  for (const [index, { at }] of files.entries()) {
    const one = grepFile(part, at, false, room, undefined);
    if (one.end !== "done" || one.count > 0 || one.matches.length > 0) found.push([index, one]);
    if (one.end !== "done") break;
  }
  return { found, totals };
}

export function partRequest(options: GrepOptions, files: readonly { readonly at: Located }[]): string {
  const { cursor: _cursor, ...same } = options;
  const request: PartRequest = {
    options: same,
    root: files[0]?.at.root.index ?? 0,
    rels: files.map(({ at }) => at.rel).join(BETWEEN),
  };
  return JSON.stringify(request);
}

/** In the worker that was given the part. @throws Failure as `grep` */
export async function answerGrepPart(ctx: SearchContext, input: string): Promise<string> {
  const { options, root: index, rels } = JSON.parse(input) as PartRequest;
  const root = ctx.scope.roots[index];
  if (!root) throw new Error(`no root ${index}`);
  const plan = resolveGrep(options);
  const matcher = await keptMatcher(plan);
  if (!matcher) throw new Error("a search that backtracks is not shared");
  const files = rels.split(BETWEEN).map((rel) => ({ at: { root, rel, mustBeDirectory: false, asked: rel } }));
  return JSON.stringify(grepPart(newRun(ctx, plan, matcher, options.follow === true), files));
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
