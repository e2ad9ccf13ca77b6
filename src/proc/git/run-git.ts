/**
 * One run of git from its start to its answer, with a bound on what it may say. What says more is ended: its beginning is all
 * that anybody wants of it.
 */
import type { PlanWorld } from "../plan/plan-program.ts";
import { startRun, type RunWorld } from "../run/run-program.ts";
import { Failure, limits } from "../../base/index.ts";
import { nameFromBytes } from "../../sys/index.ts";
import type { GitAnswer, GitRequest } from "./git-protocol.ts";
import { planGit, type PlannedGit } from "./plan-git.ts";

/** What it says on standard error when it fails is shown in part. */
const MAX_ERROR_BYTES = 4096;
const CHECK_MS = 20;

/** @throws Failure when it cannot be started, or takes too long */
export async function runGit(
  ask: GitRequest,
  plan: PlanWorld,
  world: RunWorld,
  onCancel: (stop: () => void) => void,
): Promise<GitAnswer> {
  const bytes = Math.min(ask.max_bytes, limits.MAX_GIT_BYTES);
  const git = planGit(ask, plan);
  try {
    const { place, planned } = git;
    const { head, total, code } = await runOnce(git, bytes, world, onCancel);
    const cut = total > head.length;
    const failed = code !== 0 && !cut;
    const said = failed && ask.writes !== true ? await errorsOf(git, world, onCancel) : failed ? head : Buffer.alloc(0);
    return {
      exit_code: cut ? 0 : code,
      text: nameFromBytes(head),
      cut,
      errors: said.toString("utf8").trim(),
      place,
      fence: planned.fence,
    };
  } finally {
    git.planned.end();
  }
}

/** A verb that reads says it again when it is asked again. */
async function errorsOf(git: PlannedGit, world: RunWorld, onCancel: (stop: () => void) => void): Promise<Buffer> {
  const { planned } = git;
  const again = { ...git, planned: { ...planned, start: { ...planned.start, dropsErrors: false } } };
  return (await runOnce(again, MAX_ERROR_BYTES, world, onCancel)).head;
}

async function runOnce(
  { planned }: PlannedGit,
  bytes: number,
  world: RunWorld,
  onCancel: (stop: () => void) => void,
): Promise<{ readonly head: Buffer; readonly total: number; readonly code: number | null }> {
  // Half of what is shown is the beginning; of its end nothing is wanted.
  const run = await startRun(planned, { ...world, openSpill: keepNothing, shownBytes: bytes * 2 });
  onCancel(() => run.stop("cancelled", 0));
  const check = setInterval(() => {
    if (run.output.total > bytes) run.stop("stopped", 0);
  }, CHECK_MS);
  const { exit_code: code, stopped_by: by, output } = await run.ended.finally(() => clearInterval(check));
  if (by === "timed_out")
    throw new Failure("timed_out", "Cannot finish git: it took longer than a minute", {
      hint: "Ask for less: a path, a range of lines, a smaller limit.",
    });
  if (by === "cancelled") throw new Failure("cancelled", "Cannot finish git: it was cancelled");
  return { head: output.head, total: output.total_bytes, code };
}

function keepNothing(): never {
  throw new Error("the output of git is not kept");
}
