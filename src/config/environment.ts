/**
 * The one place that reads the process's environment and where it was started. Everything else gets what it needs as an
 * argument.
 */
import { homedir } from "node:os";
import { join } from "node:path";

/** Where state lives unless `--state-dir` says otherwise: the platform's own place for it. */
export function defaultStateDir(): string {
  const xdg = process.env["XDG_STATE_HOME"];
  if (xdg?.startsWith("/")) return join(xdg, "ringfence");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "ringfence");
  if (process.platform === "win32")
    return join(process.env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "ringfence");
  return join(homedir(), ".local", "state", "ringfence");
}

/** Whether somebody sits at this machine: without it nothing can be shown. */
export function hasDesktop(): boolean {
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
}

export function secretFromEnvironment(name: string): string | undefined {
  return process.env[name];
}

export function startedIn(): string {
  return process.cwd();
}

/** The environment without the variables that steer the runtime; for starting ourselves again and for children. */
export function cleanEnvironment(): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && !steersRuntime(name)) clean[name] = value;
  return clean;
}

/** Variables that make a runtime load code, open a port, write files or report somewhere. */
function steersRuntime(name: string): boolean {
  return /^(?:BUN_|NODE_|LD_|DYLD_)/.test(name) && name !== "NODE_ENV";
}

/**
 * Variables that steer the runtime are gone before anything else runs: the process replaces itself by one without them.
 * Where it cannot (Windows has no exec), they are removed for every child; what they could do to this process is
 * switched off in the runtime itself by the build.
 */
export function leaveRuntimeVariables(): void {
  const found = Object.keys(process.env).filter(steersThisRuntime);
  if (found.length === 0) return;
  for (const name of found) delete process.env[name];
  if (!COMPILED || process.platform === "win32" || process.execve === undefined) return;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  process.execve(process.execPath, [process.execPath, ...process.argv.slice(2)], env);
}

/** The loader's variables (LD_*) have done their work before any code of ours; they are only kept from children. */
function steersThisRuntime(name: string): boolean {
  return /^BUN_/.test(name) || name === "NODE_OPTIONS";
}

const COMPILED: boolean = import.meta.url.includes("/$bunfs/") || import.meta.url.includes("~BUN");
