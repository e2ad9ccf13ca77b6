/**
 * The launcher of a host: this program once more, outside the fence, with a copy of what the host may reach. It is started
 * before the host goes in, because nothing can be started from there; where there is no fence it is the same one.
 */
import { closeSync } from "node:fs";
import { Failure, openLibc } from "../base/index.ts";
import type { LauncherConfig } from "./launcher-protocol.ts";
import { LineWriter } from "./write-lines.ts";

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;

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
  const [ours, theirs] = connectedSockets();
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

function connectedSockets(): readonly [number, number] {
  const libc = openLibc({ socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" } });
  const pair = Buffer.alloc(8);
  if (libc?.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) === 0)
    return [pair.readInt32LE(0), pair.readInt32LE(4)];
  throw new Failure("unsupported", "Cannot start the launcher: socketpair failed");
}
