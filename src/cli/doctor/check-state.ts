/**
 * Whether a host could keep there what it must keep before it changes anything: the record, its key, and what changes displace.
 */
import { statfsSync } from "node:fs";
import { hasSigningKey, openSigningKey } from "../../audit/index.ts";
import type { Config } from "../../config/index.ts";
import { openStateFolder, probeStateFolder } from "../../state/index.ts";
import { formatBytes } from "../../text/index.ts";
import { printText } from "../print.ts";

/** Below this a change of large files may not fit: what it displaces is kept in the state folder. */
const LITTLE_BYTES: number = 64 * 1024 * 1024;

/**
 * Writes as a change would, because a disk is full for others before it is for root, and a quota shows nowhere.
 * @throws Failure for a state folder with which no change can be made
 */
export function checkState(config: Config): string[] {
  const { path, keys } = openStateFolder(config.stateDir);
  probeStateFolder(path);
  // Signs nothing: a key that cannot be read stops the record, and with it every change.
  if (hasSigningKey(keys)) void openSigningKey(keys).publicKey;
  const space = statfsSync(path);
  const free = space.bavail * space.bsize;
  if (free < LITTLE_BYTES) printText(`warn  little space is left for the state folder: ${formatBytes(free)}`);
  return [`state folder ${path}, ${formatBytes(free)} free`];
}
