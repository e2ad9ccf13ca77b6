/**
 * The facts of this process: what was built, the environment, and where it was started. This is the one place that reads
 * them; everything else gets what it needs as an argument.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { Failure } from "../base/index.ts";

declare const __RINGFENCE_BUILD__: { version: string; commit: string; target: string } | undefined;

export interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  /** For example `linux-x64`; `source` when it was not compiled. */
  readonly target: string;
  /** For example `bun 1.4.5`. */
  readonly runtime: string;
}

export const BUILD: BuildInfo = {
  ...(typeof __RINGFENCE_BUILD__ === "undefined"
    ? { version: manifest.version, commit: "unknown", target: "source" }
    : __RINGFENCE_BUILD__),
  runtime: `bun ${Bun.version}`,
};

function home(): string {
  const found = knownHome();
  if (found !== undefined) return found;
  throw new Failure("invalid_input", "Cannot start: this user has no home directory to keep state in", {
    hint: "Give a state folder with --state-dir DIR.",
  });
}

/** The home directory; without HOME from the table of users, in which not every user is. */
function knownHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/**
 * A leading `~` is the home directory of this user, in a path that a person wrote: on the command line, or in the
 * configuration. What a model writes never comes here. @throws Failure `invalid_input` for a user without a home
 */
export function expandHome(path: string): string {
  if (path !== "~" && !path.startsWith("~/")) return path;
  const found = knownHome();
  if (found !== undefined) return join(found, path.slice(1));
  throw new Failure("invalid_input", `Cannot use the path ${JSON.stringify(path)}: this user has no home directory`, {
    hint: "Give the absolute path.",
  });
}

/** The platform's own place for state, which holds unless `--state-dir` names another. */
export function defaultStateDir(): string {
  const xdg = process.env["XDG_STATE_HOME"];
  if (xdg?.startsWith("/")) return join(xdg, "ringfence");
  if (process.platform === "darwin") return join(home(), "Library", "Application Support", "ringfence");
  if (process.platform === "win32")
    return join(process.env["LOCALAPPDATA"] ?? join(home(), "AppData", "Local"), "ringfence");
  return join(home(), ".local", "state", "ringfence");
}

/**
 * The directories in which configuration files are looked for: that of the machine, which only root may write, and that
 * of the user.
 */
export function configDirectories(): Partial<Record<"machine" | "user", string>> {
  const xdg = process.env["XDG_CONFIG_HOME"];
  const base = xdg?.startsWith("/") ? xdg : knownHome();
  if (process.platform === "win32") {
    const data = process.env["PROGRAMDATA"];
    const own = process.env["APPDATA"];
    return {
      ...(data === undefined ? {} : { machine: join(data, "ringfence") }),
      ...(own === undefined ? {} : { user: join(own, "ringfence") }),
    };
  }
  const user = base === undefined ? undefined : base === xdg ? base : join(base, ".config");
  return { machine: "/etc/ringfence", ...(user === undefined ? {} : { user: join(user, "ringfence") }) };
}

/** Whether this machine has a desktop on which something can be shown. */
export function hasDesktop(): boolean {
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
}

export function secretFromEnvironment(name: string): string | undefined {
  return process.env[name];
}

/** The arguments of the program, without its own name. */
export function startArguments(): readonly string[] {
  return process.argv.slice(2);
}

/** @throws Failure when the directory is gone */
export function startedIn(): string {
  try {
    return process.cwd();
  } catch {
    throw new Failure("invalid_input", "Cannot start: the directory it was started in is gone", {
      hint: "Start it in another one, or give absolute paths for the roots and the state folder.",
    });
  }
}

/** The variable by which the program, when it starts itself again, says what the second process is to be. */
export const START_MARK = "RINGFENCE_START";

let startMark: string | undefined;

/** Reads that variable and removes it, so that no child of this process takes it for its own. */
export function takeStartMark(): string | undefined {
  const parts: string[] = [];
  for (let part = process.env[START_MARK]; part !== undefined; part = process.env[nameOfPart(parts.length)]) {
    delete process.env[nameOfPart(parts.length)];
    parts.push(part);
  }
  if (parts.length > 0) startMark ??= parts.join("");
  return startMark;
}

/** A long value is split over several variables, because the kernel takes 128 KiB in each. */
function nameOfPart(index: number): string {
  return index === 0 ? START_MARK : `${START_MARK}_${index}`;
}

/** The environment without the variables that steer the runtime, for our own second start and for children. */
export function cleanEnvironment(): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && !steersRuntime(name)) clean[name] = value;
  return clean;
}

/** The environment for our own second start, behind a fence where the table of users cannot be read. */
export function restartEnvironment(): Record<string, string> {
  const clean = cleanEnvironment();
  const found = clean["HOME"] ?? knownHome();
  // The second start needs the same libraries: the fence was built around where they were found.
  const libraries = process.env["LD_LIBRARY_PATH"] ?? libraryPath;
  return {
    ...clean,
    ...(found === undefined ? {} : { HOME: found }),
    ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
  };
}

/** What a second start would be given, for a process that is behind the fence without one. */
export function takeHome({ HOME }: Readonly<Record<string, string>>): void {
  if (HOME !== undefined) process.env["HOME"] = HOME;
}

/** Variables that make a runtime load code, open a port, write files or report somewhere. */
function steersRuntime(name: string): boolean {
  return /^(?:BUN_|NODE_|LD_|DYLD_|MIMALLOC_|GLIBC_TUNABLES$)/.test(name) && name !== "NODE_ENV";
}

/**
 * Removes the variables that steer the runtime before anything else happens, so that no child ever sees them. They have no
 * effect on this process: the build has removed their names from the runtime.
 */
export function scrubEnvironment(): void {
  libraryPath ??= process.env["LD_LIBRARY_PATH"];
  loaderVariables ??= Object.keys(process.env).filter((name) => steersLoader(name));
  for (const name of Object.keys(process.env)) if (steersRuntime(name)) delete process.env[name];
}

/**
 * Whether the system's loader or the allocator obeys a variable before the first line of this program runs. No build can
 * switch that off: code that LD_PRELOAD names is in this process already.
 */
function steersLoader(name: string): boolean {
  return /^(?:LD_|DYLD_|MIMALLOC_|GLIBC_TUNABLES$)/.test(name);
}

/** The names of such variables that this process was started with. */
export function foundLoaderVariables(): readonly string[] {
  return loaderVariables ?? [];
}

/** Whether `/etc/ld.so.preload` names code that the system's loader puts into every program here. */
export function hasPreloadFile(): boolean {
  try {
    return readFileSync("/etc/ld.so.preload", "utf8").trim() !== "";
  } catch {
    return false;
  }
}

let loaderVariables: readonly string[] | undefined;

/** LD_LIBRARY_PATH as it was before it was removed from the environment. */
let libraryPath: string | undefined;
