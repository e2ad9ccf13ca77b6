/**
 * Copies a file, a link or a tree to a fresh name. Content goes through the kernel (reflink where the file system can);
 * links are copied as they are written; FIFOs, sockets and devices are left out, because reading them is not copying.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  type BigIntStats,
} from "node:fs";
import { Failure, type Cancel } from "../base/index.ts";
import { isMadeUp, type Place, type Scope } from "../scope/index.ts";
import { DIRECTORY, openTree } from "./open-tree.ts";
import { walkTree } from "./walk-tree.ts";

export interface CopyOptions {
  readonly cancel: Cancel;
  /** The source will be removed: nothing may be left out, and the copy must be on the disk. */
  readonly whole?: boolean;
  /** The copy must be on the disk. */
  readonly durable?: boolean;
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
    if (stat.isDirectory()) setMode(destination, Number(stat.mode) & 0o777);
  } catch (thrown) {
    rmSync(destination, { recursive: true, force: true });
    throw thrown;
  }
}

function copyInside(scope: Scope, source: Place, destination: string | Buffer, options: CopyOptions): void {
  using copy = openTree(destination);
  const modes: [string, number][] = [];
  for (const { at, below, stat } of walkTree(scope, source.at, options.cancel)) {
    using place = scope.place(at, "copy");
    copyOne(place.entry, copy.entry(below), stat, options);
    if (stat.isDirectory()) modes.push([below, Number(stat.mode) & 0o777]);
  }
  // Last, and the deepest first: a directory that may not be written into could not have been filled.
  for (const [below, mode] of modes.reverse()) setMode(copy.entry(below), mode);
}

function copyOne(
  from: string | Buffer,
  to: string | Buffer,
  stat: BigIntStats,
  { whole, durable }: CopyOptions,
): void {
  if (stat.isDirectory()) mkdirSync(to, { mode: 0o700 });
  else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  else if (stat.isFile()) copyFile(from, to, stat, (whole || durable) ?? false);
  else if (whole)
    throw new Failure(
      "denied",
      "Cannot move it to another device: it holds a FIFO, socket or device, which cannot be copied",
    );
}

/** From the opened file, not from its name: between a look and a copy another process can put a link there. */
function copyFile(from: string | Buffer, to: string | Buffer, stat: BigIntStats, durable: boolean): void {
  const fd = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const now = fstatSync(fd, { bigint: true });
    if (!now.isFile() || isMadeUp(fd, now.dev)) throw notCopied();
    const source = process.platform === "linux" ? `/proc/self/fd/${fd}` : from;
    copyFileSync(source, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } finally {
    closeSync(fd);
  }
  const copy = openSync(to, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    fchmodSync(copy, Number(stat.mode) & 0o777);
    futimesSync(copy, Number(stat.atimeMs) / 1000, Number(stat.mtimeMs) / 1000);
    if (durable) fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
}

/** On the opened directory: chmod(2) of a name would follow a link that was put there. */
function setMode(directory: string | Buffer, mode: number): void {
  if (process.platform === "win32") return;
  const fd = openSync(directory, DIRECTORY);
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

function notCopied(): Failure {
  return new Failure(
    "denied",
    "Cannot copy it: a file in it was replaced meanwhile, or is one that the kernel makes up",
  );
}
