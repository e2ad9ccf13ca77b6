/**
 * The mark by which a later change proves that it was made against what was read: the hash of the bytes that were
 * returned, or, where hashing would cost more than reading, a version of the inode's state.
 *
 * The version also changes when nothing but a time does; it never stays when the content changed, as far as the file
 * system keeps ctime.
 */
import type { BigIntStats } from "node:fs";
import { sha256 } from "../base/index.ts";

export function hashOfBytes(bytes: Uint8Array): string {
  return sha256(bytes);
}

/** 32 hex digits, so that it cannot be taken for a sha256. */
export function versionOf(stat: BigIntStats): string {
  const state = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  return sha256(state).slice(0, 32);
}
