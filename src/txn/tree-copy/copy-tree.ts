/**
 * Copies a file, a link or a directory with all that is in it to a fresh name. Content goes through the kernel (reflink
 * where the file system can); links are copied as they are written; FIFOs, sockets and devices are left out, because
 * reading them is not copying.
 *
 * A faithful copy is one that stands for the old object: it has its owner, mode, attributes and times, and its hard links
 * among each other. Any other is ours, as cp(1) makes it.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  type BigIntStats,
} from "node:fs";
import { Failure } from "../../base/index.ts";
import { errnoOf, isMadeUp } from "../../scope/index.ts";
import { copyContent, type CopyWatch } from "./copy-content.ts";
import { copyMetadata, metadataOf, setMetadata, type Metadata } from "./metadata.ts";
import { DIRECTORY, openTree } from "./open-tree.ts";
import { setLinkTimes, setTimes } from "./set-times.ts";

export interface CopyOptions extends CopyWatch {
  /** The source will be removed: nothing may be left out. The copy is faithful and on the disk. */
  readonly whole?: boolean;
  readonly faithful?: boolean;
  /** The copy must be on the disk. */
  readonly durable?: boolean;
}

export interface SourceEntry {
  /** Path below the top. */
  readonly below: string;
  readonly stat: BigIntStats;
  /** For node:fs, until the next entry. */
  readonly entry: string | Buffer;
}

export interface Source {
  readonly entry: string | Buffer;
  readonly stat: BigIntStats;
  /** Everything in a directory, each before what it holds. */
  readonly inside: () => Iterable<SourceEntry>;
}

/** `destination` must not exist; on failure nothing is left of it. */
export function copyEntries(source: Source, destination: string | Buffer, options: CopyOptions): void {
  const { entry, stat } = source;
  try {
    copyOne(entry, destination, stat, options);
    if (!stat.isDirectory()) return;
    const metadata = metadataOfDirectory(entry, stat, options);
    copyInside(source, destination, options);
    finishDirectory(destination, metadata, options);
  } catch (thrown) {
    rmSync(destination, { recursive: true, force: true });
    throw thrown;
  }
}

function copyInside(source: Source, destination: string | Buffer, options: CopyOptions): void {
  using copy = openTree(destination);
  using again = openTree(destination);
  /** The first name of each file that has several. */
  const names = new Map<string, string>();
  const directories: [string, DirectoryMetadata][] = [];
  for (const { below, stat, entry } of source.inside()) {
    const first = isFaithful(options) ? names.get(keyOf(stat)) : undefined;
    if (first !== undefined && link(again.entry(first), copy.entry(below))) continue;
    copyOne(entry, copy.entry(below), stat, options);
    if (stat.isFile() && stat.nlink > 1n) names.set(keyOf(stat), below);
    if (stat.isDirectory()) directories.push([below, metadataOfDirectory(entry, stat, options)]);
  }
  // Last, and the deepest first: a directory that may not be written into could not have been filled.
  for (const [below, metadata] of directories.reverse())
    finishDirectory(copy.entry(below), metadata, options);
}

function keyOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Where the file system has no links, or not that many, it becomes a file of its own. */
function link(first: string | Buffer, name: string | Buffer): boolean {
  try {
    linkSync(first, name);
    return true;
  } catch (thrown) {
    if (!["EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errnoOf(thrown) ?? "")) throw thrown;
    return false;
  }
}

function copyOne(from: string | Buffer, to: string | Buffer, stat: BigIntStats, options: CopyOptions): void {
  if (stat.isDirectory()) mkdirSync(to, { mode: 0o700 });
  else if (stat.isSymbolicLink()) copyLink(from, to, stat, options);
  else if (stat.isFile()) copyFile(from, to, stat, options);
  else if (options.whole)
    throw new Failure(
      "denied",
      "Cannot move it to another file system: it holds a FIFO, socket or device, which cannot be copied",
    );
}

function copyLink(from: string | Buffer, to: string | Buffer, stat: BigIntStats, options: CopyOptions): void {
  symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  if (!isFaithful(options) || process.platform === "win32") return;
  setLinkTimes(to, stat);
  try {
    lchownSync(to, Number(stat.uid), Number(stat.gid));
  } catch (thrown) {
    // Nothing is decided by the owner of a link.
    if (!["EPERM", "EINVAL"].includes(errnoOf(thrown) ?? "")) throw thrown;
  }
}

/** From the opened file, not from its name: between a look and a copy another process can put a link there. */
function copyFile(from: string | Buffer, to: string | Buffer, stat: BigIntStats, options: CopyOptions): void {
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const now = fstatSync(source, { bigint: true });
    if (!now.isFile() || isMadeUp(source, now.dev)) throw notCopied();
    const isLinux = process.platform === "linux";
    // Elsewhere only the system's own call shares blocks; it cannot be stopped on its way.
    if (!isLinux) copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const copy = openSync(to, isLinux ? NEW_FILE : OLD_FILE, 0o600);
    try {
      if (isLinux) copyContent(source, copy, Number(now.size), options);
      if (isFaithful(options)) copyMetadata(source, copy);
      else fchmodSync(copy, Number(stat.mode) & 0o777);
      setTimes(copy, stat);
      if (mustLast(options)) fsyncSync(copy);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(source);
  }
}

const NEW_FILE: number = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OLD_FILE: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function isFaithful({ whole, faithful }: CopyOptions): boolean {
  return (whole || faithful) ?? false;
}

function mustLast({ whole, durable }: CopyOptions): boolean {
  return (whole || durable) ?? false;
}

/** Read while it is walked: at the end its entry is no longer open. */
function metadataOfDirectory(
  entry: string | Buffer,
  stat: BigIntStats,
  options: CopyOptions,
): DirectoryMetadata {
  if (!isFaithful(options) || process.platform === "win32") return { stat };
  const fd = openSync(entry, DIRECTORY);
  try {
    return { stat, kept: metadataOf(fd) };
  } finally {
    closeSync(fd);
  }
}

interface DirectoryMetadata {
  readonly stat: BigIntStats;
  readonly kept?: Metadata;
}

/** With all its entries. On the opened directory: chmod(2) of a name would follow a link that was put there. */
function finishDirectory(
  directory: string | Buffer,
  { stat, kept }: DirectoryMetadata,
  options: CopyOptions,
): void {
  if (process.platform === "win32") return;
  const fd = openSync(directory, DIRECTORY);
  try {
    if (kept) {
      setMetadata(fd, kept);
      setTimes(fd, stat);
    } else fchmodSync(fd, Number(stat.mode) & 0o777);
    if (mustLast(options)) fsyncSync(fd);
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
