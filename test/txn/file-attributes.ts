/**
 * Extended attributes of a path, for tests: neither Node's nor Bun's own API has them, and setfattr is not everywhere.
 */
import { dlopen } from "bun:ffi";

const LIBC = process.platform === "linux" ? "libc.so.6" : "libc.dylib";

const { symbols } = dlopen(LIBC, {
  setxattr: { args: ["ptr", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  getxattr: { args: ["ptr", "ptr", "ptr", "u64"], returns: "i64" },
});

/** Whether it could be set. */
export function setAttribute(path: string, name: string, value: Uint8Array): boolean {
  return symbols.setxattr(cString(path), cString(name), value, value.length, 0) === 0;
}

export function attributeOf(path: string, name: string): Buffer | undefined {
  const value = Buffer.alloc(1024);
  const size = Number(symbols.getxattr(cString(path), cString(name), value, value.length));
  return size < 0 ? undefined : value.subarray(0, size);
}

/** An ACL as the kernel keeps it: the usual classes, and one more user who may read. */
export function aclFor(uid: number): Buffer {
  const [USER_OBJ, USER, GROUP_OBJ, MASK, OTHER] = [1, 2, 4, 16, 32];
  const NOBODY = 0xffffffff;
  const entries = [
    [USER_OBJ, 6, NOBODY],
    [USER, 4, uid],
    [GROUP_OBJ, 4, NOBODY],
    [MASK, 4, NOBODY],
    [OTHER, 0, NOBODY],
  ];
  const acl = Buffer.alloc(4 + 8 * entries.length);
  acl.writeUInt32LE(2, 0);
  for (const [at, [tag = 0, permissions = 0, id = 0]] of entries.entries()) {
    acl.writeUInt16LE(tag, 4 + 8 * at);
    acl.writeUInt16LE(permissions, 6 + 8 * at);
    acl.writeUInt32LE(id, 8 + 8 * at);
  }
  return acl;
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
