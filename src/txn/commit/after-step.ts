/**
 * What a step has left at its place, for the note of the transaction: what an undo must find there. Looked at only where
 * the step itself does not say it.
 */
import { Failure } from "../../base/index.ts";
import type { Act } from "./plan.ts";
import type { Disk } from "./disk.ts";
import type { JournalBegin } from "../records.ts";
import { inspect } from "../inspect.ts";
import type { Before, SealedPath, SealedStep } from "../model.ts";
import { isMark, withoutChangeTime } from "../fingerprint.ts";
import { locatedFrom } from "../prepare/target.ts";

/** Right after the step, or at the end where no later step has touched its place. */
export function afterStep(disk: Disk, { steps, acts }: JournalBegin, index: number): Before {
  const [step, act] = [steps[index], acts[index]];
  if (!step || !act) return { kind: "absent" };
  return afterBySteps(step, act) ?? lookAt(disk, step.at, !step.op.endsWith("_directory"));
}

/** `undefined` where only the disk can tell. */
export function afterBySteps(step: SealedStep, act: Act): Before | undefined {
  if ((act.act === "put" || act.act === "rewrite") && act.after !== undefined)
    return { kind: "file", size: 0, mode: 0, links: 1, hash: act.after };
  if (step.op === "remove" || (step.op === "remove_directory" && !step.made)) return { kind: "absent" };
  // A directory may have been changed by earlier steps before it was moved.
  const isOne = step.op === "move" && (step.source.kind === "file" || step.source.kind === "symlink");
  // Its mark is another one once it was renamed.
  return isOne && !isMark(step.source.hash) ? step.source : undefined;
}

/** Of a directory that was made only that it is one: whatever comes into it later is not its own. */
function lookAt({ scope, cancel }: Disk, path: SealedPath, deep: boolean): Before {
  try {
    const at = locatedFrom(scope, path);
    // Another change of the same host may give it a second name before an undo comes.
    return withoutChangeTime(inspect(scope, at, "change", { cancel, deep, told: "cheap" }).before);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { kind: "absent" };
  }
}
