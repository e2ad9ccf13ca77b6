/**
 * Everything that a file has besides its content, onto the file that takes its place: owner, mode, times, and extended
 * attributes, which hold user attributes, ACLs and the security label. What this process may not keep is known before and
 * said in the proposal; anything else that cannot be kept is a failure, and nothing is changed.
 */
import { type BigIntStats, fchmodSync, fchownSync, fstatSync, futimesSync, lutimesSync, type Stats } from "node:fs";
import type { Located, OpenFile, Place, Scope } from "../../scope/index.ts";
import { withOpen } from "../../state/index.ts";
import { type Attribute, readAttributes, setExactLinkTimes, setExactTimes, writeAttributes } from "../../sys/index.ts";
import { type Entry, failedWith, READING } from "./tree.ts";

const [SET_UID, SET_GID] = [0o4000, 0o2000];

export interface Metadata {
  readonly stat: Stats;
  readonly attributes: readonly Attribute[];
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
  for (const { name, code } of writeAttributes(fd, attributes)) {
    if (isForeseenLoss(name, code, made.dev !== stat.dev)) continue;
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

/**
 * @returns false where it is not permitted: to anybody but root, to some roots in containers, on file systems without
 * owners
 */
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

/**
 * Gives an open file or directory the times of another, to the nanosecond. Numbers of seconds, which node:fs takes, are too
 * short for that, and a tree whose files have other times counts as changed.
 */
export function setTimes(fd: number, stat: BigIntStats): void {
  if (setExactTimes(fd, stat)) return;
  futimesSync(fd, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

/** Gives a link itself the times of another. */
export function setLinkTimes(entry: Entry, stat: BigIntStats): void {
  if (setExactLinkTimes(entry, stat)) return;
  lutimesSync(entry, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

function seconds(time: bigint): number {
  return Number(time) / 1e9;
}
