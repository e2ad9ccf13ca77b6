/**
 * A hook of the configuration as a command that could be declared: its first word is the program, the others are its
 * arguments. Files among these are there for it to read, as a script for an interpreter is, and like the program they must
 * not lie where a tool can write.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../base/index.ts";
import type { CommandDeclaration, HookPrograms } from "./declaration.ts";
import type { Trust } from "./find-program.ts";
import type { HookRequest } from "./launcher-protocol.ts";

const DEFAULT_TIMEOUT_MS = 5000;
/** A hook is small; `processes` of a command are more. */
const MAX_PROCESSES = 64;

export interface HookWorld {
  readonly hooks: readonly HookPrograms[];
  readonly trust: Trust;
  readonly roots: readonly { readonly path: string }[];
}

/** @throws Failure `not_found` for a hook that is not configured, `denied` for one whose script a tool can write */
export function hookDeclaration(
  { index, when }: HookRequest,
  { hooks, trust, roots }: HookWorld,
): { declaration: CommandDeclaration; args: readonly string[] } {
  const hook = hooks[index];
  const [program, ...args] = hook?.[when] ?? [];
  if (!hook || program === undefined)
    throw new Failure("not_found", "Cannot run the hook: it is not configured");
  const files = filesIn(args, roots[0]?.path ?? "/");
  const open = files.find((file) => !trust.isTrusted(file));
  if (open !== undefined)
    throw new Failure("denied", `Cannot run the hook: its file ${open} lies where tools can write`);
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
    reads: [...reads, ...files],
    writes,
  };
  return { declaration, args };
}

/** @param directory it is started in */
function filesIn(args: readonly string[], directory: string): string[] {
  return args
    .map((argument) => resolve(directory, argument))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
