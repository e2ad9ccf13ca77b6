/**
 * The programs that the desktop is asked with, by their absolute paths: found once, and never in a directory that the tools
 * can write, where a model could put a program of the same name.
 */
import { isAbsolute } from "node:path";
import { trustOutside } from "./find-program.ts";

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
  const { path, isTrusted } = trustOutside(environment["PATH"] ?? "", writable);
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
