/**
 * What a file has besides its content, onto the file that takes its place: owner, mode, extended attributes with ACLs and
 * security label. What this process may not keep is known before, and said in the proposal; anything else that cannot be
 * kept is a failure, and nothing is changed.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  type BigIntStats,
  type Stats,
} from "node:fs";
import { errnoOf, type Located, type Place, type Scope } from "../../scope/index.ts";
import {
  readAttributes,
  writeAttributes,
  type Attribute,
  type UnsetAttribute,
} from "./extended-attributes.ts";

const [SET_UID, SET_GID] = [0o4000, 0o2000];

/**
 * From the file at `place` onto the open file `fd`.
 * @returns the bits of a mode that `fd` may have: a set-id bit means another thing with another owner
 */
export function keepMetadata(place: Place, fd: number): number {
  const old = openSync(place.entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return copyMetadata(old, fd);
  } finally {
    closeSync(old);
  }
}

/** From one open file onto another. @returns as `keepMetadata` */
export function copyMetadata(from: number, to: number): number {
  return setMetadata(to, metadataOf(from));
}

export interface Metadata {
  readonly stat: Stats;
  readonly attributes: readonly Attribute[];
}

/** Of an open file or directory. */
export function metadataOf(fd: number): Metadata {
  return { stat: fstatSync(fd), attributes: readAttributes(fd) };
}

/** Owner before the rest, because changing the owner clears set-id bits and capabilities. */
export function setMetadata(fd: number, { stat, attributes }: Metadata): number {
  const made = fstatSync(fd);
  const allowed = keepOwner(fd, made, stat);
  const isOtherDevice = made.dev !== stat.dev;
  for (const unset of writeAttributes(fd, attributes))
    if (!isTold(unset, isOtherDevice)) throw notKept(unset);
  fchmodSync(fd, stat.mode & allowed);
  return allowed;
}

type Owner = Pick<Stats, "uid" | "gid">;

function keepOwner(fd: number, made: Owner, wanted: Owner): number {
  if (made.uid === wanted.uid && made.gid === wanted.gid) return 0o7777;
  const done = change(fd, wanted.uid, wanted.gid);
  // Whoever may not give it away may still give it to a group of theirs.
  if (!done) change(fd, made.uid, wanted.gid);
  const { uid, gid } = fstatSync(fd);
  return 0o7777 & ~(uid === wanted.uid ? 0 : SET_UID) & ~(gid === wanted.gid ? 0 : SET_GID);
}

/** Not permitted: to anybody but root, to root in a container for some, and on file systems that know no owners. */
function change(fd: number, uid: number, gid: number): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch (thrown) {
    if (!["EPERM", "EINVAL"].includes(errnoOf(thrown) ?? "")) throw thrown;
    return false;
  }
}

/** The proposal has said that it will be lost: only root may set it, or it goes to a file system of another kind. */
function isTold({ name, code }: UnsetAttribute, isOtherDevice: boolean): boolean {
  if (code === "EPERM" || code === "EACCES") return isPrivileged(name);
  return isOtherDevice && (code === "ENOTSUP" || code === "EOPNOTSUPP");
}

function isPrivileged(name: string): boolean {
  return /^(?:trusted|security)\./.test(name);
}

function notKept({ name, code }: UnsetAttribute): Error {
  return Object.assign(new Error(`${code}: the attribute ${name} cannot be kept`), {
    code,
    syscall: "fsetxattr",
  });
}

/** What replacing the file would lose, in words; empty when all of it can be kept. */
export function lossesAt(scope: Scope, at: Located): string[] {
  if (process.getuid === undefined || process.getuid() === 0) return [];
  try {
    using file = scope.openFile(at, "change");
    return metadataLosses(file.stat, file.fd);
  } catch {
    // It is made by the same change set, and is ours then.
    return [];
  }
}

function metadataLosses(stat: BigIntStats, fd: number): string[] {
  const me = process.getuid?.();
  if (me === undefined || me === 0) return [];
  const losses: string[] = [];
  const isOurs = Number(stat.uid) === me;
  if (!isOurs) losses.push("Its owner is another user, and would become you.");
  const keepsGroup =
    (process.getgroups?.().includes(Number(stat.gid)) ?? true) || process.getgid?.() === Number(stat.gid);
  if (!keepsGroup) losses.push("Its group cannot be kept.");
  const lostBits = (isOurs ? 0 : SET_UID) | (keepsGroup ? 0 : SET_GID);
  if ((Number(stat.mode) & lostBits) !== 0) losses.push("Its set-id bits go with them.");
  const privileged = readAttributes(fd).filter(({ name }) => isPrivileged(name));
  // The label that the system gives to a new file in this place is as a rule the same.
  const lost = privileged.filter(({ name }) => name !== "security.selinux").map(({ name }) => name);
  if (lost.length > 0) losses.push(`Attributes that only root may set are lost: ${lost.join(", ")}.`);
  return losses;
}
