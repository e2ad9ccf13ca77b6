/**
 * Extended attributes of open files: user attributes, ACLs and the security label are all kept in them. Linux only.
 * C: ssize_t flistxattr(int fd, char *list, size_t size); ssize_t fgetxattr(int fd, const char *name, void *value, size_t
 * size); int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
 * https://man7.org/linux/man-pages/man7/xattr.7.html
 */
import { cString, foreignBytes, openErrno, openLibc } from "../libc.ts";

/** The kernel's own limits: for the list of names, and for one value. */
const MAX_BYTES: number = 64 * 1024;

export interface Attribute {
  readonly name: string;
  readonly value: Buffer;
}

export interface UnsetAttribute {
  readonly name: string;
  /** The system's error. */
  readonly code: string;
}

interface Calls {
  readonly flistxattr: (fd: number, list: Buffer, size: number) => number | bigint;
  readonly fgetxattr: (fd: number, name: Buffer, value: Buffer, size: number) => number | bigint;
  readonly fsetxattr: (fd: number, name: Buffer, value: Buffer, size: number, flags: number) => number;
  readonly errno: () => string;
}

let calls: Calls | undefined | "unknown" = "unknown";

function loadCalls(): Calls | undefined {
  if (process.platform !== "linux") return undefined;
  const libc = openLibc({
    flistxattr: { args: ["i32", "ptr", "u64"], returns: "i64" },
    fgetxattr: { args: ["i32", "ptr", "ptr", "u64"], returns: "i64" },
    fsetxattr: { args: ["i32", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  });
  return libc && { ...libc, errno: openErrno() };
}

/**
 * The attributes of an open file; none where the file system or the platform has none. @throws the system's error for
 * one that is there
 */
export function readAttributes(fd: number): Attribute[] {
  if (calls === "unknown") calls = loadCalls();
  if (!calls) return [];
  const list = Buffer.allocUnsafeSlow(MAX_BYTES);
  const length = Number(calls.flistxattr(fd, list, list.length));
  if (length <= 0) return [];
  const names = Buffer.from(list).toString("latin1", 0, length - 1);
  return names.split("\0").flatMap((name) => readOne(fd, name) ?? []);
}

function readOne(fd: number, name: string): Attribute | undefined {
  if (calls === "unknown" || !calls) return undefined;
  const value = Buffer.allocUnsafeSlow(MAX_BYTES);
  const size = Number(calls.fgetxattr(fd, cString(name), value, value.length));
  if (size >= 0) return { name, value: Buffer.from(value).subarray(0, size) };
  const code = calls.errno();
  // Removed since, or listed for everybody and readable for root alone.
  if (["ENODATA", "EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP"].includes(code)) return undefined;
  throw Object.assign(new Error(`${code}: cannot read the attribute ${name}`), {
    code,
    syscall: "fgetxattr",
  });
}

/** Sets attributes of an open file. @returns those that could not be set */
export function writeAttributes(fd: number, attributes: readonly Attribute[]): UnsetAttribute[] {
  if (calls === "unknown") calls = loadCalls();
  const known = calls;
  return attributes.flatMap(({ name, value }) => {
    if (!known) return [{ name, code: "ENOTSUP" }];
    if (known.fsetxattr(fd, cString(name), foreignBytes(value), value.length, 0) === 0) return [];
    return [{ name, code: known.errno() }];
  });
}
