/**
 * What a file is told by where its content need not be read: a file of any size is moved or deleted in no time, and one
 * that its owner may not read too. A mark stands in the place of the hash.
 *
 * Its parts go from what stays longest to what changes first, so a shorter mark is one that asks for less: a rename and a
 * second name change ctime, a copy has another inode and another time.
 */
import type { BigIntStats } from "node:fs";
import type { Before } from "./model.ts";

const MARK = "state:";

export function markOf({ size, mtimeNs, ino, ctimeNs }: BigIntStats): string {
  return `${MARK}${size}:${mtimeNs}:${ino}:${ctimeNs}`;
}

export function isMark(hash: string): boolean {
  return hash.startsWith(MARK);
}

/** The file after it was renamed. */
export function withoutChangeTime(before: Before): Before {
  return shortened(before, 3);
}

/** The file, or a copy of it. */
export function sizeOnly(before: Before): Before {
  return shortened(before, 1);
}

function shortened(before: Before, parts: number): Before {
  if (before.kind !== "file" || !isMark(before.hash)) return before;
  const hash = before.hash
    .split(":")
    .slice(0, 1 + parts)
    .join(":");
  return { ...before, hash };
}

/** Whether what is there now has all that is asked for. */
export function isSameState(asked: string, now: string): boolean {
  return now === asked || (isMark(asked) && now.startsWith(`${asked}:`));
}
