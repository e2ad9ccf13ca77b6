/**
 * Handing a path to the desktop, with a fixed program for each platform and the path as one argument. What is opened
 * belongs to the person: it outlives the host, so it is started in a session of its own.
 *
 * The programs are found once, by absolute paths, and never in a directory that tools can write, where a model could put a
 * program of the same name.
 */
import { Failure } from "../base/index.ts";
import { trustOutside } from "./plan/find-program.ts";

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

/**
 * @param onStarted is told of it at once, before anything else can look at what runs
 * @throws Failure `unsupported` where there is no desktop, or its opener is missing
 */
export function showOnDesktop(
  action: "open" | "reveal",
  path: string,
  openers: Openers,
  onStarted?: (child: Bun.Subprocess) => void,
): void {
  const command = desktopCommand(action, path, process.platform);
  if (!command)
    throw new Failure("unsupported", `Cannot ${action} "${path}": there is no desktop on ${process.platform}`, {
      hint: "Tell the person where it is, so that they can open it.",
    });
  // On Linux the opener is started by another program, which would be silent about a missing one.
  const missing = command.find((part) => OPENERS.includes(part) && !openers.programs.has(part));
  if (missing !== undefined)
    throw new Failure("unsupported", `Cannot ${action} "${path}": ${missing} is not installed`, {
      hint: "It is looked for in absolute directories of PATH that no tool can write.",
    });
  const absolute = command.map((part) => openers.programs.get(part) ?? part);
  const env = { ...openers.environment };
  const child = Bun.spawn(absolute, { env, stdio: ["ignore", "ignore", "ignore"] });
  onStarted?.(child);
  child.unref();
}

/** xdg-open has no "select": the directory is shown. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

const OPENERS: readonly string[] = ["setsid", "xdg-open", "explorer.exe"];

export interface Openers {
  /** By their names, those that are there, as absolute paths. */
  readonly programs: ReadonlyMap<string, string>;
  /** For what is started: without the places that are not trusted. */
  readonly environment: Readonly<Record<string, string>>;
}

/** @param writable directories in which nothing is trusted */
export function findOpeners(environment: Readonly<Record<string, string>>, writable: readonly string[]): Openers {
  const { path, isTrusted } = trustOutside(environment["PATH"] ?? "", writable);
  const programs = OPENERS.flatMap((name): [string, string][] => {
    const found = Bun.which(name, { PATH: path });
    return found !== null && isTrusted(found) ? [[name, found]] : [];
  });
  return { programs: new Map(programs), environment: { ...environment, PATH: path } };
}
