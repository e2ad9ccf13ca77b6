/**
 * The only place where a byte reaches the user's files. A commit locks the directories, checks again that everything is
 * as it was sealed, stages all new content beside its target, then renames in order; a failure on the way takes back
 * what was done, in reverse.
 *
 * Guaranteed: readers see a file's old or new content, never a mixture, and a failing commit leaves nothing changed.
 * Not guaranteed yet: a crash of the machine between two renames of one change set (the journal's work).
 */
import { Failure, logLine, newId, type Cancel } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { applyStep, type AppliedStep } from "./apply-step.ts";
import { lockDirectory } from "./flock.ts";
import { inspect, isUnchanged } from "./inspect.ts";
import { discard, stageStep, type StagedStep } from "./stage-step.ts";
import type { Before, Sealed, SealedPath, SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

export interface CommitContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** The kept new content by index. */
  readonly content: (index: number) => Uint8Array;
  /** The undo store's folder for this transaction; called when something is about to be removed. */
  readonly undoFolder: (transaction: string) => string;
}

export interface Committed {
  readonly transaction: string;
}

/** @throws Failure `stale` when something is not as it was sealed (nothing was changed); others as the system says */
export function commitChanges(sealed: Sealed, ctx: CommitContext): Committed {
  const transaction = newId("t");
  using held = new DisposableStack();
  lockAll(sealed.steps, ctx, held);
  for (const step of sealed.steps) checkStep(step, ctx);
  const staged: StagedStep[] = [];
  const applied: AppliedStep[] = [];
  try {
    for (const step of sealed.steps) staged.push(stageStep(step, ctx, held));
    for (const step of staged) applied.push(applyStep(step, ctx, transaction, held));
    for (const made of staged.flatMap((step) => step.madeParents)) made.keep = true;
  } catch (thrown) {
    for (const step of applied.reverse()) quietly(() => step.takeBack(), "take back a change");
    throw thrown;
  } finally {
    // The last first: a directory can only go when what was made in it is gone.
    for (const step of staged.reverse()) discard(step);
  }
  // It is done: what cannot be tidied up is said and left, never an error of the change.
  for (const step of applied) quietly(() => step.finish(), "tidy up after a change");
  return { transaction };
}

/** One step that cannot be taken back must not keep the others from it. */
function quietly(work: () => void, what: string): void {
  try {
    work();
  } catch (thrown) {
    logLine(`cannot ${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** In one order for everybody, so that two commits never wait for each other. */
function lockAll(steps: readonly SealedStep[], ctx: CommitContext, held: DisposableStack): void {
  const parents = new Map<string, SealedPath>();
  for (const step of steps) {
    for (const path of "from" in step ? [step.from, step.at] : [step.at]) {
      const rel = path.rel.includes("/") ? path.rel.slice(0, path.rel.lastIndexOf("/")) : "";
      parents.set(`${path.root}\0${rel}`, { root: path.root, rel });
    }
  }
  for (const [, path] of [...parents].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const directory = ctx.scope.tryDirectory(locatedFrom(ctx.scope, path));
    if (!directory) continue;
    held.use(directory);
    lockDirectory(directory.fd, ctx.scope.show(directory.at));
  }
}

function checkStep(step: SealedStep, ctx: CommitContext): void {
  if ("source" in step) check(step.from, step.source, ctx);
  check(step.at, step.before, ctx);
}

function check(path: SealedPath, before: Before, ctx: CommitContext): void {
  const at = locatedFrom(ctx.scope, path);
  const now = inspect(ctx.scope, at, "change", { cancel: ctx.cancel, deep: true });
  const deep = before.kind === "directory" && before.hash === "" ? { ...now.before, hash: "" } : now.before;
  if (isUnchanged(before, deep)) return;
  const state =
    now.before.kind === "absent"
      ? "it is gone"
      : before.kind === "absent"
        ? "something is there now"
        : "it has changed";
  throw new Failure(
    "stale",
    `Cannot apply the change of "${ctx.scope.show(at)}": ${state} since the proposal was made`,
    {
      hint: "Nothing was written. Look at the current state and make the change again.",
    },
  );
}
