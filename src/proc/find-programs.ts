/**
 * Which of the declared commands there is a program for, outside all that tools of this host can write.
 */
import type { CommandDeclarations } from "./declaration.ts";
import { findProgram, trustOutside, type Trust } from "./find-program.ts";
import type { CommandsView, LauncherConfig } from "./launcher-protocol.ts";

type Reach = Pick<LauncherConfig, "roots" | "hidden">;

/** By name: the program, or why there is none. */
export function findPrograms(
  declarations: CommandDeclarations,
  reach: Reach,
  environment: Readonly<Record<string, string>>,
): CommandsView["programs"] {
  return findAll(declarations, trustIn(reach, environment));
}

export function trustIn({ roots, hidden }: Reach, environment: Readonly<Record<string, string>>): Trust {
  const writable = roots.filter(({ readOnly }) => !readOnly).map(({ path }) => path);
  return trustOutside(environment["PATH"] ?? "", [...writable, ...hidden]);
}

export function findAll(declarations: CommandDeclarations, trust: Trust): CommandsView["programs"] {
  return Object.fromEntries(
    Object.entries(declarations).map(([name, { program }]) => [name, findProgram(program, trust)]),
  );
}
