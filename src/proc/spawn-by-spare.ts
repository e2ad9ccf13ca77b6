/**
 * Starting a program by the spare keeper, which saves a start of this program. What the spare one cannot be told,
 * because it was settled when it was started, goes the direct way: another input than none, a terminal, errors apart.
 */
import { closeSync } from "node:fs";
import { drainPipe, type Bites } from "./drain-pipe.ts";
import { followKeeper, SAID_NOTHING } from "./follow-keeper.ts";
import type { SpareStage } from "./spare-stage.ts";
import { notStarted, type OnKeeper, type ProgramStart, type StartedProgram } from "./spawn-program.ts";

/**
 * `undefined`: there is none, or it has ended without becoming anything; then what `onKeeper` was told is over.
 *
 * @throws Failure as `spawnProgram`
 */
export async function spawnBySpare(
  start: ProgramStart,
  spare: SpareStage,
  onKeeper: OnKeeper,
  bites: Bites,
): Promise<StartedProgram | undefined> {
  const { program, args, cwd, environment, limits, fence, group } = start;
  if (!suitsSpare(start)) return undefined;
  const stage = spare.take({ program, argv: [program, ...args], limits, fence, group, cwd, environment });
  if (!stage) return undefined;
  const { child, output, pipe } = stage;
  const followed = followKeeper(child, stage.status, stage.control);
  onKeeper(child.pid, followed);
  const ready = await followed.ready;
  if (typeof ready !== "string")
    return { pid: ready.pid, drain: drainPipe(output, bites), pipe, exited: followed.exited };
  child.kill("SIGKILL");
  await followed.gone;
  closeSync(output);
  // When everything ends it was ended on purpose.
  if (ready === SAID_NOTHING && !spare.isClosed) return undefined;
  throw notStarted(program, ready);
}

export function suitsSpare({ stdin, dropsErrors, mark, pty }: ProgramStart): boolean {
  return stdin === undefined && !dropsErrors && mark === undefined && !pty;
}
