/**
 * Copying from one open file to another in the kernel, which shares the blocks where the file system can.
 * C: ssize_t copy_file_range(int fd_in, off_t *off_in, int fd_out, off_t *off_out, size_t len, unsigned int flags)
 * https://man7.org/linux/man-pages/man2/copy_file_range.2.html
 */
import { openLibc } from "../libc.ts";

/** @returns how many bytes were copied; not above 0 at the end, and where it does not work, for whatever reason */
export function copyFileRange(from: number, to: number, bytes: number): number {
  if (call === "unknown") call = load();
  return call ? Number(call(from, null, to, null, bytes, 0)) : -1;
}

let call: ReturnType<typeof load> | "unknown" = "unknown";

function load() {
  return openLibc({
    copy_file_range: { args: ["i32", "ptr", "i32", "ptr", "u64", "u32"], returns: "i64" },
  })?.copy_file_range;
}
