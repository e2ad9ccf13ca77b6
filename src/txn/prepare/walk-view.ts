/**
 * What lies below a directory after the earlier changes of a set: the disk's entries, without those that a change has
 * taken away or covered, and with those that one has made or brought there.
 */
import type { BigIntStats } from "node:fs";
import type { Located } from "../../scope/index.ts";
import type { Looked } from "./look.ts";
import type { Sealing } from "./context.ts";
import { walkTree } from "../tree-copy/tree.ts";

export interface ViewEntry {
  /** Path below the top. */
  readonly below: string;
  /** Of a file; 0 for what is none. */
  readonly bytes: number;
  /** Of what lies on the disk. */
  readonly stat?: BigIntStats;
}

/** @throws Failure `too_large`, `denied` as `walkTree` does, also for what is covered */
export function* walkView(ctx: Sealing, top: Looked & { readonly at: Located }): Generator<ViewEntry> {
  const prefix = `${ctx.scope.absolute(top.at)}/`;
  if (top.origin) yield* walkDisk(ctx, top.origin, top.at, prefix);
  for (const { at, standing } of ctx.overlay.below(top.at)) {
    if (standing.kind === "absent") continue;
    const below = ctx.scope.absolute(at).slice(prefix.length);
    if (standing.kind !== "disk") {
      yield { below, bytes: standing.kind === "file" ? standing.bytes.length : 0 };
      continue;
    }
    const stat = ctx.scope.lstat(standing.from, "walk");
    yield { below, bytes: stat.isFile() ? Number(stat.size) : 0, stat };
    if (stat.isDirectory()) yield* walkDisk(ctx, standing.from, at, prefix);
  }
}

/** What lies on the disk below `origin`, as it will be found below `at`. */
function* walkDisk(ctx: Sealing, origin: Located, at: Located, prefix: string): Generator<ViewEntry> {
  const own = ctx.overlay.nearest(at);
  for (const { below, stat } of walkTree(ctx.scope, origin, ctx.cancel)) {
    const there = { ...at, rel: at.rel === "" ? below : `${at.rel}/${below}` };
    if (ctx.overlay.nearest(there) !== own) continue;
    yield {
      below: ctx.scope.absolute(there).slice(prefix.length),
      bytes: stat.isFile() ? Number(stat.size) : 0,
      stat,
    };
  }
}
