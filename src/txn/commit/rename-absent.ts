/**
 * A rename to a name that nobody has: rename(2) alone would replace a file, or an empty directory, that somebody made
 * there since it was looked at. Where the system cannot refuse that (an old kernel, not on Linux) it is looked at right
 * before. https://man7.org/linux/man-pages/man2/rename.2.html
 */
import { renameSync } from "node:fs";
import { cString, openLibc } from "../../base/index.ts";
import { statOf } from "./disk.ts";

const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1;

type Rename = (fromAt: number, from: Buffer, toAt: number, to: Buffer, flags: number) => number;

let renameat2: Rename | undefined | "unknown" = "unknown";

/** @throws the system's error: EEXIST when the name is taken */
export function renameAbsent(from: string | Buffer, to: string | Buffer): void {
  if (renameat2 === "unknown")
    renameat2 = openLibc({
      renameat2: { args: ["i32", "ptr", "i32", "ptr", "u32"], returns: "i32" },
    })?.renameat2;
  if (renameat2?.(AT_FDCWD, cString(from), AT_FDCWD, cString(to), RENAME_NOREPLACE) === 0) return;
  if (statOf(to)) throw Object.assign(new Error("EEXIST: the name is taken"), { code: "EEXIST" });
  renameSync(from, to);
}
