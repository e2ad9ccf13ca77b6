/**
 * What is at a path, a link itself and not its target. Of a link that leads out of the roots nothing is told but that it
 * does: not where, and not whether anything is there.
 */
import { readlinkSync, type BigIntStats } from "node:fs";
import { Failure, isoTime } from "../base/index.ts";
import { failureOf, notFound, showName, type Located } from "../scope/index.ts";
import { nameFromBytes, typeOf, type EntryType } from "../sys/index.ts";
import { hashOpenFile } from "./hash-file.ts";
import type { FilesContext } from "./file-source.ts";

export interface StatRequest {
  readonly path: string;
  /** Adds the sha256 of the content of a regular file. */
  readonly hash?: boolean | undefined;
}

export interface PathStat extends LinkStat {
  readonly path: string;
  readonly absolute: string;
  readonly type: EntryType;
  readonly size: number;
  readonly mtime: string;
  readonly ctime: string;
  readonly atime: string;
  /** Absent where the file system does not keep it. */
  readonly birthtime?: string;
  /** Four octal digits: `0644`. */
  readonly mode: string;
  /** Numbers; their names stand in files outside the roots. */
  readonly owner: number;
  readonly group: number;
  readonly links: number;
  readonly hash?: string;
}

interface LinkStat {
  /** The target as it is stored, for a link that stays inside the roots; null for any other link. */
  readonly link_target?: string | null;
  /** Why there is no target to tell: it leads out, to nothing, or to what this host may not open. */
  readonly link_leads?: "outside" | "nowhere" | "denied";
  readonly target_type?: EntryType;
}

/** @throws Failure `not_found`, `outside_scope`, `denied`; with `hash` also `cancelled`, `timed_out` */
export async function statPath(ctx: FilesContext, request: StatRequest): Promise<PathStat> {
  const stat = lookAtPath(ctx, request.path);
  if (stat.type !== "file" || request.hash !== true) return stat;
  return { ...stat, hash: await hashOf(ctx, ctx.scope.locate(request.path, "stat")) };
}

/** Everything but the hash. @throws Failure `not_found`, `outside_scope`, `denied` */
export function lookAtPath(ctx: FilesContext, path: string): PathStat {
  const { scope } = ctx;
  const at = scope.locate(path, "stat");
  const stat = scope.lstat(at, "stat");
  const type = typeOf(stat);
  if (at.mustBeDirectory && type !== "directory" && type !== "symlink") {
    throw notFound(scope, at, "stat", "it is not a directory, and the path ends in a slash");
  }
  return {
    path: scope.show(at),
    absolute: showName(scope.absolute(at)),
    type,
    ...detailsOf(stat),
    ...(type === "symlink" ? statLink(ctx, at) : {}),
  };
}

type Details = Omit<PathStat, "path" | "absolute" | "type" | "hash" | keyof LinkStat>;

function detailsOf(stat: BigIntStats): Details {
  return {
    size: Number(stat.size),
    mtime: timeOf(stat.mtimeMs),
    ctime: timeOf(stat.ctimeMs),
    atime: timeOf(stat.atimeMs),
    ...(stat.birthtimeMs > 0n ? { birthtime: timeOf(stat.birthtimeMs) } : {}),
    mode: (Number(stat.mode) & 0o7777).toString(8).padStart(4, "0"),
    owner: Number(stat.uid),
    group: Number(stat.gid),
    links: Number(stat.nlink),
  };
}

/** A file system can hold times that no calendar can: those are given as the last that can be written. */
function timeOf(ms: bigint): string {
  return isoTime(Math.max(-LAST_TIME_MS, Math.min(LAST_TIME_MS, Number(ms))));
}

/** https://tc39.es/ecma262/#sec-time-values-and-time-range */
const LAST_TIME_MS = 8.64e15;

function statLink(ctx: FilesContext, at: Located): LinkStat {
  const { scope } = ctx;
  try {
    const target = scope.resolve(at, "stat");
    return { link_target: readLink(ctx, at), target_type: typeOf(scope.lstat(target, "stat")) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    if (thrown.code === "outside_scope") return { link_target: null, link_leads: "outside" };
    return { link_target: null, link_leads: thrown.code === "not_found" ? "nowhere" : "denied" };
  }
}

function readLink(ctx: FilesContext, at: Located): string {
  using place = ctx.scope.place(at, "stat");
  try {
    return showName(nameFromBytes(readlinkSync(place.entry, { encoding: "buffer" })));
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, at, "stat");
  }
}

/** Hashes the object itself: a link put in its place meanwhile is refused. */
async function hashOf(ctx: FilesContext, at: Located): Promise<string> {
  using file = ctx.scope.openFile(at, "stat");
  const size = Number(file.stat.size);
  try {
    const job = { ctx, done: 0, total: size };
    return (await hashOpenFile(job, file.fd, size, "sha256", ctx.scope.show(at))).hash;
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, at, "stat");
  }
}
