/**
 * Copies a file, a link or a tree to a fresh name. Content goes through the kernel (reflink where the file system can);
 * links are copied as they are written; FIFOs, sockets and devices are left out, because reading them is not copying.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  type BigIntStats,
} from "node:fs";
import { Failure, type Cancel } from "../base/index.ts";
import { fsName, nameFromBytes, type Place, type Scope } from "../scope/index.ts";
import { walkTree } from "./walk-tree.ts";

export interface CopyOptions {
  readonly cancel: Cancel;
  /** The source will be removed: nothing may be left out, and the copy must be on the disk. */
  readonly whole?: boolean;
}

/** `destination` must not exist; on failure nothing is left of it. */
export function copyObject(
  scope: Scope,
  source: Place,
  destination: string | Buffer,
  options: CopyOptions,
): void {
  const stat = lstatSync(source.entry, { bigint: true });
  try {
    copyOne(source.entry, destination, stat, options);
    if (stat.isDirectory()) copyInside(scope, source, destination, options);
    if (stat.isDirectory()) chmodSync(destination, Number(stat.mode) & 0o777);
  } catch (thrown) {
    rmSync(destination, { recursive: true, force: true });
    throw thrown;
  }
}

function copyInside(scope: Scope, source: Place, destination: string | Buffer, options: CopyOptions): void {
  const base = typeof destination === "string" ? destination : nameFromBytes(destination);
  const modes: [string | Buffer, number][] = [];
  for (const { at, below, stat } of walkTree(scope, source.at, options.cancel)) {
    using place = scope.place(at, "copy");
    const to = fsName(`${base}/${below}`);
    copyOne(place.entry, to, stat, options);
    if (stat.isDirectory()) modes.push([to, Number(stat.mode) & 0o777]);
  }
  // Last, and the deepest first: a directory that may not be written into could not have been filled.
  for (const [to, mode] of modes.reverse()) chmodSync(to, mode);
}

function copyOne(
  from: string | Buffer,
  to: string | Buffer,
  stat: BigIntStats,
  { whole }: CopyOptions,
): void {
  if (stat.isDirectory()) mkdirSync(to, { mode: 0o700 });
  else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  else if (stat.isFile()) {
    copyFile(from, to, whole ?? false);
    chmodSync(to, Number(stat.mode) & 0o777);
    utimesSync(to, Number(stat.atimeMs) / 1000, Number(stat.mtimeMs) / 1000);
  } else if (whole)
    throw new Failure(
      "denied",
      "Cannot move it to another device: it holds a FIFO, socket or device, which cannot be copied",
    );
}

/** From the opened file, not from its name: between a look and a copy another process can put a link there. */
function copyFile(from: string | Buffer, to: string | Buffer, durable: boolean): void {
  const fd = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw Object.assign(new Error("ESTALE"), { code: "ESTALE" });
    const source = process.platform === "linux" ? `/proc/self/fd/${fd}` : from;
    copyFileSync(source, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } finally {
    closeSync(fd);
  }
  if (durable) sync(to);
}

function sync(path: string | Buffer): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
