/**
 * The launcher of a fenced host: this program once more, outside the fence, with a copy of what the host may reach. It is
 * started before the host goes in, because nothing can be started from there.
 */
import { closeSync, writeSync } from "node:fs";
import { Failure, openLibc } from "../base/index.ts";
import { encodeLine, type LauncherConfig } from "./launcher-protocol.ts";

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;

export interface LauncherStart {
  readonly program: string;
  /** Its first line. */
  readonly config: LauncherConfig;
  /** Says to the program that it is a launcher. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Returns the host's end of the connection; the launcher ends when it is closed. @throws Failure `unsupported` */
export function startLauncher({ program, config, environment }: LauncherStart): number {
  const [ours, theirs] = connectedSockets();
  try {
    Bun.spawn([program], {
      env: { ...environment },
      stdio: [theirs, "ignore", "inherit"],
    }).unref();
  } finally {
    closeSync(theirs);
  }
  const bytes = encodeLine(config);
  for (let at = 0; at < bytes.length;) at += writeSync(ours, bytes, at);
  return ours;
}

function connectedSockets(): readonly [number, number] {
  const libc = openLibc({ socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" } });
  const pair = Buffer.alloc(8);
  if (libc?.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) === 0)
    return [pair.readInt32LE(0), pair.readInt32LE(4)];
  throw new Failure("unsupported", "Cannot start the launcher: socketpair failed");
}
