/**
 * Extended attributes of a file onto the one that replaces it: user attributes, ACLs and the security label are all kept
 * in them. Through libc, because neither Node's nor Bun's own API has them; Linux only.
 *
 * Names and values are fresh memory for each call and never written by us after it was handed over.
 * https://man7.org/linux/man-pages/man7/xattr.7.html
 */
import { openLibc } from "../base/index.ts";

/** The kernel's own limits: for the list of names, and for one value. */
const MAX_BYTES: number = 64 * 1024;

export interface Attribute {
  readonly name: string;
  readonly value: Buffer;
}

interface Calls {
  readonly flistxattr: (fd: number, list: Buffer, size: number) => number | bigint;
  readonly fgetxattr: (fd: number, name: Buffer, value: Buffer, size: number) => number | bigint;
  readonly fsetxattr: (fd: number, name: Buffer, value: Buffer, size: number, flags: number) => number;
}

let calls: Calls | undefined | "unknown" = "unknown";

function loadCalls(): Calls | undefined {
  if (process.platform !== "linux") return undefined;
  return openLibc({
    flistxattr: { args: ["i32", "ptr", "u64"], returns: "i64" },
    fgetxattr: { args: ["i32", "ptr", "ptr", "u64"], returns: "i64" },
    fsetxattr: { args: ["i32", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  }) as Calls | undefined;
}

/** Of an open file; none where the file system or the platform has none. */
export function readAttributes(fd: number): Attribute[] {
  if (calls === "unknown") calls = loadCalls();
  if (!calls) return [];
  const list = Buffer.alloc(MAX_BYTES);
  const length = Number(calls.flistxattr(fd, list, list.length));
  if (length <= 0) return [];
  const found: Attribute[] = [];
  for (const name of list.toString("latin1", 0, length - 1).split("\0")) {
    const value = Buffer.alloc(MAX_BYTES);
    const size = Number(calls.fgetxattr(fd, cString(name), value, value.length));
    if (size >= 0) found.push({ name, value: value.subarray(0, size) });
  }
  return found;
}

/** The names of those that could not be set. */
export function writeAttributes(fd: number, attributes: readonly Attribute[]): string[] {
  const known = calls === "unknown" ? undefined : calls;
  return attributes
    .filter(({ name, value }) => {
      const bytes = value.length === 0 ? Buffer.alloc(1) : value;
      return known?.fsetxattr(fd, cString(name), bytes, value.length, 0) !== 0;
    })
    .map(({ name }) => name);
}

function cString(name: string): Buffer {
  return Buffer.from(`${name}\0`, "latin1");
}
