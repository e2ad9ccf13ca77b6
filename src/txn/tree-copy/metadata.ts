/**
 * Everything that a file has besides its content, onto the file that takes its place: owner, mode, times, and extended
 * attributes, which hold user attributes, ACLs and the security label. What this process may not keep is known before and
 * said in the proposal; anything else that cannot be kept is a failure, and nothing is changed.
 *
 * Foreign calls have memory of their own, which only native calls fill and which is read from a copy (see base/libc.ts).
 * https://man7.org/linux/man-pages/man7/xattr.7.html
 */
import { fchmodSync, fchownSync, fstatSync, futimesSync, lutimesSync } from "node:fs";
import type { BigIntStats, Stats } from "node:fs";
import { cString, foreignBytes, openErrno, openLibc } from "../../base/index.ts";
import type { Located, OpenFile, Place, Scope } from "../../scope/index.ts";
import { AT_FDCWD, failedWith, lazily, READING, withOpen, type Entry } from "../file-calls.ts";

const [SET_UID, SET_GID] = [0o4000, 0o2000];

export interface Metadata {
  readonly stat: Stats;
  readonly attributes: readonly Attribute[];
}

interface Attribute {
  readonly name: string;
  readonly value: Buffer;
}

/**
 * Gives the open file `fd` the metadata of the file at `place`.
 * @returns the bits of a mode that `fd` may have: a set-id bit means another thing with another owner
 */
export function keepMetadata(place: Place, fd: number): number {
  return withOpen(place.entry, READING, (old) => setMetadata(fd, metadataOf(old)));
}

/** Reads the metadata of an open file or directory. */
export function metadataOf(fd: number): Metadata {
  return { stat: fstatSync(fd), attributes: readAttributes(fd) };
}

/** Sets the owner before the rest, because changing it clears set-id bits and capabilities. @returns as `keepMetadata` */
export function setMetadata(fd: number, { stat, attributes }: Metadata): number {
  const made = fstatSync(fd);
  const allowed = keepOwner(fd, made, stat);
  for (const { name, value } of attributes) {
    const code = writeAttribute(fd, name, value);
    if (code === undefined || isForeseenLoss(name, code, made.dev !== stat.dev)) continue;
    const message = `${code}: the attribute ${name} cannot be kept`;
    throw Object.assign(new Error(message), { code, syscall: "fsetxattr" });
  }
  fchmodSync(fd, stat.mode & allowed);
  return allowed;
}

type Owner = Pick<Stats, "uid" | "gid">;

function keepOwner(fd: number, made: Owner, wanted: Owner): number {
  if (made.uid === wanted.uid && made.gid === wanted.gid) return 0o7777;
  // Whoever may not give the file away may still give it to a group of theirs.
  if (!changeOwner(fd, wanted.uid, wanted.gid)) changeOwner(fd, made.uid, wanted.gid);
  const { uid, gid } = fstatSync(fd);
  return 0o7777 & ~(uid === wanted.uid ? 0 : SET_UID) & ~(gid === wanted.gid ? 0 : SET_GID);
}

/** @returns false where it is not permitted: to anybody but root, to some roots in containers, on file systems without owners */
function changeOwner(fd: number, uid: number, gid: number): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch (thrown) {
    if (failedWith(thrown, "EPERM", "EINVAL")) return false;
    throw thrown;
  }
}

/** The proposal has said that it will be lost: only root may set it, or it goes to a file system of another kind. */
function isForeseenLoss(name: string, code: string, isOtherDevice: boolean): boolean {
  if (code === "EPERM" || code === "EACCES") return isPrivileged(name);
  return isOtherDevice && (code === "ENOTSUP" || code === "EOPNOTSUPP");
}

function isPrivileged(name: string): boolean {
  return /^(?:trusted|security)\./.test(name);
}

/** What replacing the file would lose, in words; empty when all of it can be kept. */
export function lossesAt(scope: Scope, at: Located): string[] {
  const me = process.getuid?.();
  if (me === undefined || me === 0) return [];
  try {
    using file = scope.openFile(at, "change");
    return metadataLosses(file, me);
  } catch {
    // The same change set makes the file, so it will be ours.
    return [];
  }
}

function metadataLosses({ fd, stat }: OpenFile, me: number): string[] {
  const losses: string[] = [];
  const [isOurs, gid] = [Number(stat.uid) === me, Number(stat.gid)];
  if (!isOurs) losses.push("Its owner is another user, and would become you.");
  const keepsGroup = (process.getgroups?.().includes(gid) ?? true) || process.getgid?.() === gid;
  if (!keepsGroup) losses.push("Its group cannot be kept.");
  const lostBits = (isOurs ? 0 : SET_UID) | (keepsGroup ? 0 : SET_GID);
  if ((Number(stat.mode) & lostBits) !== 0) losses.push("Its set-id bits go with them.");
  const privileged = readAttributes(fd).flatMap(({ name }) => (isPrivileged(name) ? [name] : []));
  // The label that the system gives to a new file in this place is as a rule the same.
  const lost = privileged.filter((name) => name !== "security.selinux");
  if (lost.length > 0) losses.push(`Attributes that only root may set are lost: ${lost.join(", ")}.`);
  return losses;
}

/** The kernel's own limits: for the list of names, and for one value. */
const MAX_ATTRIBUTE_BYTES: number = 64 * 1024;

const attributeCalls = lazily(() => {
  const libc = openLibc({
    flistxattr: { args: ["i32", "ptr", "u64"], returns: "i64" },
    fgetxattr: { args: ["i32", "ptr", "ptr", "u64"], returns: "i64" },
    fsetxattr: { args: ["i32", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  });
  return libc && { ...libc, errno: openErrno() };
});

/** The attributes of an open file; none where the file system or the platform has none. @throws when one cannot be read */
function readAttributes(fd: number): Attribute[] {
  const calls = attributeCalls();
  if (!calls) return [];
  const list = Buffer.allocUnsafeSlow(MAX_ATTRIBUTE_BYTES);
  const length = Number(calls.flistxattr(fd, list, list.length));
  if (length <= 0) return [];
  const names = Buffer.from(list).toString("latin1", 0, length - 1);
  return names.split("\0").flatMap((name) => {
    const value = Buffer.allocUnsafeSlow(MAX_ATTRIBUTE_BYTES);
    const size = Number(calls.fgetxattr(fd, cString(name), value, value.length));
    if (size >= 0) return [{ name, value: Buffer.from(value).subarray(0, size) }];
    const code = calls.errno();
    // It was removed since, or it is listed for everybody and readable for root alone.
    if (["ENODATA", "EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP"].includes(code)) return [];
    const message = `${code}: cannot read the attribute ${name}`;
    throw Object.assign(new Error(message), { code, syscall: "fgetxattr" });
  });
}

/** @returns the system's error when the attribute could not be set */
function writeAttribute(fd: number, name: string, value: Buffer): string | undefined {
  const calls = attributeCalls();
  if (!calls) return "ENOTSUP";
  const isSet = calls.fsetxattr(fd, cString(name), foreignBytes(value), value.length, 0) === 0;
  return isSet ? undefined : calls.errno();
}

const AT_SYMLINK_NOFOLLOW = 0x100;

const timeCalls = lazily(() =>
  openLibc({
    futimens: { args: ["i32", "ptr"], returns: "i32" },
    utimensat: { args: ["i32", "ptr", "ptr", "i32"], returns: "i32" },
  }),
);

/**
 * Gives an open file or directory the times of another, to the nanosecond. Numbers of seconds, which node:fs takes, are too
 * short for that, and a tree whose files have other times counts as changed.
 */
export function setTimes(fd: number, stat: BigIntStats): void {
  if (timeCalls()?.futimens(fd, timesOf(stat)) === 0) return;
  futimesSync(fd, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

/** Gives a link itself the times of another. */
export function setLinkTimes(entry: Entry, stat: BigIntStats): void {
  if (timeCalls()?.utimensat(AT_FDCWD, cString(entry), timesOf(stat), AT_SYMLINK_NOFOLLOW) === 0) return;
  lutimesSync(entry, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

const BILLION = 1_000_000_000n;

/** Two of struct timespec: seconds and nanoseconds, 64 bits each. */
function timesOf({ atimeNs, mtimeNs }: BigIntStats): Buffer {
  const numbers = [atimeNs, mtimeNs].flatMap((time) => {
    const rest = ((time % BILLION) + BILLION) % BILLION;
    return [(time - rest) / BILLION, rest];
  });
  return foreignBytes(Buffer.from(BigInt64Array.from(numbers).buffer));
}

function seconds(time: bigint): number {
  return Number(time) / 1e9;
}
