/**
 * What a file has besides its content, onto the file that takes its place: owner, mode, extended attributes with ACLs and
 * security label. What this process may not keep is known before, and said in the proposal.
 */
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, type BigIntStats } from "node:fs";
import { errnoOf, type Located, type Place, type Scope } from "../scope/index.ts";
import { readAttributes, writeAttributes } from "./extended-attributes.ts";

/** From the file at `place` onto the open file `fd`. Owner before mode, because changing the owner clears set-id bits. */
export function keepMetadata(place: Place, fd: number): void {
  const old = openSync(place.entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(old);
    keepOwner(fd, stat);
    writeAttributes(fd, readAttributes(old));
    fchmodSync(fd, stat.mode & 0o7777);
  } finally {
    closeSync(old);
  }
}

function keepOwner(fd: number, wanted: { readonly uid: number; readonly gid: number }): void {
  const now = fstatSync(fd);
  if (now.uid === wanted.uid && now.gid === wanted.gid) return;
  try {
    fchownSync(fd, wanted.uid, wanted.gid);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EPERM") throw thrown;
  }
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
  if (Number(stat.uid) !== me) losses.push("Its owner is another user, and would become you.");
  const isOurGroup = process.getgroups?.().includes(Number(stat.gid)) ?? true;
  if (!isOurGroup && process.getgid?.() !== Number(stat.gid)) losses.push("Its group cannot be kept.");
  const privileged = readAttributes(fd).filter(({ name }) => /^(?:trusted|security)\./.test(name));
  // The label that the system gives to a new file in this place is as a rule the same.
  const lost = privileged.filter(({ name }) => name !== "security.selinux").map(({ name }) => name);
  if (lost.length > 0) losses.push(`Attributes that only root may set are lost: ${lost.join(", ")}.`);
  return losses;
}
