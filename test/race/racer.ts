/**
 * The attacker, a process of its own: it swaps two names, or renames one to the other and back, as fast as the kernel
 * lets it. Orders come as lines of JSON on stdin, and each is answered by one line on stdout.
 *
 * Invariant: when it has stopped, both names are where they were when it began. It ends when stdin does, so that no
 * racer outlives its test. Usual mistake: to write into the paths' memory between the calls; see src/sys/libc.ts.
 */
import { dlopen, ptr } from "bun:ffi";
import { createInterface } from "node:readline";
import type { RacerOrder, RacerReport } from "./open-racer.ts";

const SYS_RENAMEAT2 = process.arch === "arm64" ? 276 : 316;
const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
/** Between two looks at stdin; some milliseconds. */
const BURST = 512;
const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libc.so"];
const SYMBOLS = {
  syscall: { args: ["i32", "i32", "ptr", "i32", "ptr", "u32"], returns: "i32" },
} as const;

const syscall = openSyscall();
let stopping = new AbortController();
let running: Promise<RacerReport> | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as RacerOrder;
  if (order.kind === "stop") {
    stopping.abort();
    console.log(JSON.stringify((await running) ?? { swaps: 0, failed: 0 }));
  } else {
    stopping = new AbortController();
    running = race(order, stopping.signal);
    console.log(JSON.stringify({ swaps: 0, failed: 0 }));
  }
}
stopping.abort();

async function race({ kind, a, b }: Exclude<RacerOrder, { kind: "stop" }>, stop: AbortSignal): Promise<RacerReport> {
  const memory = [Buffer.from(`${a}\0`), Buffer.from(`${b}\0`)] as const;
  const [atA, atB] = [ptr(memory[0]), ptr(memory[1])];
  const flags = kind === "exchange" ? RENAME_EXCHANGE : 0;
  let swaps = 0;
  let failed = 0;
  // Of `rename`, only one direction can work at a time; the exchange is the same both ways.
  const swap = (): void => {
    const isBack = kind === "rename" && swaps % 2 === 1;
    const result = syscall(SYS_RENAMEAT2, AT_FDCWD, isBack ? atB : atA, AT_FDCWD, isBack ? atA : atB, flags);
    if (result === 0) swaps++;
    else failed++;
  };
  while (!stop.aborted) {
    for (let n = 0; n < BURST; n++) swap();
    await new Promise(setImmediate);
  }
  if (swaps % 2 === 1) swap();
  // Held until here, so that what the two pointers lead to stays.
  if (memory.some(({ length }) => length === 0)) throw new Error("a path is empty");
  return { swaps, failed };
}

function openSyscall(): (nr: number, ...rest: readonly number[]) => number {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, SYMBOLS).symbols.syscall as unknown as (...all: readonly number[]) => number;
    } catch {
      // Another libc.
    }
  }
  throw new Error("there is no libc to call");
}
