/**
 * One program, or a hook, from its start to its end: its output is drained whatever happens, its time is bounded, and
 * when it is over nothing of it is left. A child that holds its output after its end is waited for shortly, named, and
 * ended.
 */
import { limits, monotonicMs, newId, nowMs, Failure } from "../../base/index.ts";
import type { HookRequest } from "../launcher-protocol.ts";
import type { RunOutcome, RunStoppedBy } from "../run-answers.ts";
import type { ProgramStart, PlanWorld } from "../plan/plan-program.ts";
import { planRun } from "../plan/plan-run.ts";
import { holdsPipe, lookAt, type AskingSignal } from "../tree/processes.ts";
import type { Tree, Trees } from "../tree/trees.ts";
import { within } from "../tree/turns.ts";
import { OutputCollector, type CollectedOutput, type OpenSpill } from "./output-collector.ts";
import { spawnProgram, type OnKeeper, type StartedProgram, type Starter } from "./spawn-program.ts";

export interface RunEnd extends RunOutcome {
  readonly output: CollectedOutput;
}

export interface Run {
  readonly id: string;
  readonly pid: number;
  readonly started: number;
  readonly output: OutputCollector;
  readonly ended: Promise<RunEnd>;
  /** The ids of its processes that are still running. */
  readonly members: () => readonly number[];
  readonly stop: (by: RunStoppedBy, graceMs?: number, asking?: AskingSignal) => void;
}

export interface RunWorld {
  readonly trees: Trees;
  readonly self: Starter;
  readonly openSpill: () => OpenSpill;
  /** The output that one answer shows. */
  readonly shownBytes: number;
  /** More is kept whole. Default: `shownBytes`. */
  readonly sureBytes?: number | undefined;
  /** Both streams are answered apart too. */
  readonly apart: boolean;
}

export interface RunOptions {
  readonly start: ProgramStart;
  /** Absent: as long as it likes. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds between SIGTERM and SIGKILL after a timeout. */
  readonly graceMs?: number | undefined;
  readonly maxProcesses: number;
  /** Absent: it may put out as much as it likes, and what no answer can show is counted and dropped. */
  readonly maxOutputBytes?: number | undefined;
}

const CHECK_MS = 250;
/**
 * The time to drain the pipe after all processes of the program have exited. Its end is certain, unless a process that is no
 * part of the program has inherited the descriptor; a busy machine takes long to read.
 */
const LAST_OUTPUT_MS = 5000;

/** @throws Failure when it cannot be started */
export async function startRun(
  { start, timeoutMs, graceMs: lateGraceMs, maxProcesses, maxOutputBytes = Infinity }: RunOptions,
  { trees, self, openSpill, shownBytes, sureBytes, apart }: RunWorld,
): Promise<Run> {
  const id = newId("run");
  const [began, started] = [monotonicMs(), nowMs()];
  const tree = trees.add(id);
  const output = new OutputCollector(openSpill, shownBytes, sureBytes);
  const wanted = { ...start, group: tree.group?.folder, apart };
  const onKeeper: OnKeeper = (keeper, followed) => trees.keep(tree, keeper, followed);
  let stoppedBy: RunStoppedBy | undefined;
  const stop: Run["stop"] = (by, graceMs = limits.STOP_GRACE_MS, asking = "SIGTERM") => {
    if (stoppedBy !== undefined) return;
    stoppedBy = by;
    void trees.end(tree, graceMs, asking);
  };
  let program: StartedProgram;
  try {
    program = await spawnProgram(wanted, self, onKeeper, (bytes, stream) => {
      output.push(bytes, stream);
      if (output.total > maxOutputBytes) stop("too_much_output", 0);
    });
  } catch (thrown) {
    trees.remove(tree);
    throw thrown;
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop("timed_out", lateGraceMs), timeoutMs);
  const check = setInterval(() => {
    if (trees.members(tree).length > maxProcesses) stop("too_many_processes", 0);
  }, CHECK_MS);
  const ended = program.exited.then(async ({ code, signal }) => {
    clearTimeout(timer);
    clearInterval(check);
    const duration = monotonicMs() - began;
    const { holders, left } = await endRest(tree, trees, program, stoppedBy === undefined);
    return {
      exit_code: code,
      signal,
      duration_ms: Math.round(duration),
      ...(stoppedBy === undefined ? {} : { stopped_by: stoppedBy }),
      holders,
      left,
      output: output.end(),
    };
  });
  return { id, pid: program.pid, started, output, ended, members: () => trees.members(tree), stop };
}

/** The program has ended; what it left is waited for as long as it holds the output, and ended. */
async function endRest(
  tree: Tree,
  trees: Trees,
  { drain, pipes }: StartedProgram,
  hasEndedItself: boolean,
): Promise<{ holders: string[]; left: string[] }> {
  const before = trees.members(tree);
  let holders: string[] = [];
  if (before.length > 0 && hasEndedItself && pipes.length > 0) {
    const holding = before.filter((pid) => holdsPipe(pid, pipes));
    // It may be about to end: then it is no holder.
    if (holding.length > 0 && !(await within(drain.ended, limits.HELD_OUTPUT_MS))) holders = namesOf(holding);
  }
  const rest = trees.members(tree);
  const left = namesOf(rest).filter((name) => !holders.includes(name));
  await trees.end(tree, rest.length > 0 ? limits.STOP_GRACE_MS : 0);
  if (!(await within(drain.ended, LAST_OUTPUT_MS))) await drain.giveUp();
  drain.close();
  trees.remove(tree);
  return { holders, left };
}

function namesOf(pids: readonly number[]): string[] {
  return pids.flatMap((pid) => {
    const found = lookAt(pid);
    return found ? [`${found.name} (${pid})`] : [];
  });
}

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
    return await shortAnswerOf({ ...planned, graceMs: 0 }, world, failed, onCancel);
  } finally {
    planned.end();
  }
}

/** A call waits for it. */
const MAX_CREDENTIAL_MS = 10_000;

/** A declared command without arguments, for the credential that it writes; nothing of that is kept or shown. @throws Failure */
export async function runForAnswer(
  name: string,
  plan: PlanWorld,
  world: RunWorld,
  onCancel: (stop: () => void) => void,
): Promise<string> {
  const planned = planRun({ kind: "command", name, input: {} }, plan);
  try {
    return await shortAnswerOf(
      { ...planned, timeoutMs: Math.min(planned.timeoutMs, MAX_CREDENTIAL_MS) },
      world,
      (why) =>
        new Failure("command_failed", `Cannot use the command "${name}" for a credential: ${why}`, {
          hint: "Whoever runs this host can start it by hand and see what it says.",
        }),
      onCancel,
    );
  } finally {
    planned.end();
  }
}

async function shortAnswerOf(
  planned: RunOptions,
  world: RunWorld,
  failureOf: (why: string) => Failure,
  onCancel: (stop: () => void) => void = () => undefined,
): Promise<string> {
  const start = { ...planned.start, dropsErrors: true };
  const heard = { ...world, openSpill: keepNothing, shownBytes: MAX_ANSWER_BYTES };
  const run = await startRun({ ...planned, start }, heard);
  onCancel(() => run.stop("cancelled", 0));
  const { exit_code: code, signal, stopped_by: by, output } = await run.ended;
  if (by === "timed_out") throw failureOf(`it took longer than ${planned.timeoutMs} ms`);
  if (by !== undefined) throw failureOf(`it was ended: ${by}`);
  if (code !== 0) throw failureOf(`it ended with ${signal ?? `exit code ${code}`}`);
  const { head, tail, total_bytes: total } = output;
  if (total > head.length + tail.length) throw failureOf(`it answered ${total} bytes`);
  return Buffer.concat([head, tail]).toString("utf8").trim();
}

function keepNothing(): never {
  throw new Error("a hook's answer is short");
}

function failed(why: string): Failure {
  return new Failure("unsupported", `Cannot ask the hook: ${why}`, {
    hint: "Whoever runs this host has to mend the hook.",
  });
}
