/**
 * A rename to a name that nobody has: rename(2) alone would replace a file, or an empty directory, that somebody made
 * there since it was looked at. Where the system cannot refuse that (an old kernel, not on Linux) it is looked at right
 * before.
 */
import { renameSync } from "node:fs";
import { renameToFreeName } from "../sys/index.ts";
import { statOf } from "./disk.ts";

/** @throws the system's error: EEXIST when the name is taken */
export function renameAbsent(from: string | Buffer, to: string | Buffer): void {
  if (renameToFreeName(from, to)) return;
  if (statOf(to)) throw Object.assign(new Error("EEXIST: the name is taken"), { code: "EEXIST" });
  renameSync(from, to);
}
