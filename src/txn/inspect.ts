/**
 * What stands at a place now: the precondition that a sealed change carries, and the bytes it was computed from. The
 * same function looks at sealing and again at applying, so that both mean the same by "unchanged".
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  type BigIntStats,
  type Stats,
} from "node:fs";
import { type Cancel, createSha256, Failure, limits, sha256, throwIfStopped } from "../base/index.ts";
import { errnoOf, failureOf, isMadeUp, type Located, type Place, type Scope } from "../scope/index.ts";
import type { Before } from "./model.ts";
import { isSameState, markOf } from "./fingerprint.ts";
import { fingerprintTree } from "./tree-copy/walk-tree.ts";

export interface Inspected {
  readonly before: Before;
  readonly stat?: BigIntStats;
  /** The content of a regular file, when it was asked for. */
  readonly bytes?: Uint8Array;
}

export interface InspectOptions {
  readonly cancel: Cancel;
  /** Keep the content when the file is at most this long; longer ones fail as `too_large`. */
  readonly maxBytes?: number;
  /** Fingerprint what is below a directory, so that a tree that changed is noticed. */
  readonly deep?: boolean;
  /** How a file is told; by its content unless said otherwise. */
  readonly told?: Telling;
}

/**
 * `hash`: by its content. `mark`: by size, times and inode, without reading it. `cheap`: by its content where that is
 * small and may be read, else by its mark: for what is only moved, copied or removed.
 */
export type Telling = "hash" | "mark" | "cheap";

/** What can be kept as a copy, and so come back as another inode, is told by its content. */
const MAX_CHEAP_BYTES: number = limits.MAX_KEPT_COPY_BYTES;

const CHUNK_BYTES: number = 1024 * 1024;

export function inspect(scope: Scope, at: Located, verb: string, options: InspectOptions): Inspected {
  return inspectPlace(scope, () => scope.place(at, verb), verb, options);
}

/** @param find the place; where it finds no parent the object is absent too */
export function inspectPlace(
  scope: Scope,
  find: () => Place,
  verb: string,
  options: InspectOptions,
): Inspected {
  let place: Place;
  try {
    place = find();
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "not_found") return { before: { kind: "absent" } };
    throw thrown;
  }
  using held = place;
  let stat: BigIntStats;
  try {
    stat = lstatSync(held.entry, { bigint: true });
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return { before: { kind: "absent" } };
    throw failureOf(thrown, scope, held.at, verb);
  }
  return inspectObject(scope, held, stat, verb, options);
}

function inspectObject(
  scope: Scope,
  place: Place,
  stat: BigIntStats,
  verb: string,
  options: InspectOptions,
): Inspected {
  const common = { size: Number(stat.size), mode: Number(stat.mode) & 0o7777, links: Number(stat.nlink) };
  if (stat.isFile()) {
    if (isMarked(place, stat, options))
      return { before: { kind: "file", hash: markOf(stat), ...common }, stat };
    const { hash, bytes } = readAndHash(scope, place, verb, options);
    return { before: { kind: "file", hash, ...common }, stat, ...(bytes ? { bytes } : {}) };
  }
  if (stat.isSymbolicLink()) {
    const hash = sha256(readLink(scope, place, verb));
    return { before: { kind: "symlink", hash, ...common }, stat };
  }
  if (stat.isDirectory()) {
    const hash = options.deep ? fingerprintTree(scope, place.at, options.cancel).hash : "";
    // Size, mode and link count of a directory change with its entries; the fingerprint says what matters.
    return { before: { kind: "directory", hash, size: 0, mode: common.mode, links: 0 }, stat };
  }
  return { before: { kind: "other", hash: "", ...common }, stat };
}

function isMarked({ entry }: Place, stat: BigIntStats, { told = "hash" }: InspectOptions): boolean {
  if (told !== "cheap") return told === "mark";
  return stat.size > MAX_CHEAP_BYTES || !mayRead(entry);
}

function mayRead(entry: string | Buffer): boolean {
  try {
    closeSync(openSync(entry, READING));
    return true;
  } catch (thrown) {
    return !["EACCES", "EPERM"].includes(errnoOf(thrown) ?? "");
  }
}

function readLink(scope: Scope, place: Place, verb: string): Buffer {
  try {
    return readlinkSync(place.entry, { encoding: "buffer" });
  } catch {
    throw new Failure("stale", `Cannot ${verb} "${scope.show(place.at)}": it was replaced meanwhile`);
  }
}

/** Whether the object is as it was sealed. Where content was read its time does not count: the same content is the same file. */
export function isUnchanged(sealed: Before, now: Before): boolean {
  if (sealed.kind !== now.kind) return false;
  if (sealed.kind === "absent" || now.kind === "absent") return true;
  return isSameState(sealed.hash, now.hash);
}

function readAndHash(
  scope: Scope,
  place: Place,
  verb: string,
  options: InspectOptions,
): { hash: string; bytes?: Uint8Array } {
  const fd = openForReading(scope, place, verb);
  try {
    const { size } = regularStat(fd, scope, place, verb);
    if (options.maxBytes !== undefined && size > options.maxBytes)
      throw new Failure(
        "too_large",
        `Cannot ${verb} "${scope.show(place.at)}": it has ${size} bytes, and ${options.maxBytes} is the most that can be held`,
      );
    return options.maxBytes === undefined ? { hash: hashOpen(fd, size, options.cancel) } : readOpen(fd, size);
  } finally {
    closeSync(fd);
  }
}

const READING: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function openForReading(scope: Scope, place: Place, verb: string): number {
  try {
    return openSync(place.entry, READING);
  } catch (thrown) {
    throw failureOf(thrown, scope, place.at, verb);
  }
}

/** The name was a regular file a moment ago; what was opened must be one. */
function regularStat(fd: number, scope: Scope, place: Place, verb: string): Stats {
  const stat = fstatSync(fd);
  const what = `Cannot ${verb} "${scope.show(place.at)}"`;
  if (!stat.isFile()) throw new Failure("stale", `${what}: it was replaced meanwhile`);
  if (!isMadeUp(fd, BigInt(stat.dev))) return stat;
  throw new Failure(
    "denied",
    `${what}: it is a file that the kernel makes up, and only regular files are read`,
  );
}

function readOpen(fd: number, size: number): { hash: string; bytes: Uint8Array } {
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const got = readSync(fd, buffer, at, size - at, at);
    if (got === 0) break;
    at += got;
  }
  const bytes = buffer.subarray(0, at);
  return { hash: sha256(bytes), bytes };
}

/** Up to the size at the start: a file that another process keeps writing to would never end. */
function hashOpen(fd: number, size: number, cancel: Cancel): string {
  const hash = createSha256();
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  for (let at = 0; at < size;) {
    throwIfStopped(cancel, "the check of a file");
    const got = readSync(fd, buffer, 0, Math.min(buffer.length, size - at), at);
    if (got === 0) break;
    hash.update(buffer.subarray(0, got));
    at += got;
  }
  return hash.digest("hex");
}

/** Of a file in the history, which is ours alone; `undefined` for anything else, and for one that is too large to be read. */
export function hashOfKept(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_CHEAP_BYTES) return undefined;
  try {
    return sha256(readFileSync(path));
  } catch (thrown) {
    if (errnoOf(thrown) !== "EACCES") throw thrown;
    return undefined;
  }
}
