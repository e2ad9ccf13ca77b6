/**
 * This program for the moment before it becomes the one that a command names: between fork and exec there is no place for
 * JavaScript, so the launcher starts itself, and that start puts the limits and the fence on and hands over.
 *
 * What goes wrong is written to the status pipe, which the other program never sees: it ends with the handing over.
 */
import { writeSync } from "node:fs";
import { becomeProgram, type NextProgram } from "./become-program.ts";

/** What the start mark of such a start begins with; the plan follows. */
export const EXEC_MARK = "exec:";
/** Where the status pipe is. */
export const STATUS_FD = 3;

/** Arguments and environment are the start's own: one text of them may not be longer than 128 KiB. */
export type ExecPlan = Omit<NextProgram, "argv" | "environment">;

/** @param args of the program, after its name */
export function beProgram(
  mark: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): never {
  try {
    const plan = JSON.parse(mark.slice(EXEC_MARK.length)) as ExecPlan;
    becomeProgram({ ...plan, argv: [plan.program, ...args], environment });
  } catch (thrown) {
    writeSync(STATUS_FD, thrown instanceof Error ? thrown.message : String(thrown));
  }
  process.exit(127);
}
