/**
 * The program of a declaration by its absolute path: looked up once at the start, and never in a place that a tool can
 * write, where a model could put a program of the same name. Pinned by hash where the declaration says so.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { createSha256, realPathOf } from "../../base/index.ts";
import type { CommandDeclaration } from "../declaration.ts";
import type { CommandsView, LauncherConfig } from "../launcher-protocol.ts";

export interface Trust {
  /** Absolute directories of PATH that no tool can write. */
  readonly path: string;
  readonly isTrusted: (path: string) => boolean;
}

/** @param writable directories in which nothing is trusted */
export function trustOutside(path: string, writable: readonly string[]): Trust {
  const untrusted = writable.map(realPathOf);
  const isTrusted = (one: string): boolean => {
    const real = realPathOf(one);
    return !untrusted.some((top) => real === top || real.startsWith(top === sep ? top : top + sep));
  };
  const separator = process.platform === "win32" ? ";" : ":";
  const trusted = path.split(separator).filter((directory) => isAbsolute(directory) && isTrusted(directory));
  return { path: trusted.join(separator), isTrusted };
}

/** The absolute path, or why there is none. */
export function findProgram(
  program: string,
  { path, isTrusted }: Trust,
): { readonly path: string } | { readonly missing: string } {
  const found = isAbsolute(program) ? program : program.includes(sep) ? null : Bun.which(program, { PATH: path });
  if (found === null) return { missing: `${program} is not installed` };
  if (!isTrusted(found)) return { missing: `${found} lies where tools can write` };
  try {
    const stat = statSync(found);
    if (!stat.isFile() || (stat.mode & 0o111) === 0) return { missing: `${found} is not a program` };
  } catch {
    return { missing: `${found} is not there` };
  }
  return { path: found };
}

/** Whether the program is the one that was pinned. Read before every start: it is small beside what follows. */
export function matchesPin(path: string, sha256: string | undefined): boolean {
  return sha256 === undefined || hashOf(path) === sha256.toLowerCase();
}

function hashOf(path: string): string {
  const hash = createSha256();
  const bytes = Buffer.allocUnsafe(256 * 1024);
  const fd = openSync(path, "r");
  try {
    for (let got = readSync(fd, bytes); got > 0; got = readSync(fd, bytes)) hash.update(bytes.subarray(0, got));
  } finally {
    closeSync(fd);
  }
  return hash.digest("hex");
}

type Reach = Pick<LauncherConfig, "roots" | "hidden">;

/** Which of the declared commands there is a program for, by name: the program, or why there is none. */
export function findPrograms(
  declarations: Readonly<Record<string, Pick<CommandDeclaration, "program">>>,
  reach: Reach,
  environment: Readonly<Record<string, string>>,
): CommandsView["programs"] {
  return findAll(declarations, trustIn(reach, environment));
}

export function trustIn({ roots, hidden }: Reach, environment: Readonly<Record<string, string>>): Trust {
  const writable = roots.filter(({ readOnly }) => !readOnly).map(({ path }) => path);
  return trustOutside(environment["PATH"] ?? "", [...writable, ...hidden]);
}

export function findAll(
  declarations: Readonly<Record<string, Pick<CommandDeclaration, "program">>>,
  trust: Trust,
): CommandsView["programs"] {
  return Object.fromEntries(
    Object.entries(declarations).map(([name, { program }]) => [name, findProgram(program, trust)]),
  );
}
