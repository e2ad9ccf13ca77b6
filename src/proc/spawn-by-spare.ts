/**
 * Starting a fenced program by the spare exec stage, which saves a start of this program. What the spare one cannot be told,
 * because it was settled when it was started, goes the direct way: another input than none, a terminal, errors apart.
 */
import { closeSync } from "node:fs";
import { drainPipe, type Bites } from "./drain-pipe.ts";
import type { SpareStage } from "./spare-stage.ts";
import {
  endOf,
  notStarted,
  readStatus,
  SAID_NOTHING,
  type ProgramStart,
  type StartedProgram,
} from "./spawn-program.ts";

/**
 * `undefined`: there is none, or it has ended without becoming anything; then what `onPid` was told is over.
 *
 * @throws Failure as `spawnProgram`
 */
export async function spawnBySpare(
  start: ProgramStart,
  spare: SpareStage,
  onPid: (pid: number) => void,
  bites: Bites,
): Promise<StartedProgram | undefined> {
  const { program, args, cwd, environment, limits, fence } = start;
  if (!fence || !suitsSpare(start)) return undefined;
  const stage = spare.take({ program, argv: [program, ...args], limits, fence, cwd, environment });
  if (!stage) return undefined;
  const { child, output, pipe } = stage;
  onPid(child.pid);
  const trouble = await readStatus(stage.status);
  if (trouble === "") return { pid: child.pid, drain: drainPipe(output, bites), pipe, exited: endOf(child) };
  child.kill("SIGKILL");
  await child.exited;
  closeSync(output);
  // When everything ends it was ended on purpose.
  if (trouble === SAID_NOTHING && !spare.isClosed) return undefined;
  throw notStarted(program, trouble);
}

/** Behind a fence; without one it is started directly anyway. */
export function suitsSpare({ stdin, dropsErrors, mark, pty, fence }: ProgramStart): boolean {
  return fence !== undefined && stdin === undefined && !dropsErrors && mark === undefined && !pty;
}
