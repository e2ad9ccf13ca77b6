/**
 * The content of one open file into another, piece by piece, so that a copy of any size can be stopped and tells how far
 * it is. The kernel copies, and shares the blocks where the file system can (Btrfs and XFS clone in copy_file_range);
 * where it cannot, the bytes are read and written.
 * https://man7.org/linux/man-pages/man2/copy_file_range.2.html
 */
import { readSync, writeSync } from "node:fs";
import { openLibc, throwIfStopped, type Cancel } from "../../base/index.ts";

export interface CopyWatch {
  readonly cancel: Cancel;
  /** Told how many bytes have come since the last time. */
  readonly onCopied?: ((bytes: number) => void) | undefined;
}

/** Some tens of milliseconds on a slow disk; a multiple of every block size, or nothing could be shared. */
const PIECE_BYTES: number = 8 * 1024 * 1024;
const READ_BYTES: number = 1024 * 1024;

/**
 * Both at their beginning. No more than `size`: a file that another process keeps writing to would never end.
 * @throws Failure `cancelled`, `timed_out`, with a part copied
 */
export function copyContent(from: number, to: number, size: number, { cancel, onCopied }: CopyWatch): void {
  let copyPiece = copyInKernel;
  for (let left = size; left > 0;) {
    throwIfStopped(cancel, "the copy");
    let copied = copyPiece(from, to, Math.min(left, PIECE_BYTES));
    if (copied <= 0 && copyPiece === copyInKernel) {
      copyPiece = copyByHand;
      copied = copyPiece(from, to, Math.min(left, PIECE_BYTES));
    }
    if (copied <= 0) return;
    left -= copied;
    onCopied?.(copied);
  }
}

type CopyFileRange = (
  from: number,
  fromAt: null,
  to: number,
  toAt: null,
  bytes: number,
  flags: number,
) => number | bigint;

let copyFileRange: CopyFileRange | undefined | "unknown" = "unknown";

/** Not above 0 where it does not work, for whatever reason: reading and writing will tell. */
function copyInKernel(from: number, to: number, bytes: number): number {
  if (copyFileRange === "unknown")
    copyFileRange = openLibc({
      copy_file_range: { args: ["i32", "ptr", "i32", "ptr", "u64", "u32"], returns: "i64" },
    })?.copy_file_range;
  return copyFileRange ? Number(copyFileRange(from, null, to, null, bytes, 0)) : -1;
}

function copyByHand(from: number, to: number, bytes: number): number {
  const buffer = Buffer.allocUnsafe(Math.min(bytes, READ_BYTES));
  const got = readSync(from, buffer, 0, buffer.length, null);
  for (let at = 0; at < got;) at += writeSync(to, buffer, at, got - at, null);
  return got;
}
