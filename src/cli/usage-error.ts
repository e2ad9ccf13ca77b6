/**
 * The error for a wrong command line, and the exit codes, which are part of the surface: scripts branch on them.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** 0: done · 1: the tool, proposal or check failed · 2: the command line was wrong · 3: the host could not work. */
export const EXIT = { ok: 0, failed: 1, usage: 2, host: 3 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
