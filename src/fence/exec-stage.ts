/**
 * This program for the moment before it becomes the one that a command names: between fork and exec there is no place for
 * JavaScript, so the launcher starts itself, and that start puts the limits and the fence on and hands over.
 *
 * It says so on the status pipe, which the other program never sees: nothing means that it never got there.
 */
import { readSync, writeSync } from "node:fs";
import { becomeProgram, endWithParent, type NextProgram } from "./become-program.ts";

/** What the start mark of such a start begins with; the plan follows. */
export const EXEC_MARK = "exec:";
/** What the status pipe holds when all went well. */
export const EXEC_READY = "ready";
/** The start mark of one that is started before it is known what it is to become, and is told on its control pipe. */
export const SPARE_MARK = "exec-spare";
const STATUS_FD = 3;
const CONTROL_FD = 4;

/** The environment is the start's own, and what the plan adds. */
export interface ExecPlan extends Omit<NextProgram, "environment"> {
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** What a spare one is told: one line of JSON. Of its own start it has neither the directory nor the environment. */
export interface SparePlan extends ExecPlan {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export function beProgram(mark: string, environment: Readonly<Record<string, string>>): never {
  become(() => {
    const plan = JSON.parse(mark.slice(EXEC_MARK.length)) as ExecPlan;
    return { ...plan, environment: { ...environment, ...plan.variables } };
  });
}

/**
 * Waits, blocked, until it is told what to become; without that it ends when the launcher does, or lets go of it.
 *
 * @param surroundings its ways to leave those that it was started in
 */
export function beSpare({ clean, enter }: Surroundings): never {
  become(() => {
    endWithParent();
    const line = readPlan();
    if (line === undefined) process.exit(0);
    const { cwd, environment, ...plan } = JSON.parse(line) as SparePlan;
    try {
      enter(cwd);
    } catch (thrown) {
      // Without the path, which could be taken for the name of a call.
      const code = (thrown as NodeJS.ErrnoException).code ?? "EIO";
      throw new Error(`its directory cannot be entered (${code})`, { cause: thrown });
    }
    return { ...plan, environment: { ...clean(environment), ...plan.variables } };
  });
}

interface Surroundings {
  /** Takes out of an environment what a start of this program would not have passed on. */
  readonly clean: (environment: SparePlan["environment"]) => Record<string, string>;
  /** @throws Error of the system when this is no directory any more */
  readonly enter: (directory: string) => void;
}

function become(next: () => NextProgram): never {
  try {
    becomeProgram(next(), () => writeSync(STATUS_FD, EXEC_READY));
  } catch (thrown) {
    writeSync(STATUS_FD, thrown instanceof Error ? thrown.message : String(thrown));
  }
  process.exit(127);
}

/** `undefined`: nobody will say anything any more. */
function readPlan(): string | undefined {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.allocUnsafe(PLAN_PART_BYTES);
    const read = readSync(CONTROL_FD, part, 0, part.length, null);
    if (read === 0) return undefined;
    parts.push(part.subarray(0, read));
    if (part[read - 1] === NEWLINE) return Buffer.concat(parts).toString("utf8");
  }
}

const PLAN_PART_BYTES: number = 64 * 1024;
const NEWLINE = 10;
