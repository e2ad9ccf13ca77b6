/**
 * Copies a file, a link or a directory with all that is in it to a fresh name. Content goes through the kernel (reflink
 * where the file system can); links are copied as they are written; FIFOs, sockets and devices are left out, because
 * reading them is not copying.
 *
 * A faithful copy stands for the old object: it has its owner, mode, attributes and times, and its hard links among each
 * other. Any other copy is ours, as cp(1) makes it.
 */
import {
  type BigIntStats,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { type Cancel, Failure, NEVER_CANCELLED, throwIfStopped } from "../../base/index.ts";
import { isMadeUp, type Place, type Scope } from "../../scope/index.ts";
import { withOpen } from "../../state/index.ts";
import { copyFileRange, fsName, nameFromBytes } from "../../sys/index.ts";
import { metadataOf, setLinkTimes, setMetadata, setTimes } from "./metadata.ts";
import { DIRECTORY, type Entry, failedWith, NEW_FILE, openTree, READING, tryLink, walkTree } from "./tree.ts";

export interface CopyOptions {
  readonly cancel: Cancel;
  /** Receives the number of bytes since the last call. */
  readonly onCopied?: ((bytes: number) => void) | undefined;
  /** The source will be removed, so nothing may be left out, and the copy is faithful and durable. */
  readonly whole?: boolean;
  readonly faithful?: boolean;
  /** The copy is on the disk when the call returns. */
  readonly durable?: boolean;
}

/**
 * Copies what lies in a root, by handle: nothing on the way to any of its entries can be swapped for a link, and an entry
 * under a deny rule makes the whole copy fail.
 * @param destination must not exist; on failure nothing is left of it
 */
export function copyObject(scope: Scope, place: Place, destination: Entry, options: CopyOptions): void {
  function* inside(): Generator<SourceEntry> {
    for (const { at, ...found } of walkTree(scope, place.at, options.cancel)) {
      using held = scope.place(at, "copy");
      yield { ...found, entry: held.entry };
    }
  }
  copyEntries({ entry: place.entry, inside }, destination, options);
}

/**
 * Copies what the history keeps to where it came from, when that is another mount. The history is ours alone (0700), so its
 * names can be trusted.
 * @param durable the copy must be on the disk, because what is kept goes when it is back
 */
export function copyKept(from: string, to: Entry, durable: boolean): void {
  function* inside(): Generator<SourceEntry> {
    const pending = [""];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const bytes of readdirSync(fsName(`${from}/${next}`), { encoding: "buffer" })) {
        const name = nameFromBytes(bytes);
        const below = next === "" ? name : `${next}/${name}`;
        const entry = fsName(`${from}/${below}`);
        const stat = lstatSync(entry, { bigint: true });
        yield { below, stat, entry };
        if (stat.isDirectory()) pending.push(below);
      }
    }
  }
  copyEntries({ entry: from, inside }, to, { cancel: NEVER_CANCELLED, faithful: true, durable });
}

interface Source {
  readonly entry: Entry;
  /** Everything in a directory, each before what it holds. */
  readonly inside: () => Iterable<SourceEntry>;
}

interface SourceEntry {
  /** Path below the top. */
  readonly below: string;
  readonly stat: BigIntStats;
  /** The name for node:fs, until the next entry. */
  readonly entry: Entry;
}

function copyEntries(source: Source, destination: Entry, asked: CopyOptions): void {
  const options = asked.whole ? { ...asked, faithful: true, durable: true } : asked;
  const stat = lstatSync(source.entry, { bigint: true });
  try {
    copyOne(source.entry, destination, stat, options);
    if (!stat.isDirectory()) return;
    const finish = directoryFinisher(source.entry, stat, options);
    copyInside(source, destination, options);
    finish(destination);
  } catch (thrown) {
    rmSync(destination, { recursive: true, force: true });
    throw thrown;
  }
}

function copyInside(source: Source, destination: Entry, options: CopyOptions): void {
  using copy = openTree(destination);
  using again = openTree(destination);
  /** The first name of each file that has several. */
  const names = new Map<string, string>();
  const directories: [below: string, finish: (copy: Entry) => void][] = [];
  for (const { below, stat, entry } of source.inside()) {
    const key = `${stat.dev}:${stat.ino}`;
    const first = options.faithful ? names.get(key) : undefined;
    // Where the file system takes no link, the second name becomes a file of its own.
    if (first !== undefined && tryLink(again.entry(first), copy.entry(below))) continue;
    copyOne(entry, copy.entry(below), stat, options);
    if (stat.isFile() && stat.nlink > 1n) names.set(key, below);
    if (stat.isDirectory()) directories.push([below, directoryFinisher(entry, stat, options)]);
  }
  // Last, and the deepest first: a directory that may not be written into could not have been filled.
  for (const [below, finish] of directories.reverse()) finish(copy.entry(below));
}

function copyOne(from: Entry, to: Entry, stat: BigIntStats, options: CopyOptions): void {
  if (stat.isDirectory()) mkdirSync(to, { mode: 0o700 });
  else if (stat.isSymbolicLink()) copyLink(from, to, stat, options);
  else if (stat.isFile()) copyFile(from, to, stat, options);
  else if (options.whole)
    throw new Failure(
      "denied",
      "Cannot move it to another file system: it holds a FIFO, socket or device, which cannot be copied",
    );
}

function copyLink(from: Entry, to: Entry, stat: BigIntStats, { faithful }: CopyOptions): void {
  symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  if (!faithful || process.platform === "win32") return;
  setLinkTimes(to, stat);
  try {
    lchownSync(to, Number(stat.uid), Number(stat.gid));
  } catch (thrown) {
    // The owner of a symlink decides nothing.
    if (!failedWith(thrown, "EPERM", "EINVAL")) throw thrown;
  }
}

/** Copies from the opened file, not from its name: between a look and a copy another process can put a link there. */
function copyFile(from: Entry, to: Entry, stat: BigIntStats, options: CopyOptions): void {
  withOpen(from, READING, (source) => {
    const now = fstatSync(source, { bigint: true });
    if (!now.isFile() || isMadeUp(source, now.dev))
      throw new Failure(
        "denied",
        "Cannot copy it: a file in it was replaced meanwhile, or is one that the kernel makes up",
      );
    const isLinux = process.platform === "linux";
    // Elsewhere only the system's own call shares blocks; it cannot be stopped on its way.
    if (!isLinux) copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const finish = (copy: number): void => {
      if (isLinux) copyContent(source, copy, Number(now.size), options);
      if (options.faithful) setMetadata(copy, metadataOf(source));
      else fchmodSync(copy, Number(stat.mode) & 0o777);
      setTimes(copy, stat);
      if (options.durable) fsyncSync(copy);
    };
    withOpen(to, isLinux ? NEW_FILE : READING, finish, 0o600);
  });
}

/**
 * Reads what a directory has while it is walked, because its entry is no longer open at the end.
 * @returns what gives it to the copy, once that has all its entries. The copy is opened: chmod(2) of a name would follow a
 * link that was put there
 */
function directoryFinisher(entry: Entry, stat: BigIntStats, options: CopyOptions): (copy: Entry) => void {
  if (process.platform === "win32") return () => undefined;
  const metadata = options.faithful ? withOpen(entry, DIRECTORY, metadataOf) : undefined;
  const finish = (fd: number): void => {
    if (metadata) {
      setMetadata(fd, metadata);
      setTimes(fd, stat);
    } else fchmodSync(fd, Number(stat.mode) & 0o777);
    if (options.durable) fsyncSync(fd);
  };
  return (copy) => withOpen(copy, DIRECTORY, finish);
}

/** Some tens of milliseconds on a slow disk; a multiple of every block size, or nothing could be shared. */
const PIECE_BYTES: number = 8 * 1024 * 1024;
const READ_BYTES: number = 1024 * 1024;

/**
 * Copies the content piece by piece, so that a copy of any size can be stopped and tells how far it is. The kernel copies,
 * and shares the blocks where it can (Btrfs and XFS); where copy_file_range(2) copies nothing, for whatever reason, the
 * bytes are read and written. No more than `size`: a file that another process keeps writing to would never end.
 * @throws Failure `cancelled`, `timed_out`, with a part copied
 */
function copyContent(from: number, to: number, size: number, { cancel, onCopied }: CopyOptions): void {
  let copyPiece = copyFileRange;
  for (let left = size; left > 0;) {
    throwIfStopped(cancel, "the copy");
    let copied = copyPiece(from, to, Math.min(left, PIECE_BYTES));
    if (copied <= 0 && copyPiece === copyFileRange) {
      copyPiece = copyByHand;
      copied = copyPiece(from, to, Math.min(left, PIECE_BYTES));
    }
    if (copied <= 0) return;
    left -= copied;
    onCopied?.(copied);
  }
}

function copyByHand(from: number, to: number, bytes: number): number {
  const buffer = Buffer.allocUnsafe(Math.min(bytes, READ_BYTES));
  const got = readSync(from, buffer, 0, buffer.length, null);
  for (let at = 0; at < got;) at += writeSync(to, buffer, at, got - at, null);
  return got;
}
