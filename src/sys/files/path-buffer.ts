/**
 * A path as the C library takes it: its bytes and a NUL, in memory that is used again for every call.
 */
import { errnoError } from "../libc.ts";
import { fsName } from "./name-bytes.ts";

/** PATH_MAX of Linux, and a little more: what is longer is refused by the kernel. */
export const PATH_BYTES = 4097;

/**
 * Writes the path by one native call, never by an element store (see the hazard in libc.ts).
 *
 * @throws an error with the code ENAMETOOLONG
 */
export function writePath(scratch: Buffer, path: string): void {
  const written = scratch.write(path, 0, "utf8");
  // As many bytes as characters: all of it is ASCII, as nearly every path, and all of it fitted.
  if (written === path.length && scratch.write("\0", written, "latin1") === 1) return;
  const ended = fsName(`${path}\0`);
  // Names with escaped bytes are rare; everything else is encoded straight into the buffer.
  const length = typeof ended === "string" ? scratch.write(ended, 0, "utf8") : ended.copy(scratch);
  // What did not fit was cut, and must not be used: its last byte is not the NUL.
  if (scratch[length - 1] !== 0) throw errnoError("ENAMETOOLONG");
}
