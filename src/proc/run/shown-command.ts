/**
 * What was started, as an answer names it: the line of a shell as it was given, anything else as the program with its
 * arguments. Bounded, because an answer is no place for a script.
 */
import type { RunRequest } from "../launcher-protocol.ts";
import type { ProgramStart } from "../plan/plan-program.ts";

const MAX_CHARS = 500;

export function shownCommand(request: RunRequest, { program, args }: Pick<ProgramStart, "program" | "args">): string {
  return (request.kind === "shell" ? request.command : [program, ...args].join(" ")).slice(0, MAX_CHARS);
}
