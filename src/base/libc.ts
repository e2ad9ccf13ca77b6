/**
 * The C library through bun:ffi, for the few system calls that neither Node's nor Bun's own API has. Functions are named
 * with their C types; what may not be there on a platform is asked for on its own.
 *
 * Usual mistake: an element store into a typed array right before a foreign call. The optimising compiler does not know
 * that the call reads this memory and may move the store behind it; seen on Bun 1.4.5. Fill memory by one native call
 * (`Buffer.write`), or once and for all before it is used.
 */
import { constants } from "node:os";
import { dlopen, read, type FFIFunction, type Library, type Pointer } from "bun:ffi";

/** glibc and musl. Where everything is linked statically there is none. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libc.so"],
  darwin: ["/usr/lib/libSystem.B.dylib"],
};

/** The functions, or `undefined` where the library or one of them is missing. */
export function openLibc<T extends Record<string, FFIFunction>>(
  symbols: T,
): Library<T>["symbols"] | undefined {
  for (const name of LIBRARIES[process.platform] ?? []) {
    try {
      return dlopen(name, symbols).symbols;
    } catch {
      // Another libc, or one that was linked in statically.
    }
  }
  return undefined;
}

/** The name of the last error, "ENOENT" for one. @param location what `__errno_location()` returned just now */
export function errnoName(location: Pointer | bigint | null): string {
  return (location !== null && ERRNO_NAMES.get(read.i32(location))) || "EIO";
}

const ERRNO_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, value]) => [value, name]),
);
