/**
 * A hint to the kernel to begin writing a file's bytes to the disk. It promises nothing and does nothing outside Linux.
 * C: int sync_file_range(int fd, off_t offset, off_t nbytes, unsigned int flags)
 * https://man7.org/linux/man-pages/man2/sync_file_range.2.html
 */
import { openLibc } from "../libc.ts";

const SYNC_FILE_RANGE_WRITE = 2;

/** Loaded late: only changes of several files need it. */
let start: ((fd: number) => unknown) | undefined;

export function startWriting(fd: number): void {
  start ??= openStart();
  start(fd);
}

function openStart(): (fd: number) => unknown {
  const libc =
    process.platform === "linux"
      ? openLibc({ sync_file_range: { args: ["i32", "i64", "i64", "u32"], returns: "i32" } })
      : undefined;
  return (fd) => libc?.sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}
