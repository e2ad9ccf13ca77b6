/**
 * Handing a path to the desktop, with a fixed program for each platform and the path as one argument. What is opened
 * belongs to the person: it outlives the host, so it is started in a session of its own.
 */
import { Failure } from "../base/index.ts";

/** Pure, so that every platform's command can be tested on each. `undefined` where nothing can be shown. */
export function desktopCommand(
  action: "open" | "reveal",
  path: string,
  platform: string,
): readonly string[] | undefined {
  switch (platform) {
    case "darwin":
      return action === "open" ? ["/usr/bin/open", path] : ["/usr/bin/open", "-R", path];
    case "win32":
      return action === "open" ? ["explorer.exe", path] : ["explorer.exe", `/select,${path}`];
    case "linux":
      return ["setsid", "--fork", "xdg-open", action === "open" ? path : parentOf(path)];
    default:
      return undefined;
  }
}

export function openWithDesktop(path: string, environment: Record<string, string>): void {
  start("open", path, environment);
}

export function revealInFileManager(path: string, environment: Record<string, string>): void {
  start("reveal", path, environment);
}

function start(action: "open" | "reveal", path: string, env: Record<string, string>): void {
  const command = desktopCommand(action, path, process.platform);
  if (!command)
    throw new Failure(
      "unsupported",
      `Cannot ${action} "${path}": there is no desktop on ${process.platform}`,
    );
  const [program, ...args] = command;
  const missing = missingProgram(command);
  if (program === undefined || missing !== undefined)
    throw new Failure("unsupported", `Cannot ${action} "${path}": ${missing} is not installed`);
  Bun.spawn([program, ...args], { env, stdio: ["ignore", "ignore", "ignore"] }).unref();
}

/** On Linux the opener is started by another program, which would be silent about it. */
function missingProgram(command: readonly string[]): string | undefined {
  const programs = command[0] === "setsid" ? ["setsid", "xdg-open"] : command.slice(0, 1);
  return programs.find((program) => !Bun.which(program));
}

/** xdg-open has no "select": the directory is shown. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}
