/**
 * Whether a host could keep there what it must keep before it changes anything: the record, its key, and what changes displace.
 */
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasSigningKey, openSigningKey } from "../../audit/index.ts";
import { Failure } from "../../base/index.ts";
import type { Config } from "../../config/index.ts";
import { openStateFolder } from "../../state/index.ts";
import { formatBytes } from "../../text/index.ts";
import { printText } from "../print.ts";

const PROBE_BYTES: number = 64 * 1024;
/** Below this a change of large files may not fit: what it displaces is kept in the state folder. */
const LITTLE_BYTES: number = 64 * 1024 * 1024;

/**
 * Writes as a change would, because a disk is full for others before it is for root, and a quota shows nowhere.
 * @throws Failure for a state folder with which no change can be made
 */
export function checkState(config: Config): string[] {
  const { path, keys } = openStateFolder(config.stateDir);
  tryToWrite(path);
  // Signs nothing: a key that cannot be read stops the record, and with it every change.
  if (hasSigningKey(keys)) void openSigningKey(keys).publicKey;
  const space = statfsSync(path);
  const free = space.bavail * space.bsize;
  if (free < LITTLE_BYTES) printText(`warn  little space is left for the state folder: ${formatBytes(free)}`);
  return [`state folder ${path}, ${formatBytes(free)} free`];
}

function tryToWrite(folder: string): void {
  const probe = join(folder, "review", `doctor-${process.pid}`);
  try {
    writeFileSync(probe, new Uint8Array(PROBE_BYTES), { mode: 0o600, flush: true });
  } catch (thrown) {
    const { code = "", message } = thrown as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    throw new Failure(
      isFull ? "disk_full" : "denied",
      `Cannot write in the state folder "${folder}": ${isFull ? "there is no space left" : message}`,
      { hint: "No change can be made before that. Free some space, or give another folder with --state-dir DIR." },
    );
  } finally {
    rmSync(probe, { force: true });
  }
}
