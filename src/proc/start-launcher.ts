/**
 * The launcher of a host: this program once more, outside the fence, with a copy of what the host may reach. It is started
 * before the host goes in, because nothing can be started from there; where there is no fence it is the same one.
 */
import { closeSync } from "node:fs";
import { Failure } from "../base/index.ts";
import { connectedSockets } from "../sys/index.ts";
import type { LauncherConfig } from "./launcher-protocol.ts";
import { LineWriter } from "./write-lines.ts";

export interface LauncherStart {
  /** How this program is started, without arguments of its own. */
  readonly command: readonly string[];
  /** Its first line. */
  readonly config: LauncherConfig;
  /** Says to the program that it is a launcher. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Returns the host's end of the connection; the launcher ends when it is closed. @throws Failure `unsupported` */
export function startLauncher({ command, config, environment }: LauncherStart): number {
  const pair = connectedSockets();
  if (!pair) throw new Failure("unsupported", "Cannot start the launcher: socketpair failed");
  const [ours, theirs] = pair;
  try {
    Bun.spawn([...command], {
      env: { ...environment },
      stdio: [theirs, "ignore", "inherit"],
    }).unref();
  } finally {
    closeSync(theirs);
  }
  new LineWriter(ours).write(config);
  return ours;
}
