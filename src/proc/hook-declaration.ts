/**
 * A hook of the configuration as a command that could be declared: its first word is the program, the others are its
 * arguments. Files that it names by their absolute path are there for it to read, as a script for an interpreter is.
 */
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Failure } from "../base/index.ts";
import type { CommandDeclaration, HookPrograms } from "./declaration.ts";
import type { HookRequest } from "./launcher-protocol.ts";

const DEFAULT_TIMEOUT_MS = 5000;
/** A hook is small; `processes` of a command are more. */
const MAX_PROCESSES = 64;

/** @throws Failure `not_found` for a hook that is not configured */
export function hookDeclaration(
  { index, when }: HookRequest,
  hooks: readonly HookPrograms[],
): { declaration: CommandDeclaration; args: readonly string[] } {
  const hook = hooks[index];
  const [program, ...args] = hook?.[when] ?? [];
  if (!hook || program === undefined)
    throw new Failure("not_found", "Cannot run the hook: it is not configured");
  const { timeout_ms = DEFAULT_TIMEOUT_MS, network, environment, inherit, reads = [], writes } = hook;
  const declaration: CommandDeclaration = {
    description: "",
    program,
    stdin: "given",
    changes: false,
    processes: MAX_PROCESSES,
    timeout_ms,
    network,
    environment,
    inherit,
    reads: [...reads, ...args.filter(isFile)],
    writes,
  };
  return { declaration, args };
}

function isFile(argument: string): boolean {
  return isAbsolute(argument) && statSync(argument, { throwIfNoEntry: false })?.isFile() === true;
}
