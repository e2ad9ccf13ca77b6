/**
 * Reads a small file of a space. Whatever somebody has put there is met here: a pipe that would block, a link out of the space,
 * a file that has no end. Nothing is followed out, and nothing is read beyond the bound.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { sep } from "node:path";

/** More than any declaration or script of a tool needs. */
const MAX_FILE_BYTES: number = 256 * 1024;

/** @param folder the real path of the space @throws Error that says why, for a person */
export function readSmallFile(path: string, folder: string): { readonly bytes: Buffer; readonly mode: number } {
  if (!isInside(path, folder)) throw new Error("it leads out of the space");
  // A pipe without a writer must not hold this up.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    const { size, mode } = stat;
    if (!stat.isFile()) throw new Error("it is no regular file");
    if (size > MAX_FILE_BYTES) throw new Error(`it has ${size} bytes, and at most ${MAX_FILE_BYTES} are read`);
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let got = 1; got > 0 && length < bytes.length; length += got)
      got = readSync(fd, bytes, length, bytes.length - length, null);
    if (length > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES} bytes`);
    return { bytes: bytes.subarray(0, length), mode };
  } finally {
    closeSync(fd);
  }
}

/** @throws Error for what is not there */
export function isInside(path: string, folder: string): boolean {
  return realpathSync(path).startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** What went wrong, without the code and the call that Node puts before and behind it. */
export function reasonOf(thrown: unknown): string {
  const { code, message = String(thrown) } = thrown as { code?: string; message?: string };
  if (code === "ENOENT") return "it is not there";
  if (code === "EACCES" || code === "EPERM") return "it may not be read";
  return message.split("\n")[0]?.slice(0, 300) ?? "";
}
