/**
 * The C library through bun:ffi, for the few system calls that neither Node's nor Bun's own API has. Only this file loads a
 * library; every file around it wraps one call, names its C signature in the header and returns plain values.
 *
 * **The compiler hazard**, which every wrapper guards against: the optimising compiler does not know that a foreign call
 * reads or writes the memory whose address it is given. It may move an element store (`buffer[0] = 1`) behind the call, and
 * may take what it read before the call for what is there after it, also through another view (seen on Bun 1.4.5). So
 * memory is filled by one native call (`Buffer.write`, `Buffer.set`) and read from a copy (`Buffer.from(buffer)`).
 *
 * A second trap: the runtime may move a buffer smaller than `MIN_FOREIGN_BYTES` while a foreign function has its address.
 */
import { dlopen, type FFIFunction, type Library, type Pointer, read } from "bun:ffi";
import { constants } from "node:os";

/** glibc and musl. Where everything is linked statically there is none. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libc.so"],
  darwin: ["/usr/lib/libSystem.B.dylib"],
};

/** The functions, or `undefined` where the library or one of them is missing. */
export function openLibc<T extends Record<string, FFIFunction>>(symbols: T): Library<T>["symbols"] | undefined {
  for (const name of LIBRARIES[process.platform] ?? []) {
    try {
      return dlopen(name, symbols).symbols;
    } catch {
      // Another libc, or one that was linked in statically.
    }
  }
  return undefined;
}

const MIN_FOREIGN_BYTES = 4096;

/** A copy for a foreign call to read, made by one native call. */
export function foreignBytes(bytes: Uint8Array): Buffer {
  const memory = Buffer.allocUnsafeSlow(Math.max(MIN_FOREIGN_BYTES, bytes.length));
  memory.set(bytes);
  return memory;
}

/** A name or path as C takes it. */
export function cString(text: string | Buffer): Buffer {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  return foreignBytes(Buffer.concat([bytes, NUL]));
}

const NUL: Buffer = Buffer.alloc(1);

/** The name of the last error, "ENOENT" for one. @param location what `__errno_location()` returned just now */
export function errnoName(location: Pointer | bigint | null): string {
  return (location !== null && errnoNames().get(read.i32(location))) || "EIO";
}

/** Tells the name of the last foreign call's error. Opened before that call: opening a library changes it. */
export function openErrno(): () => string {
  if (process.platform === "darwin") {
    const libc = openLibc({ __error: { args: [], returns: "ptr" } });
    return () => errnoName(libc?.__error() ?? null);
  }
  const libc = openLibc({ __errno_location: { args: [], returns: "ptr" } });
  return () => errnoName(libc?.__errno_location() ?? null);
}

/** An error as node:fs would throw it. */
export function errnoError(code: string): Error & { code: string } {
  return Object.assign(new Error(code), { code });
}

/** The name of the error that the system threw, or `undefined` for anything else that was thrown. */
export function errnoOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : undefined;
}

/**
 * Where two names share one number, the first by the alphabet is taken: EAGAIN and not EWOULDBLOCK, ENOTSUP and not
 * EOPNOTSUPP.
 */
function errnoNames(): ReadonlyMap<number, string> {
  return (namesOfErrors ??= new Map(
    Object.entries(constants.errno)
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([name, value]) => [value, name]),
  ));
}

let namesOfErrors: ReadonlyMap<number, string> | undefined;
