/**
 * This program as the keeper of one command: between fork and exec there is no place for JavaScript, so the launcher starts
 * itself; that start bears the program behind its limits and its fence, and stays for as long as anything of it is there.
 *
 * Invariant: whoever loses its parent in there becomes a child of the keeper and of nobody else, so that what belongs to a
 * command is told by ancestry, and by nothing that a program can choose. The keeper stands outside the fence. When nobody
 * is left it says so and ends; when the launcher is gone it ends all of it.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { openSystemCalls } from "../sys/index.ts";
import { bearProgram, type NextProgram } from "./become-program.ts";

/** What the start mark of such a start begins with; the plan follows. */
export const EXEC_MARK = "exec:";
const STATUS_FD = 3;
/** Nobody holds the other end but the launcher. */
const CONTROL_FD = 4;

/** What the keeper says on its status pipe, a line of JSON each; a text instead says why the program was not started. */
export type KeeperWord =
  | { readonly ready: number }
  | { readonly code: number }
  | { readonly signal: string }
  /** Nothing of the command is left. */
  | { readonly gone: true };

/** The environment is the start's own, and what the plan adds. */
export interface ExecPlan extends Omit<NextProgram, "environment"> {
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns when there is nothing to keep any more.
 * @param endDescendants ends everything that came from this process
 */
export async function beProgram(
  mark: string,
  environment: Readonly<Record<string, string>>,
  endDescendants: () => Promise<void>,
): Promise<void> {
  const nobodyLeft = Promise.withResolvers<void>();
  let program = 0;
  const look = (): void => {
    if (program > 0 && !reap(program)) nobodyLeft.resolve();
  };
  process.on("SIGCHLD", look);
  try {
    const plan = JSON.parse(mark.slice(EXEC_MARK.length)) as ExecPlan;
    program = bearProgram({ ...plan, environment: { ...environment, ...plan.variables } });
    say({ ready: program });
  } catch (thrown) {
    writeSync(STATUS_FD, thrown instanceof Error ? thrown.message : String(thrown));
    return;
  }
  letGoOfStreams();
  look();
  await Promise.race([nobodyLeft.promise, endOfControl().then(endDescendants)]);
  say({ gone: true });
}

/** Looks after all that have ended. @returns whether anybody is left */
function reap(program: number): boolean {
  const calls = openSystemCalls();
  const status = Buffer.allocUnsafeSlow(STATUS_BYTES);
  for (;;) {
    const pid = calls?.call("wait4", -1, status, WNOHANG, 0);
    if (pid === 0) return true;
    if (typeof pid !== "number") return false;
    if (pid === program) say(endOf(Buffer.from(status).readInt32LE(0)));
  }
}

function endOf(status: number): KeeperWord {
  const signal = status & 0x7f;
  if (signal === 0) return { code: (status >> 8) & 0xff };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return { signal: name ?? `SIG${signal}` };
}

function say(word: KeeperWord): void {
  try {
    writeSync(STATUS_FD, `${JSON.stringify(word)}\n`);
  } catch {
    // Nobody hears it: the launcher is gone, and the end of the control pipe says so too.
  }
}

/** They are the program's: while they are held here, its output has no end. */
function letGoOfStreams(): void {
  const nothing = openSync("/dev/null", "r+");
  const calls = openSystemCalls();
  for (const fd of [0, 1, 2]) calls?.call("dup3", nothing, fd, 0);
  closeSync(nothing);
}

/** Nobody will say anything any more. */
async function endOfControl(): Promise<void> {
  try {
    for await (const _ of Bun.file(CONTROL_FD).stream()) continue;
  } catch {
    // As good as its end.
  }
}

const WNOHANG = 1;
/** The kernel writes four; the runtime does not move so much. */
const STATUS_BYTES = 4096;
