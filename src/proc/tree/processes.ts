/**
 * What runs on this machine, from /proc: the descendants of a process, what is known of one, and ending those that may fork
 * while they are looked at. A process may end between any two reads; then it is simply not there.
 *
 * Usual mistake: to end each process as it is found; what it started a moment before has another parent then. So all of
 * them are stopped first, until nobody new is found: a stopped one forks no more.
 */
import { readFileSync, readdirSync, readlinkSync } from "node:fs";

export interface ProcessView {
  readonly pid: number;
  /** The program's name as the kernel keeps it: 15 characters. */
  readonly name: string;
  /** `Z`: ended, and waiting to be looked after. */
  readonly state: string;
  /** Ticks after the machine's start. Numbers of processes are used again; with this one they are not. */
  readonly started: number;
  readonly cpu_ms: number;
  readonly memory_bytes: number;
}

/** The clock in which the kernel counts times of processes: 100 on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

export function lookAt(pid: number): ProcessView | undefined {
  const text = readProc(`${pid}/stat`);
  if (text === undefined) return undefined;
  // The name stands in parentheses and may hold anything, parentheses too.
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  const at = (index: number): number => Number(fields[index - 3]);
  return {
    pid,
    name: text.slice(text.indexOf("(") + 1, end),
    state: fields[0] ?? "",
    started: at(22),
    cpu_ms: ((at(14) + at(15)) * 1000) / TICKS_PER_SECOND,
    memory_bytes: at(24) * PAGE_BYTES,
  };
}

/** The children that the process has now, in the order in which they came. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const text = readProc(`${pid}/task/${thread}/children`) ?? "";
      return text.split(" ").filter(Boolean).map(Number);
    });
  } catch {
    return [];
  }
}

/** All that come from it, without itself. */
export function descendantsOf(pid: number): number[] {
  const found: number[] = [];
  const waiting = childrenOf(pid);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    // A tree that grows while it is walked must end.
    if (found.length > MAX_TREE) break;
    waiting.push(...childrenOf(next));
  }
  return found;
}

const MAX_TREE = 100_000;

/** Whether it holds the writing end of one of the pipes, `pipe:[123]`. */
export function holdsPipe(pid: number, pipes: readonly string[]): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => pipes.includes(linkOf(`/proc/${pid}/fd/${fd}`) ?? ""));
  } catch {
    return false;
  }
}

/** Tasks on this machine, threads too. */
export function countTasks(): number {
  return Number(/\/(\d+)/.exec(readProc("loadavg") ?? "")?.[1] ?? 0);
}

export function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return undefined;
  }
}

/** More rounds than a machine has processes that it could hide in. */
const MAX_ROUNDS = 300;
const POLL_MS = 10;
const FIRST_POLL_MS = 1;
const SOON = 5;

/** @param find who is there now @returns whether nobody is left */
export async function endThose(find: () => readonly number[], killAtOnce?: () => void): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    killAtOnce?.();
    const stopped = new Set<number>();
    for (let fresh = find(); fresh.length > 0; fresh = find().filter((pid) => !stopped.has(pid)))
      for (const pid of fresh) {
        stopped.add(pid);
        send(pid, "SIGSTOP");
      }
    if (stopped.size === 0) return true;
    for (const pid of stopped) send(pid, "SIGKILL");
    await Bun.sleep(round < SOON ? FIRST_POLL_MS : POLL_MS);
  }
  return find().length === 0;
}

/** Everything that came from a process; it stays itself. */
export async function endAllFrom(pid: number): Promise<void> {
  await endThose(() => descendantsOf(pid).filter(isRunning));
}

export function isRunning(pid: number): boolean {
  const found = lookAt(pid);
  return found !== undefined && found.state !== "Z" && found.state !== "X";
}

/** What a program can still do something about. */
export type AskingSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

export function send(pid: number, signal: AskingSignal | "SIGKILL" | "SIGSTOP"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
