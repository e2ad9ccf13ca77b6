/**
 * One of the values that a setting takes, or a failure with all of them and the nearest.
 */
import { Failure } from "../base/index.ts";
import { nearestNames } from "../text/index.ts";

/** @throws Failure `invalid_input` */
export function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  const [nearest] = nearestNames(value, allowed, 1);
  throw new Failure("invalid_input", `Cannot start: ${flag} cannot be ${JSON.stringify(value)}`, {
    hint: `It is one of ${allowed.join(", ")}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
  });
}
