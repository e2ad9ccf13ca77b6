/**
 * The keeper's side of its program's supervisor: the thread is started when the program is there, and is told by a cell of
 * shared memory where the broker is. Until the thread runs, connections of the program wait.
 */
import { closeSync, readdirSync, readlinkSync } from "node:fs";
import { openPipe } from "../../sys/index.ts";
import type { SuperviseInput, SupervisePlan } from "./supervise.ts";

/** Runs `supervise` in a thread of its own. @param onTrouble is called when that thread fails */
export type StartSupervisor = (input: SuperviseInput, onTrouble: () => void) => Promise<void>;

/** What the launcher says on the control pipe, a line of JSON each: the port of the broker, 0 while it is being started, -1 when there is none. */
export interface ControlWord {
  readonly broker: number;
}

/** Behind the pipes that every keeper has: where connections are registered with the broker. */
const REGISTER_FD = 5;

/** Where the thread fails nothing answers any more, and the kernel says to the program that there is no such call. */
export async function startSupervising(
  plan: SupervisePlan,
  brokerPort: SharedArrayBuffer,
  start: StartSupervisor,
): Promise<void> {
  const listener = findListener();
  if (listener === undefined) return;
  const giveUp = (): void => closeSync(listener);
  try {
    // Nobody writes into it; its end comes with this process.
    const { read: stop } = openPipe();
    const register = plan.list > 0 ? REGISTER_FD : undefined;
    await start({ plan, listener, stop, register, brokerPort }, giveUp);
  } catch {
    giveUp();
  }
}

/** Takes what comes on the control pipe. */
export function hearBroker(brokerPort: SharedArrayBuffer): (bytes: Buffer) => void {
  const port = new Int32Array(brokerPort);
  let rest = "";
  return (bytes) => {
    const lines = `${rest}${bytes.toString("latin1")}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) Atomics.store(port, 0, (JSON.parse(line) as ControlWord).broker);
  };
}

/** The child opened it in a table of descriptors that was this process's as well. */
function findListener(): number | undefined {
  const found = readdirSync("/proc/self/fd").find((fd) => linkOf(fd) === "anon_inode:seccomp notify");
  return found === undefined ? undefined : Number(found);
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}
