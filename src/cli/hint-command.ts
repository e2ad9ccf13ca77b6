/**
 * What was probably meant by the name of a command that does not exist. A file of its own, because loading a face by
 * `import()` keeps all of its folder together in the binary, and so in every start.
 */
import { nearestNames } from "../text/index.ts";

/** @returns "; did you mean NAME?", or nothing */
export function hintCommand(name: string, commands: readonly string[]): string {
  const [nearest] = nearestNames(name, commands, 1);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}
