/**
 * The walk of a tree in its order, for grep, glob and list (`whole-tree.ts` walks where the order does not matter), and where
 * it starts: the caller's path with links resolved once, because the walk itself refuses links. Each directory's names come
 * in byte order, the content of a directory right after it. The walk never follows links out, cannot loop, can stop at any
 * entry and go on after any path, and holds open one directory at a time.
 *
 * Usual mistake: to look at the whole tree and then cut; take entries until there are enough and stop.
 */
import { Failure, type JobTurn } from "../../base/index.ts";
import type { Located } from "../../scope/index.ts";
import type { SearchContext, StoppedBy } from "../context.ts";
import { chainAbove } from "../ignore/ignore-chain.ts";
import { compareNames } from "./name-order.ts";
import { type Level, type LevelEntry, type LevelOptions, type LevelPlace, readLevel, Skipped } from "./read-level.ts";

/** @throws Failure `not_found`, `outside_scope`, `denied`, `invalid_input` when it is not a directory */
export function startDirectory(ctx: SearchContext, path: string | undefined, verb: string): Located {
  const start = startAnywhere(ctx, path, verb);
  if (!start.isFile) return start.at;
  throw new Failure("invalid_input", `Cannot ${verb} "${ctx.scope.show(start.at)}": it is a file, not a directory`, {
    hint: "Give the directory that holds it, or read the file.",
  });
}

export function startAnywhere(
  ctx: SearchContext,
  path: string | undefined,
  verb: string,
): { at: Located; isFile: boolean } {
  const asked = ctx.scope.locate(path ?? ".", verb);
  const at = asked.rel === "" ? asked : ctx.scope.resolve(asked, verb);
  if (at.rel === "") {
    // A root that was removed or replaced is a failure, not an empty one.
    ctx.scope.openDirectory(at, verb)[Symbol.dispose]();
    return { at, isFile: false };
  }
  using directory = ctx.scope.tryDirectory(at);
  // A file that cannot be read is a failure.
  if (!directory) ctx.scope.openFile(at, verb)[Symbol.dispose]();
  return { at, isFile: !directory };
}

export interface WalkOptions extends LevelOptions {
  /** 1: only the entries of the start itself. */
  readonly depth: number;
  /** Go on after this path below the start: it and what stands before it are not given again. */
  readonly after?: string | undefined;
  /** Give `after` itself again, because it was not finished. */
  readonly isAfterIncluded?: boolean;
}

interface Frame {
  readonly level: Level;
  index: number;
  /** Names that `after` still has to say at this depth and below. */
  readonly after: readonly string[];
}

export class Walk implements Iterable<LevelEntry> {
  readonly skipped: Skipped = new Skipped();
  stoppedBy: StoppedBy | undefined;
  readonly #ctx: SearchContext;
  readonly #start: Located;
  readonly #options: WalkOptions;
  #seen = 0;

  constructor(ctx: SearchContext, start: Located, options: WalkOptions) {
    this.#ctx = ctx;
    this.#start = start;
    this.#options = options;
  }

  /** To the end without giving way: for few entries, and where nobody waits. */
  *[Symbol.iterator](): Generator<LevelEntry, void, undefined> {
    for (const entry of this.#entries(undefined)) if (!(entry instanceof Promise)) yield entry;
  }

  /** With a promise of the next turn wherever others should have the thread. */
  inTurns(): Generator<LevelEntry | Promise<void>, void, undefined> {
    return this.#entries(this.#ctx.turn);
  }

  *#entries(turn: JobTurn | undefined): Generator<LevelEntry | Promise<void>, void, undefined> {
    const after = this.#options.after?.split("/") ?? [];
    const above = this.#options.useIgnore
      ? chainAbove(this.#ctx.scope, this.#start, () => this.skipped.unreadable++)
      : undefined;
    const stack: Frame[] = [];
    this.#push(stack, { at: this.#start, rel: "", above }, after);
    for (let frame = stack.at(-1); frame && !this.stoppedBy; frame = stack.at(-1)) {
      const entry = frame.level.entries[frame.index++];
      if (!entry) {
        stack.pop();
        continue;
      }
      const place = this.#placeOf(entry, frame.after);
      if (place === "before" || this.#isStopped()) continue;
      const isDue = entry.type === "directory" || this.#seen % ENTRIES_BETWEEN_LOOKS === 0;
      const next = isDue ? turn?.pause() : undefined;
      if (next) yield next;
      if (place === "now") {
        this.skipped.count(entry.type);
        yield entry;
      }
      if (this.#goesInto(entry, stack.length)) {
        const { at, rel } = entry;
        this.#push(stack, { at, rel, above: frame.level.chain }, place === "now" ? [] : frame.after.slice(1));
      }
    }
  }

  #push(stack: Frame[], place: LevelPlace, after: readonly string[]): void {
    const looking = { ctx: this.#ctx, options: this.#options, skipped: this.skipped };
    const level = readLevel(looking, place);
    if (!level) return;
    if (level.identity && stack.some((frame) => frame.level.identity === level.identity)) return;
    stack.push({ level, index: 0, after });
  }

  /** Before the place to go on, on the way to it, or to be given now. */
  #placeOf(entry: LevelEntry, after: readonly string[]): "before" | "on the way" | "now" {
    const name = after[0];
    if (name === undefined) return "now";
    const order = compareNames(entry.name, name);
    if (order !== 0) return order < 0 ? "before" : "now";
    return after.length === 1 && this.#options.isAfterIncluded ? "now" : "on the way";
  }

  #goesInto(entry: LevelEntry, depth: number): boolean {
    return entry.type === "directory" && depth < this.#options.depth && this.#options.enters?.(entry.rel) !== false;
  }

  #isStopped(): boolean {
    if (this.#seen++ % ENTRIES_BETWEEN_LOOKS !== 0) return false;
    const state = this.#ctx.cancel.state();
    if (state !== "none") this.stoppedBy = state;
    else if (this.#seen > ENTRIES_BETWEEN_LOOKS) this.#ctx.progress(this.#seen, undefined, "entries looked at");
    return state !== "none";
  }
}

/** About a millisecond of walking; cancelling must be felt within 50 ms. */
const ENTRIES_BETWEEN_LOOKS = 128;
