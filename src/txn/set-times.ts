/**
 * The times of a copy, to the nanosecond where the system can: a tree whose files have other times counts as changed.
 */
import { futimesSync, lutimesSync, type BigIntStats } from "node:fs";
import { setExactLinkTimes, setExactTimes } from "../sys/index.ts";

/** Sets the times of an open file or directory. */
export function setTimes(fd: number, stat: BigIntStats): void {
  if (!setExactTimes(fd, stat)) futimesSync(fd, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

/** Sets the times of a link itself. */
export function setLinkTimes(entry: string | Buffer, stat: BigIntStats): void {
  if (!setExactLinkTimes(entry, stat)) lutimesSync(entry, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

function seconds(time: bigint): number {
  return Number(time) / 1e9;
}
