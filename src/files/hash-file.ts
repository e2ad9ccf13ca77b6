/**
 * Hashes of whole files of any size, in one buffer, giving way to other work. The file is hashed up to the size that it had when it was opened, so
 * a log that grows meanwhile still gets an answer; the size in the answer is that of what was hashed.
 *
 * Usual mistake: `Bun.mmap`; a file that another process truncates then ends this one with SIGBUS.
 */
import { Failure, throwIfStopped, type FailureData } from "../base/index.ts";
import { failureOf } from "../scope/index.ts";
import { formatBytes } from "../text/index.ts";
import { readInto, type FilesContext } from "./file-source.ts";

export type HashAlgorithm = "sha256" | "sha1" | "md5" | "blake2b";
/** The names in answers: BLAKE2b comes in many lengths, and this one is `b2sum --length=256`. */
export type HashName = "sha256" | "sha1" | "md5" | "blake2b256";

export interface HashRequest {
  readonly paths: readonly string[];
  readonly algorithm?: HashAlgorithm | undefined;
}

export type FileHash =
  | { readonly path: string; readonly algorithm: HashName; readonly hash: string; readonly size: number }
  | { readonly path: string; readonly failure: FailureData };

/** @throws Failure `cancelled`, `timed_out`; every other failure stands in the place of its file */
export async function hashFiles(
  ctx: FilesContext,
  request: HashRequest,
): Promise<{ readonly hashes: readonly FileHash[] }> {
  const algorithm = request.algorithm === "blake2b" ? "blake2b256" : (request.algorithm ?? "sha256");
  const job: HashJob = { ctx, done: 0, total: totalBytes(ctx, request.paths) };
  const hashes: FileHash[] = [];
  for (const path of request.paths) hashes.push(await hashOne(job, path, algorithm));
  return { hashes };
}

/** Several files are hashed as one piece of work, with one count of bytes. */
export interface HashJob {
  readonly ctx: FilesContext;
  done: number;
  readonly total: number;
}

/** Hashes the first `size` bytes, or what there is of them. */
export async function hashOpenFile(
  job: HashJob,
  fd: number,
  size: number,
  name: HashName,
  what: string,
): Promise<HashedFile> {
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

export interface HashedFile {
  readonly hash: string;
  readonly size: number;
}

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
