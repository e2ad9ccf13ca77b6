/**
 * A program of the configuration, given JSON on stdin and heard on stdout, within a time limit: by the launcher, in a
 * fence of its own. Whatever goes wrong is a failure, because silence would be taken for a yes.
 */
import { Failure } from "../base/index.ts";
import type { Following } from "./commands.ts";
import type { HookRequest } from "./launcher-protocol.ts";
import type { PlanWorld } from "./plan-program.ts";
import { planRun } from "./plan-run.ts";
import { startRun, type RunWorld } from "./run-program.ts";

/** Of a decision and its reason. */
const MAX_ANSWER_BYTES: number = 32 * 1024;

/** @throws Failure when it cannot be started, fails, says too much, or takes too long */
export async function runHook(
  ask: HookRequest,
  plan: PlanWorld,
  world: RunWorld,
  { onCancel }: Pick<Following, "onCancel">,
): Promise<string> {
  const planned = planRun({ ...ask, within: undefined, cwd: undefined }, plan);
  try {
    const start = { ...planned.start, dropsErrors: true };
    const heard = { ...world, openSpill: keepNothing, shownBytes: MAX_ANSWER_BYTES };
    const run = await startRun({ ...planned, start, graceMs: 0 }, heard);
    onCancel(() => run.stop("cancelled", 0));
    const { exit_code: code, signal, stopped_by: by, output } = await run.ended;
    if (by === "timed_out") throw failed(`it took longer than ${planned.timeoutMs} ms`);
    if (by !== undefined) throw failed(`it was ended: ${by}`);
    if (code !== 0) throw failed(`it ended with ${signal ?? `exit code ${code}`}`);
    const { head, tail, total_bytes: total } = output;
    if (total > head.length + tail.length) throw failed(`it answered ${total} bytes`);
    return Buffer.concat([head, tail]).toString("utf8").trim();
  } finally {
    planned.end();
  }
}

function keepNothing(): never {
  throw new Error("a hook's answer is short");
}

function failed(why: string): Failure {
  return new Failure("unsupported", `Cannot ask the hook: ${why}`);
}
