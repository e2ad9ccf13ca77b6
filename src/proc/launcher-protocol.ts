/**
 * What a fenced host and its launcher say to each other: one line of JSON each way at a time, over connected sockets.
 * Nothing that the host says is trusted: the fence exists for the day when foreign code runs there.
 */
import type { FailureData } from "../base/index.ts";

/** A copy of what the host may reach. */
export interface LauncherConfig {
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly deny: readonly string[];
  /** Absolute directories that no tool may see. */
  readonly hidden: readonly string[];
  readonly containment: "auto" | "handle" | "portable";
}

export interface LaunchRequest {
  readonly action: "open" | "reveal";
  /** Absolute. */
  readonly path: string;
}

/** Without a failure it was done. */
export interface LaunchAnswer {
  readonly failure?: FailureData;
}

/** Of one line. A path may have 4096 bytes, and each may need six as JSON; a configuration has a few of them. */
export const MAX_LINE_BYTES: number = 1024 * 1024;

export function encodeLine(message: LauncherConfig | LaunchRequest | LaunchAnswer): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`, "utf8");
}
