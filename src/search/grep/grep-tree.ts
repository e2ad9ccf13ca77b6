/**
 * The files of a tree through a grep, in path order. The first ones are searched one by one, because a common pattern has
 * its answer there; the others in parts of a fixed number, some by another worker, and put together in order.
 */
import { Failure, toEnd, type InTurns } from "../../base/index.ts";
import { addTotals } from "./grep-answer.ts";
import type { FileFilter } from "../walk/file-filter.ts";
import { grepFile, type FileEnd, type GrepRun } from "./grep-file.ts";
import type { GrepFound, GrepPlace } from "./grep-found.ts";
import type { GrepOptions } from "./grep-options.ts";
import { grepPart, partRequest, type PartAnswer } from "./grep-part.ts";
import type { WalkTotals } from "../walk/left-out.ts";
import type { LevelEntry } from "../walk/read-level.ts";
import { inParts } from "../walk/shared-parts.ts";
import type { Walk } from "../walk/walk.ts";

/** A few milliseconds of searching each. */
const FIRST_FILES = 256;
const PART_FILES = 256;

export interface TreeSearch {
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
  if (first) return { end: first, walked: search.walk.leftOut.totals() };
  const { run, options, walk } = search;
  const state: { end: FileEnd; walked?: WalkTotals } = { end: "done" };
  try {
    await inParts<Part, PartAnswer>(run.ctx, partsOf(walk, files), {
      name: "part:grep",
      request: ({ entries }) => partRequest(options, entries),
      here: async ({ entries }) => await toEnd(grepPart(run, entries)),
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
  return { end: state.end, walked: state.walked ?? walk.leftOut.totals() };
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
    const one = yield* grepFile(run, next.value, found.room, after);
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
    yield { entries, walked: walk.leftOut.totals() };
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
