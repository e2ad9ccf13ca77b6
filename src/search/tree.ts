/**
 * A tree as indented text, within a budget of lines and bytes that is shared fairly: directories are read breadth first
 * and each shows its part of what is left, so that one huge directory cannot take it all. What is not shown is counted
 * in place ("... 213 more").
 */
import { answerBytes, limits } from "../base/index.ts";
import type { ToolArguments } from "../calls/index.ts";
import { type Located, showName } from "../scope/index.ts";
import { clampLimit, type Cut, type SearchContext, type StoppedBy } from "./context.ts";
import { chainAbove, type IgnoreChain } from "./ignore/ignore-chain.ts";
import { Skipped, type WalkTotals } from "./walk/read-level.ts";
import { type LevelEntry, type LevelOptions, type LevelContext, readLevel } from "./walk/read-level.ts";
import { startDirectory } from "./walk/walk.ts";

interface TreeAnswer extends Cut {
  text: string;
  entries: number;
  totals: WalkTotals & { entries: number; at_least?: true };
}

interface Branch {
  readonly entry: Pick<LevelEntry, "at" | "rel" | "name" | "type">;
  readonly depth: number;
  readonly chain: IgnoreChain | undefined;
  shown: Branch[];
  more: number;
}

const DEFAULT_DEPTH = 4;
/** A directory shows at least this many names while there is any budget. */
const FAIR_NAMES = 10;

/** @throws Failure `not_found`, `denied`, `outside_scope`, `invalid_input` */
export async function tree(ctx: SearchContext, options: ToolArguments["tree"]): Promise<TreeAnswer> {
  const start = startDirectory(ctx, options.path, "show");
  const depth = Math.max(1, options.depth ?? DEFAULT_DEPTH);
  const level = { verb: "show", hidden: options.hidden === true, useIgnore: options.no_ignore !== true };
  const most = answerBytes(ctx.bounds, options.limit);
  let limit = clampLimit(options.limit, limits.MAX_LIST_ENTRIES);
  let drawn = await drawTree(ctx, start, level, depth, limit);
  // Fewer names and not the first of them, so that every part of the tree keeps its share.
  for (let size = sizeOf(drawn); size > most && limit > 1; size = sizeOf(drawn)) {
    limit = Math.max(1, Math.floor((limit * most * NARROWER) / size));
    drawn = await drawTree(ctx, start, level, depth, limit);
  }
  const { grown, lines } = drawn;
  const entries = grown.shown + grown.more;
  const truncated = grown.more > 0 || grown.stoppedBy !== undefined;
  return {
    text: lines.join("\n"),
    entries: grown.shown,
    truncated,
    totals: { entries, ...drawn.skipped.totals(), ...(truncated ? { at_least: true as const } : {}) },
    ...(grown.stoppedBy ? { stopped_by: grown.stoppedBy } : {}),
    ...(grown.widest ? { next: { ...options, path: ctx.scope.show(grown.widest.entry.at) } } : {}),
  };
}

/** Names differ in length, and one more round costs more than a few names. */
const NARROWER = 0.9;

async function drawTree(ctx: SearchContext, start: Located, options: LevelOptions, depth: number, limit: number) {
  const skipped = new Skipped();
  const above = options.useIgnore ? chainAbove(ctx.scope, start, () => skipped.unreadable++) : undefined;
  const entry = { at: start, rel: "", name: "", type: "directory" } as const;
  const top: Branch = { entry, depth: 0, chain: above, shown: [], more: 0 };
  const grown = await grow({ ctx, options, skipped }, top, depth, limit);
  const lines = [`${ctx.scope.show(start)}/`];
  draw(top, "", lines);
  return { grown, lines, skipped };
}

function sizeOf({ lines }: { readonly lines: readonly string[] }): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

interface Grown {
  shown: number;
  more: number;
  /** The directory with the most names not shown: the best place to look next. */
  widest: Branch | undefined;
  stoppedBy: StoppedBy | undefined;
}

async function grow(looking: LevelContext, top: Branch, depth: number, limit: number): Promise<Grown> {
  const { ctx, skipped } = looking;
  const grown: Grown = { shown: 0, more: 0, widest: undefined, stoppedBy: undefined };
  const waiting: Branch[] = [top];
  let next = 0;
  for (; next < waiting.length && grown.shown < limit; next++) {
    const state = ctx.cancel.state();
    if (state !== "none") {
      grown.stoppedBy = state;
      break;
    }
    const turn = ctx.turn?.pause();
    if (turn) await turn;
    const branch = waiting[next] ?? top;
    const { at, rel } = branch.entry;
    const read = readLevel(looking, { at, rel, above: branch.chain });
    if (!read) continue;
    const left = limit - grown.shown;
    const share = Math.min(left, Math.max(FAIR_NAMES, Math.floor(left / (waiting.length - next))));
    // The top directory leaves half of the budget to those below it.
    const isShared = branch.depth === 0 && depth > 1 && read.entries.some((entry) => entry.type === "directory");
    const most = isShared ? Math.max(Math.min(FAIR_NAMES, left), Math.ceil(share / 2)) : share;
    const below = { depth: branch.depth + 1, chain: read.chain, more: 0 };
    branch.shown = read.entries.slice(0, most).map((entry) => ({ ...below, entry, shown: [] }));
    branch.more = read.entries.length - branch.shown.length;
    grown.shown += branch.shown.length;
    grown.more += branch.more;
    if (branch.more > (grown.widest?.more ?? 0)) grown.widest = branch;
    for (const child of branch.shown) {
      skipped.count(child.entry.type);
      if (child.entry.type === "directory" && child.depth < depth) waiting.push(child);
    }
  }
  if (grown.more === 0 && next < waiting.length) {
    grown.more = 1;
    grown.widest = waiting[next];
  }
  return grown;
}

const SIGNS: Readonly<Record<string, string>> = { directory: "/", symlink: "@", fifo: "|", socket: "=" };

function draw(branch: Branch, indent: string, lines: string[]): void {
  for (const child of branch.shown) {
    lines.push(`${indent}  ${showName(child.entry.name)}${SIGNS[child.entry.type] ?? ""}`);
    draw(child, `${indent}  `, lines);
  }
  if (branch.more > 0) lines.push(`${indent}  ... ${branch.more} more`);
}
