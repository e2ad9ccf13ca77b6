/**
 * Copies a file, a link or a tree to a fresh name. Content goes through the kernel (reflink where the file system can);
 * links are copied as they are written; FIFOs, sockets and devices are left out, because reading them is not copying.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  type BigIntStats,
} from "node:fs";
import type { Cancel } from "../base/index.ts";
import { fsName, nameFromBytes, type Place, type Scope } from "../scope/index.ts";
import { walkTree } from "./walk-tree.ts";

/** `destination` must not exist; on failure nothing is left of it. */
export function copyObject(scope: Scope, source: Place, destination: string | Buffer, cancel: Cancel): void {
  const stat = lstatSync(source.entry, { bigint: true });
  try {
    copyOne(source.entry, destination, stat);
    if (stat.isDirectory()) copyInside(scope, source, destination, cancel);
  } catch (thrown) {
    rmSync(destination, { recursive: true, force: true });
    throw thrown;
  }
}

function copyInside(scope: Scope, source: Place, destination: string | Buffer, cancel: Cancel): void {
  const base = typeof destination === "string" ? destination : nameFromBytes(destination);
  for (const { at, below, stat } of walkTree(scope, source.at, cancel)) {
    using place = scope.place(at, "copy");
    copyOne(place.entry, fsName(`${base}/${below}`), stat);
  }
}

function copyOne(from: string | Buffer, to: string | Buffer, stat: BigIntStats): void {
  if (stat.isDirectory()) mkdirSync(to, { mode: Number(stat.mode) & 0o777 });
  else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  else if (stat.isFile()) {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    chmodSync(to, Number(stat.mode) & 0o777);
    utimesSync(to, Number(stat.atimeMs) / 1000, Number(stat.mtimeMs) / 1000);
  }
}
