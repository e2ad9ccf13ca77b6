/**
 * Copies what the history keeps to where it came from, when that is another device. The history is ours alone (0700), so
 * its names can be trusted; links are copied as they are written.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";

/** `to` must not exist. */
export function copyKept(from: string, to: string | Buffer): void {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) {
    symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
    return;
  }
  if (!stat.isDirectory()) {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } else {
    mkdirSync(to, { mode: 0o700 });
    for (const name of readdirSync(from)) copyKept(join(from, name), `${String(to)}/${name}`);
  }
  chmodSync(to, stat.mode & 0o7777);
  utimesSync(to, stat.atimeMs / 1000, stat.mtimeMs / 1000);
}
