/**
 * Whether everything is as it was sealed: before a transaction begins, and for a step that works on what earlier ones made,
 * right before it. By content, never by time, but for what is too large or not allowed to be read.
 */
import { Failure, type Cancel } from "../../base/index.ts";
import type { Scope } from "../../scope/index.ts";
import type { Places } from "./held-places.ts";
import { inspectPlace, isUnchanged } from "../inspect.ts";
import type { Before, SealedPath, SealedStep } from "../model.ts";
import { isMark, sizeOnly } from "../fingerprint.ts";
import { locatedFrom } from "../prepare/target.ts";

export interface CheckContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** Of a transaction that has begun: its directories are open already. */
  readonly places?: Places;
}

/** Everything that an earlier step of the same set does not make itself is as it was sealed. @throws Failure `stale` */
export function checkSteps(steps: readonly SealedStep[], ctx: CheckContext): void {
  for (const step of steps) {
    for (const { at, before } of step.relies ?? []) check(at, before, ctx);
    if (step.follows) continue;
    if ("source" in step) check(step.from, step.source, ctx);
    check(step.at, step.before, ctx);
  }
}

/**
 * What a late step will displace, move or take away is what was meant. Of a directory only that it is one: the earlier
 * steps have been in it; of a file that is not read its size: they may have renamed or copied it. @throws Failure `stale`
 */
export function checkLate(step: SealedStep, ctx: CheckContext): void {
  // It is taken away if it is there, and empty.
  if (step.op === "remove_directory" && step.made) return;
  const known = step.exact ? sizeOnly : shallow;
  if ("source" in step) check(step.from, known(step.source), ctx);
  check(step.at, known(step.before), ctx);
}

function shallow(before: Before): Before {
  return before.kind === "directory" ? { ...before, hash: "" } : sizeOnly(before);
}

function check(path: SealedPath, before: Before, { scope, cancel, places }: CheckContext): void {
  const at = locatedFrom(scope, path);
  const find = () => places?.place(path) ?? scope.place(at, "change");
  const told = before.kind === "file" && isMark(before.hash) ? "mark" : "hash";
  const now = inspectPlace(scope, find, "change", { cancel, deep: true, told });
  const isKnown = before.kind === "absent" || before.hash !== "" || now.before.kind === "absent";
  if (isUnchanged(before, isKnown ? now.before : { ...now.before, hash: "" })) return;
  const state =
    now.before.kind === "absent"
      ? "it is gone"
      : before.kind === "absent"
        ? "something is there now"
        : "it has changed";
  throw new Failure(
    "stale",
    `Cannot apply the change of "${scope.show(at)}": ${state} since the proposal was made`,
    {
      hint: "Nothing was written. Look at the current state and make the change again.",
    },
  );
}
