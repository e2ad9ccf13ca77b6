/**
 * Which steps of a change set are covered by later ones: what they left is not what stands there when the set is done.
 */
import { pathsOf, type SealedStep } from "../model.ts";

export function isCovered(steps: readonly SealedStep[], index: number): boolean {
  const step = steps[index];
  return step !== undefined && steps.slice(index + 1).some((later) => touches(later, step));
}

function touches(a: SealedStep, b: SealedStep): boolean {
  // The source of a copy is only read: undoing the copy has nothing to do with it.
  const own = b.op === "copy" ? [b.at] : pathsOf(b);
  return pathsOf(a).some((one) =>
    own.some(
      (other) =>
        one.root === other.root &&
        (one.rel === other.rel || one.rel.startsWith(`${other.rel}/`) || other.rel.startsWith(`${one.rel}/`)),
    ),
  );
}
