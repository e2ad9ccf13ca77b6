/**
 * Programs of the configuration whose path begins with `~`: commands, other servers and hooks. They are made whole once, so
 * that whatever looks for them, pins them or shows them has one name for each.
 */
import type { CommandDeclaration, UpstreamsConfig } from "../proc/index.ts";
import { expandHome } from "./environment.ts";
import type { HookText } from "./settings.ts";

export function wholeCommand(command: CommandDeclaration): CommandDeclaration {
  return withHome(command, ["program", "cwd"]);
}

export function wholeServer(server: UpstreamsConfig["servers"][string]): UpstreamsConfig["servers"][string] {
  return withHome(server, ["command", "cwd"]);
}

export function wholeHook(hook: HookText): HookText {
  const { before, after, run } = hook;
  return {
    ...hook,
    ...(before ? { before: wholeLine(before) } : {}),
    ...(after ? { after: wholeLine(after) } : {}),
    ...(run ? { run: wholeLine(run) } : {}),
  };
}

export function mapValues<T>(all: Readonly<Record<string, T>>, change: (one: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)]));
}

/** The program; its arguments are its own business. */
function wholeLine([program, ...args]: readonly string[]): readonly string[] {
  return program === undefined ? [] : [expandHome(program), ...args];
}

/** Nothing is copied where no path begins so, which is the rule. */
function withHome<T extends object>(given: T, keys: readonly (keyof T)[]): T {
  const found = keys.flatMap((key): [keyof T, string][] => {
    const value = given[key];
    return typeof value === "string" && value.startsWith("~") ? [[key, expandHome(value)]] : [];
  });
  return found.length === 0 ? given : { ...given, ...Object.fromEntries(found) };
}
