/**
 * A program of the configuration, given JSON on stdin and heard on stdout, within a time limit. The launcher runs it in a
 * fence of its own. Where there is no launcher (a host in a program without one, a platform that has none) it is started as
 * it is, and ends with this process unless that is killed. Whatever goes wrong is a failure: silence would be taken for a yes.
 */
import { Failure } from "../../base/index.ts";
import type { HookRequest } from "../launcher-protocol.ts";
import type { PlanWorld } from "../plan/plan-program.ts";
import { planRun } from "../plan/plan-run.ts";
import { startRun, type RunWorld } from "./run-program.ts";

/** Enough for a decision and its reason. */
const MAX_ANSWER_BYTES: number = 32 * 1024;

/** @throws Failure when it cannot be started, fails, says too much, or takes too long */
export async function runHook(
  ask: HookRequest,
  plan: PlanWorld,
  world: RunWorld,
  onCancel: (stop: () => void) => void,
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

const MAX_OUTPUT_BYTES: number = 64 * 1024;
const running: Set<Bun.Subprocess> = new Set();
let endsWithUs = false;

/** @throws Error when it cannot be started, fails, or takes too long */
export async function runHookHere(command: readonly string[], input: string, timeoutMs: number): Promise<string> {
  const child = Bun.spawn([...command], {
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "ignore",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  running.add(child);
  if (!endsWithUs) process.on("exit", () => running.forEach((one) => one.kill("SIGKILL")));
  endsWithUs = true;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    reject(new Error(`it took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    // What it has started may hold its stdout after its end, so the limit is for both.
    const [text, code] = await Promise.race([Promise.all([child.stdout.text(), child.exited]), tooLate]);
    if (code === 0) return text.trim();
    throw new Error(`it ended with exit code ${code}`);
  } finally {
    clearTimeout(timer);
    running.delete(child);
  }
}
