/**
 * Which fence holds, in the one form that everybody is told: `doctor`, `system_info`, the instructions and the record.
 */
export type FenceMode = "auto" | "require" | "off";

export interface FenceState {
  /** `kernel`: Landlock holds every thread of this process. `none`: paths are held by handles alone. */
  readonly kind: "kernel" | "none";
  /** The version of Landlock; 0 without it. */
  readonly abi: number;
  /** Seccomp refuses sockets, other programs and other processes. */
  readonly filtered: boolean;
  /** The descriptor that `beforeEntry` returned. */
  readonly kept?: number;
  /** Why there is no fence. */
  readonly reason?: string;
}

export const NO_FENCE: FenceState = { kind: "none", abi: 0, filtered: false, reason: "it was not asked for" };

/** "kernel (Landlock ABI 7, no sockets, no programs)" */
export function describeFence({ kind, abi, filtered, reason }: FenceState): string {
  if (kind === "kernel") return `kernel (Landlock ABI ${abi}${filtered ? ", no sockets, no programs" : ""})`;
  return `handles only${filtered ? ", no sockets, no programs" : ""}${reason === undefined ? "" : ` (${reason})`}`;
}
