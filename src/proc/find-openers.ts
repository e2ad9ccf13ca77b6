/**
 * The programs that the desktop is asked with, by their absolute paths: found once, and never in a directory that the tools
 * can write, where a model could put a program of the same name.
 */
import { realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";

export interface Openers {
  /** The absolute path of a program; `undefined` when it is not there. */
  readonly find: (name: string) => string | undefined;
  /** For what is started: without the places that are not trusted. */
  readonly environment: Readonly<Record<string, string>>;
}

/** @param writable directories in which nothing is trusted */
export function findOpeners(
  environment: Readonly<Record<string, string>>,
  writable: readonly string[],
): Openers {
  const untrusted = writable.map(realOf);
  const isTrusted = (path: string): boolean => {
    const real = realOf(path);
    return !untrusted.some((top) => real === top || real.startsWith(top === sep ? top : top + sep));
  };
  const separator = process.platform === "win32" ? ";" : ":";
  const path = (environment["PATH"] ?? "")
    .split(separator)
    .filter((directory) => isAbsolute(directory) && isTrusted(directory))
    .join(separator);
  const found = new Map<string, string | undefined>();
  for (const name of ["setsid", "xdg-open", "explorer.exe"]) {
    const program = Bun.which(name, { PATH: path }) ?? undefined;
    found.set(name, program !== undefined && isTrusted(program) ? program : undefined);
  }
  return {
    find: (name) => (isAbsolute(name) ? name : found.get(name)),
    environment: { ...environment, PATH: path },
  };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
