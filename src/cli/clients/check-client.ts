/**
 * The client's own word on whether it reaches ringfence: its check is run as a person would run it, in the project.
 */
import type { ClientRow, ClientPlaces } from "../../clients/index.ts";
import { cleanEnvironment } from "../../config/index.ts";
import { findProgram } from "./client-places.ts";

/** A client starts its servers to check them, and some look for updates first. */
const CHECK_MS = 60_000;
/** Clients in colours; a check is read, and its text is shown. */
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;

export interface ClientCheck {
  readonly isConnected: boolean;
  /** A sentence for the person. */
  readonly said: string;
}

/** @returns `undefined` where the client has no check, or its program is not in PATH */
export function checkClient(
  { title, program, check, connected }: ClientRow,
  places: ClientPlaces,
): ClientCheck | undefined {
  const path = program === undefined ? undefined : findProgram(program);
  if (path === undefined || check === undefined || connected === undefined) return undefined;
  const command = [program, ...check].join(" ");
  const { exitCode, stdout, stderr } = Bun.spawnSync([path, ...check], {
    cwd: places.project,
    env: { ...cleanEnvironment(), NO_COLOR: "1" },
    stdin: "ignore",
    timeout: CHECK_MS,
    killSignal: "SIGKILL",
  });
  const output = `${stdout.toString()}\n${stderr.toString()}`.replaceAll(ESCAPES, "");
  const lines = output.split(/\r?\n/).map((line) => line.trim());
  const line = lines.find((one) => /\bringfence\b/.test(one));
  const isConnected = line !== undefined && connected.test(line) && !/disconnected|failed|not connected/i.test(line);
  if (isConnected) return { isConnected, said: `${title} says (${command}): ${line}` };
  const last = line ?? lines.findLast((one) => one !== "") ?? `exit code ${exitCode}`;
  return { isConnected, said: `${title} does not reach ringfence yet (${command}): ${last}` };
}
