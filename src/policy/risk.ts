/**
 * How much one concrete call could cost; `effects.ts` says which risk a call of an effect has.
 *
 * R0 metadata · R1 read in a root · R2 change in a root · R3 run · R4 delete, hidden and configuration files · R5 never.
 */
import { LOCK_FILES } from "./lock-files.ts";

export type Risk = "R0" | "R1" | "R2" | "R3" | "R4" | "R5";

/** Files that steer other programs: what is written there runs later. */
const STEERING = new RegExp(
  String.raw`(?:^|\/)(?:\.[^/.][^/]*|ringfence\.(?:jsonc?|ya?ml|toml)|${LOCK_FILES})(?:\/|$)`,
  "i",
);

/** Whether a change there is more than an ordinary edit, by a name on its path. */
export function isSteering(path: string): boolean {
  return STEERING.test(path);
}
