/**
 * Suggests the nearest command for a name that does not exist. It stands in a file of its own, because loading a face by
 * `import()` keeps all of that folder together in the binary, and so in every start.
 */
import { nearestNames } from "../text/index.ts";

/** @returns "; did you mean NAME?", or nothing */
export function hintCommand(name: string, commands: readonly string[]): string {
  const [nearest] = nearestNames(name, commands, 1);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}
