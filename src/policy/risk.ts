/**
 * How much one concrete call could cost, from its effect and its paths.
 *
 * R0 metadata · R1 read in a root · R2 change in a root · R3 run · R4 delete, hidden and configuration files · R5 never.
 */
import { LOCK_FILES } from "./lock-files.ts";

export type Risk = "R0" | "R1" | "R2" | "R3" | "R4" | "R5";

export interface RiskFacts {
  readonly effect: "read" | "change" | "run" | "reach" | "show";
  readonly access: readonly {
    readonly path: string;
    readonly mode: "metadata" | "read" | "write" | "remove";
  }[];
  /** It can take something away (delete), as the tool declares. */
  readonly removes: boolean;
}

/** Files that steer other programs: what is written there runs later. */
const STEERING = new RegExp(
  String.raw`(?:^|\/)(?:\.[^/.][^/]*|ringfence\.(?:jsonc?|ya?ml|toml)|${LOCK_FILES})(?:\/|$)`,
  "i",
);

/** Whether a change there is more than an ordinary edit, by a name on its path. */
export function isSteering(path: string): boolean {
  return STEERING.test(path);
}

export function assessRisk({ effect, access, removes }: RiskFacts): Risk {
  switch (effect) {
    case "read":
      return access.every(({ mode }) => mode === "metadata") ? "R0" : "R1";
    case "change":
      return removes || access.some(({ path, mode }) => mode !== "read" && isSteering(path)) ? "R4" : "R2";
    case "show":
    case "run":
      return "R3";
    case "reach":
      return "R4";
  }
}
