/**
 * This program for the moment before it becomes the one that a command names: between fork and exec there is no place for
 * JavaScript, so the launcher starts itself, and that start puts the limits and the fence on and hands over.
 *
 * It says so on the status pipe, which the other program never sees: nothing means that it never got there.
 */
import { writeSync } from "node:fs";
import { becomeProgram, type NextProgram } from "./become-program.ts";

/** What the start mark of such a start begins with; the plan follows. */
export const EXEC_MARK = "exec:";
/** What the status pipe holds when all went well. */
export const EXEC_READY = "ready";
const STATUS_FD = 3;

/** The environment is the start's own, and what the plan adds. */
export interface ExecPlan extends Omit<NextProgram, "environment"> {
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

export function beProgram(mark: string, environment: Readonly<Record<string, string>>): never {
  try {
    const plan = JSON.parse(mark.slice(EXEC_MARK.length)) as ExecPlan;
    becomeProgram({ ...plan, environment: { ...environment, ...plan.variables } }, () =>
      writeSync(STATUS_FD, EXEC_READY),
    );
  } catch (thrown) {
    writeSync(STATUS_FD, thrown instanceof Error ? thrown.message : String(thrown));
  }
  process.exit(127);
}
