/**
 * What is at a path, a link itself and not its target; and the hashes of whole files. Of a link that leads out of the roots
 * only that is told: not where it leads, and not whether anything is there. A file is hashed in one buffer, giving way to other
 * work, up to the size that it had when it was opened, so that a log that grows meanwhile still gets an answer.
 *
 * Usual mistake: `Bun.mmap`; a file that another process truncates then ends this one with SIGBUS.
 */
import { type BigIntStats, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { Failure, type FailureData, isoTime, throwIfStopped } from "../base/index.ts";
import { failureOf, type Located, refuseNoDirectory, showName } from "../scope/index.ts";
import { type EntryType, nameFromBytes, typeOf } from "../sys/index.ts";
import { formatBytes, sniffType } from "../text/index.ts";
import { type FilesContext, readInto } from "./file-source.ts";

interface StatRequest {
  readonly path: string;
  /** Adds the sha256 of the content of a regular file. */
  readonly hash?: boolean | undefined;
  /** Adds what the first bytes of a regular file say of its content. */
  readonly kind?: boolean | undefined;
}

interface PathStat extends LinkStat {
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
  readonly binary?: boolean;
  readonly mime?: string;
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
  if (stat.type !== "file" || (request.hash !== true && request.kind !== true)) return stat;
  const at = ctx.scope.locate(request.path, "stat");
  return {
    ...stat,
    ...(request.kind === true ? kindOf(ctx, at) : {}),
    ...(request.hash === true ? { hash: await hashOf(ctx, at) } : {}),
  };
}

/** As much as tells the kind of a file. */
const HEAD_BYTES = 4096;

function kindOf(ctx: FilesContext, at: Located): Pick<PathStat, "binary" | "mime"> {
  using file = ctx.scope.openFile(at, "stat");
  try {
    const head = readInto(file.fd, Buffer.alloc(HEAD_BYTES), 0);
    const { mime, kind } = sniffType(head, basename(ctx.scope.show(at)));
    return { binary: kind !== "text", mime };
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, at, "stat");
  }
}

/** Everything but the hash. @throws Failure `not_found`, `outside_scope`, `denied` */
export function lookAtPath(ctx: FilesContext, path: string): PathStat {
  const { scope } = ctx;
  const at = scope.locate(path, "stat");
  const stat = scope.lstat(at, "stat");
  const type = typeOf(stat);
  if (at.mustBeDirectory) refuseNoDirectory(scope, at, "stat", type);
  return {
    path: scope.show(at),
    absolute: showName(scope.absolute(at)),
    type,
    ...detailsOf(stat),
    ...(type === "symlink" ? statLink(ctx, at) : {}),
  };
}

function detailsOf(stat: BigIntStats) {
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

export type HashAlgorithm = "sha256" | "sha1" | "md5" | "blake2b";
/** The names in answers: BLAKE2b comes in many lengths, and this one is `b2sum --length=256`. */
type HashName = "sha256" | "sha1" | "md5" | "blake2b256";

type FileHash =
  | { readonly path: string; readonly algorithm: HashName; readonly hash: string; readonly size: number }
  | { readonly path: string; readonly failure: FailureData };

/** @throws Failure `cancelled`, `timed_out`; every other failure stands in the place of its file */
export async function hashFiles(
  ctx: FilesContext,
  request: { readonly paths: readonly string[]; readonly algorithm?: HashAlgorithm | undefined },
): Promise<{ readonly hashes: readonly FileHash[] }> {
  const algorithm = request.algorithm === "blake2b" ? "blake2b256" : (request.algorithm ?? "sha256");
  const job: HashJob = { ctx, done: 0, total: totalBytes(ctx, request.paths) };
  const hashes: FileHash[] = [];
  for (const path of request.paths) hashes.push(await hashOne(job, path, algorithm));
  return { hashes };
}

/** Several files are hashed as one piece of work, with one count of bytes. */
interface HashJob {
  readonly ctx: FilesContext;
  done: number;
  readonly total: number;
}

/** Hashes the first `size` bytes, or what there is of them. */
async function hashOpenFile(job: HashJob, fd: number, size: number, name: HashName, what: string) {
  const hasher = new Bun.CryptoHasher(name);
  buffer ??= Buffer.allocUnsafe(HASH_READ_BYTES);
  let hashed = 0;
  while (hashed < size) {
    throwIfOver(job, what);
    const bytes = readInto(fd, buffer.subarray(0, Math.min(buffer.length, size - hashed)), hashed);
    if (bytes.length === 0) break;
    hasher.update(bytes);
    hashed += bytes.length;
    job.done += bytes.length;
    if (hashed % PROGRESS_BYTES === 0) job.ctx.progress(job.done, job.total, "bytes hashed");
    const turn = job.ctx.turn?.pause();
    if (turn) await turn;
  }
  return { hash: hasher.digest("hex"), size: hashed };
}

function throwIfOver({ ctx, done, total }: HashJob, what: string): void {
  const state = ctx.cancel.state();
  if (state !== "timed_out") return throwIfStopped({ state: () => state }, `hashing "${what}"`);
  const reached = `the time limit was reached after ${formatBytes(done)} of ${formatBytes(total)}`;
  throw new Failure("timed_out", `Cannot finish hashing "${what}": ${reached}`, { hint: TOO_LONG });
}

const TOO_LONG = "Hash fewer files in one call. Of files as large as this, compare sizes and times by stat.";

/** Measured fastest, and small enough that a stop is noticed within a millisecond. */
const HASH_READ_BYTES: number = 256 * 1024;
const PROGRESS_BYTES: number = 4 * 1024 * 1024;
/** All files that are hashed in a thread share it: nothing is left in it when one of them pauses. */
let buffer: Buffer | undefined;

async function hashOne(job: HashJob, path: string, algorithm: HashName): Promise<FileHash> {
  const { scope } = job.ctx;
  try {
    const at = scope.locate(path, "hash");
    using file = scope.openFile(at, "hash");
    try {
      const shown = scope.show(at);
      const { hash, size } = await hashOpenFile(job, file.fd, Number(file.stat.size), algorithm, shown);
      return { path: shown, algorithm, hash, size };
    } catch (thrown) {
      throw failureOf(thrown, scope, at, "hash");
    }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "cancelled" || thrown.code === "timed_out") throw thrown;
    return { path, failure: thrown.data };
  }
}

/** Sums sizes for the progress only: a file that cannot be opened counts nothing here, and fails in its place. */
function totalBytes(ctx: FilesContext, paths: readonly string[]): number {
  let total = 0;
  for (const path of paths) {
    try {
      using file = ctx.scope.openFile(ctx.scope.locate(path, "hash"), "hash");
      total += Number(file.stat.size);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
    }
  }
  return total;
}
