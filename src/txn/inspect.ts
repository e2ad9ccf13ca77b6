/**
 * What stands at a place now: the precondition that a prepared step carries, and the bytes that it was computed from. The
 * same function looks when a change is prepared and again when it is committed, so that both mean the same by "unchanged":
 * by content, never by time, but for what is too large or not allowed to be read.
 */
import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { type Cancel, createSha256, Failure, type FailureCode, limits, sha256, throwIfStopped } from "../base/index.ts";
import { readInto, readRange } from "../files/index.ts";
import { errnoOf, failureOf, isMadeUp, type Located, mountOf, type Place, type Scope } from "../scope/index.ts";
import { withOpen } from "../state/index.ts";
import { fingerprintTree, isMark, isUnchanged, markOf, sizeOnly, versionOf } from "./fingerprint.ts";
import { type Before, keyOf, locatedFrom, type PreparedStep, type RootPath } from "./model.ts";
import { failedWith, READING } from "./tree-copy/tree.ts";

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
  /** How a file is recognised; by its content unless said otherwise. */
  readonly told?: Telling;
}

/**
 * `hash`: by its content. `mark`: by size, times and inode, without reading it. `cheap`: by its content where that is
 * small and may be read, else by its mark: for what is only moved, copied or removed.
 */
type Telling = "hash" | "mark" | "cheap";

/** A file that can be kept as a copy may come back as another inode, so its content is compared. */
const MAX_CHEAP_BYTES: number = limits.MAX_KEPT_COPY_BYTES;
const CHUNK_BYTES: number = 1024 * 1024;

export function inspect(scope: Scope, at: Located, verb: string, options: InspectOptions): Inspected {
  return inspectPlace(scope, () => scope.place(at, verb), verb, options);
}

/** @param find opens the place; without a parent directory the object is absent too */
function inspectPlace(scope: Scope, find: () => Place, verb: string, options: InspectOptions): Inspected {
  let found: Place;
  try {
    found = find();
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "not_found") return { before: { kind: "absent" } };
    throw thrown;
  }
  using place = found;
  let stat: BigIntStats;
  try {
    stat = lstatSync(place.entry, { bigint: true });
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return { before: { kind: "absent" } };
    throw failureOf(thrown, scope, place.at, verb);
  }
  const common = { size: Number(stat.size), mode: Number(stat.mode) & 0o7777, links: Number(stat.nlink) };
  if (stat.isFile()) {
    const { hash, bytes } = tellFile(scope, place, stat, verb, options);
    return { before: { kind: "file", hash, ...common }, stat, ...(bytes ? { bytes } : {}) };
  }
  if (stat.isSymbolicLink())
    return { before: { kind: "symlink", hash: sha256(readLink(scope, place, verb)), ...common }, stat };
  if (!stat.isDirectory()) return { before: { kind: "other", hash: "", ...common }, stat };
  const hash = options.deep ? fingerprintTree(scope, place.at, options.cancel).hash : "";
  // Size, mode and link count of a directory change with its entries; the fingerprint says what matters.
  return { before: { kind: "directory", hash, size: 0, mode: common.mode, links: 0 }, stat };
}

function readLink(scope: Scope, place: Place, verb: string): Buffer {
  try {
    return readlinkSync(place.entry, { encoding: "buffer" });
  } catch {
    throw new Failure("stale", `Cannot ${verb} "${scope.show(place.at)}": it was replaced meanwhile`);
  }
}

function tellFile(
  scope: Scope,
  place: Place,
  stat: BigIntStats,
  verb: string,
  { cancel, maxBytes, told = "hash" }: InspectOptions,
): { readonly hash: string; readonly bytes?: Uint8Array } {
  const isCostly = (): boolean => stat.size > MAX_CHEAP_BYTES || !mayRead(place);
  if (told === "mark" || (told === "cheap" && isCostly())) return { hash: markOf(stat) };
  const cannot = (code: FailureCode, state: string): Failure =>
    new Failure(code, `Cannot ${verb} "${scope.show(place.at)}": ${state}`);
  const fd = openForReading(scope, place, verb);
  try {
    // The name was a regular file a moment ago; the object that was opened must be one too.
    const now = fstatSync(fd);
    if (!now.isFile()) throw cannot("stale", "it was replaced meanwhile");
    if (isMadeUp(fd, BigInt(now.dev)))
      throw cannot("denied", "it is a file that the kernel makes up, and only regular files are read");
    if (maxBytes === undefined) return { hash: hashOpen(fd, now.size, cancel) };
    if (now.size > maxBytes) throw tooLarge(scope, place.at, verb, now.size, maxBytes);
    const bytes = readRange(fd, 0, now.size);
    return { hash: sha256(bytes), bytes };
  } finally {
    closeSync(fd);
  }
}

export function tooLarge(scope: Scope, at: Located, verb: string, bytes: number, most: number): Failure {
  const state = `it has ${bytes} bytes, and ${most} is the most that can be held`;
  return new Failure("too_large", `Cannot ${verb} "${scope.show(at)}": ${state}`);
}

function mayRead({ entry }: Place): boolean {
  try {
    return withOpen(entry, READING, () => true);
  } catch (thrown) {
    return !failedWith(thrown, "EACCES", "EPERM");
  }
}

function openForReading(scope: Scope, place: Place, verb: string): number {
  try {
    return openSync(place.entry, READING);
  } catch (thrown) {
    throw failureOf(thrown, scope, place.at, verb);
  }
}

/** Hashes up to the size at the start: a file that another process keeps writing to would never end. */
function hashOpen(fd: number, size: number, cancel: Cancel): string {
  const hash = createSha256();
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  for (let at = 0; at < size;) {
    throwIfStopped(cancel, "the check of a file");
    const bytes = readInto(fd, buffer.subarray(0, Math.min(buffer.length, size - at)), at);
    if (bytes.length === 0) break;
    hash.update(bytes);
    at += bytes.length;
  }
  return hash.digest("hex");
}

/** The hash of a file in the history, which is ours alone. @returns `undefined` for anything else, and for a long file */
export function hashOfKept(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_CHEAP_BYTES) return undefined;
  try {
    return sha256(readFileSync(path));
  } catch (thrown) {
    if (failedWith(thrown, "EACCES")) return undefined;
    throw thrown;
  }
}

/**
 * The mount on which an object lies, or will lie: that of the nearest directory above it that is there. A rename can go
 * between two places on one mount.
 * @returns `undefined` when not even its root can be opened
 */
export function mountAbove(scope: Scope, at: Located): string | undefined {
  for (let { rel } = at; rel !== "";) {
    rel = rel.slice(0, Math.max(0, rel.lastIndexOf("/")));
    using directory = scope.tryDirectory({ ...at, rel, mustBeDirectory: true });
    if (directory) return mountOf(directory);
  }
  return undefined;
}

export interface CheckContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** The directories of a transaction that has begun are open already. */
  readonly places?: { readonly place: (path: RootPath) => Place };
  /** Gets the version of each file that was checked, by `keyOf`. */
  readonly seen?: Map<string, string>;
  /** Whether the steps take back a change. */
  readonly undoes?: boolean;
}

/** Everything that an earlier step of the same set does not make itself is as it was prepared. @throws Failure `stale` */
export function checkSteps(steps: readonly PreparedStep[], ctx: CheckContext): void {
  for (const step of steps) {
    for (const { at, before } of step.relies ?? []) check(at, before, ctx);
    if (step.follows) continue;
    if ("source" in step) check(step.from, step.source, ctx);
    check(step.at, step.before, ctx);
  }
}

/**
 * What a step that follows will displace, move or take away is what was meant; checked right before it. Of a directory only
 * that it is one: the earlier steps have been in it. Of a file that is not read its size: they may have renamed or copied it.
 * @throws Failure `stale`
 */
export function checkLate(step: PreparedStep, ctx: CheckContext): void {
  // It is taken away if it is there, and empty.
  ctx.seen?.delete(keyOf(step.at));
  if (step.op === "remove_directory" && step.made) return;
  const known = step.exact ? sizeOnly : shallow;
  if ("source" in step) check(step.from, known(step.source), ctx);
  check(step.at, known(step.before), ctx);
}

function shallow(before: Before): Before {
  return before.kind === "directory" ? { ...before, hash: "" } : sizeOnly(before);
}

function check(path: RootPath, before: Before, { scope, cancel, places, seen, undoes }: CheckContext): void {
  const at = locatedFrom(scope, path);
  const told = before.kind === "file" && isMark(before.hash) ? "mark" : "hash";
  const find = (): Place => places?.place(path) ?? scope.place(at, "change");
  const { before: now, stat } = inspectPlace(scope, find, "change", { cancel, deep: true, told });
  const version = versionOf(stat);
  if (version !== undefined) seen?.set(keyOf(path), version);
  const isKnown = before.kind === "absent" || before.hash !== "" || now.kind === "absent";
  if (isUnchanged(before, isKnown ? now : { ...now, hash: "" })) return;
  const state =
    now.kind === "absent" ? "it is gone" : before.kind === "absent" ? "something is there now" : "it has changed since";
  const verb = undoes === true ? "undo" : "apply";
  throw new Failure("stale", `Cannot ${verb} the change of "${scope.show(at)}": ${state}`, {
    hint: undoes === true ? KEEP_LATER : CHANGE_ANEW,
  });
}

const CHANGE_ANEW =
  "Nothing was written. Look at the current state, and make the change anew where it is still wanted.";
const KEEP_LATER =
  "Nothing was written: what came later would be lost. Undo that first, or change the file as it is now.";
