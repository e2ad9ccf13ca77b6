/**
 * The places of a step by the names that people are shown: as callers may give them, and absolute.
 */
import type { Scope } from "../scope/index.ts";
import type { SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

/** For every place that the step touches: its names. */
export function placeNames(scope: Scope, step: SealedStep): string[][] {
  const paths = "from" in step ? [step.at, step.from] : [step.at];
  return paths.map((path) => {
    const at = locatedFrom(scope, path);
    return [scope.show(at), scope.absolute(at)];
  });
}
