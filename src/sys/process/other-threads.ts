/**
 * Has every other thread of this process make system calls of its own: what the kernel keeps for each thread, such as a Landlock domain,
 * is put on a whole process only so, or by starting it again. The C library does the same for setuid(2), by a function that nobody else
 * can call: each thread gets a signal, and its handler makes the calls.
 *
 * The handler is machine code of x86-64, because the threads of the runtime run no JavaScript. It has every number in it, and touches
 * nothing but two counters; the kernel puts the registers back when it returns. A thread that is born of one that was not told yet is found by
 * the look that follows the answers: whoever was told has no child outside from then on.
 *
 * Usual mistake: a signal that some thread blocks. The allocator's own thread takes those alone that a thread brings upon itself;
 * SIGSYS is one of them, and nothing else sends it before a filter of system calls is on.
 * C: void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset); int mprotect(void *addr, size_t len, int prot);
 * void *memcpy(void *dest, const void *src, size_t n); int sched_yield(void)
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { constants } from "node:os";
import { read } from "bun:ffi";
import { monotonicMs } from "../../base/index.ts";
import { foreignBytes, openLibc } from "../libc.ts";
import { callNumber, openSystemCalls, type CallName } from "./system-calls.ts";

/** A call with its arguments: numbers, and addresses of memory that stays. */
export type ThreadCall = readonly [name: CallName, ...args: number[]];

const PAGE = 4096;
const READ_WRITE = 3;
const READ_EXECUTE = 5;
const PRIVATE_ANONYMOUS = 0x22;
const SIGNAL: number = constants.signals.SIGSYS;
const SIGNAL_SET_BYTES = 8;
/** Where the second counter lies: of threads that were refused a call. */
const FAILED = 8;
/** SA_RESTORER and SA_RESTART, and every signal blocked while the handler runs. */
const [FLAGS, ALL_SIGNALS] = [0x14000000n, 0xffffffffffffffffn];
/** A thread takes a signal within microseconds, or waits for a processor. */
const LIMIT_MS = 250;
/** The C library blocks all signals of a thread for a moment when one is born or ends. */
const DEAF_MS = 20;

/**
 * One after the other, until one fails. Asked by the main thread. Who is born meanwhile makes them too: a look that is made when all others
 * have answered finds them, and is made until nobody is new.
 *
 * @returns whether all of them have made all calls. After `false` some may have, and others may yet: the process has to start again or end
 */
export function callOnOtherThreads(list: readonly ThreadCall[]): boolean {
  const system = openSystemCalls();
  const libc = openLibc({
    mmap: { args: ["u64", "u64", "i32", "i32", "i32", "i64"], returns: "i64" },
    mprotect: { args: ["u64", "u64", "i32"], returns: "i32" },
    memcpy: { args: ["u64", "ptr", "u64"], returns: "u64" },
    sched_yield: { args: [], returns: "i32" },
  });
  if (!libc || system?.architecture !== "x64" || !isMainThread()) return false;
  // Never taken back: a thread that has counted itself is in there still, for one instruction more.
  const code = Number(libc.mmap(0, 2 * PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0));
  if (code <= 0) return false;
  const counters = code + PAGE;
  const { bytes, restorerAt } = handlerOf(list, counters);
  if (bytes.length > PAGE) throw new Error("too many calls for one page");
  libc.memcpy(code, foreignBytes(bytes), bytes.length);
  // Where code may not be made at run time, nobody has been told anything yet.
  if (libc.mprotect(code, PAGE, READ_EXECUTE) !== 0) return false;
  const before = Buffer.alloc(PAGE);
  const action = BigUint64Array.of(BigInt(code), FLAGS, BigInt(code + restorerAt), ALL_SIGNALS);
  const asBytes = foreignBytes(new Uint8Array(action.buffer));
  if (system.call("rt_sigaction", SIGNAL, asBytes, before, SIGNAL_SET_BYTES) !== 0) return false;
  const haveAnswered = (told: number): boolean => {
    const end = monotonicMs() + LIMIT_MS;
    while (read.i32(counters) + read.i32(counters, FAILED) < told && monotonicMs() < end) libc.sched_yield();
    return read.i32(counters) === told;
  };
  if (!tellAll((thread) => system.call("tgkill", process.pid, thread, SIGNAL), haveAnswered)) return false;
  return system.call("rt_sigaction", SIGNAL, foreignBytes(before), 0, SIGNAL_SET_BYTES) === 0;
}

/** Also not where /proc counts as another process does: its numbers of threads are those of others then. */
function isMainThread(): boolean {
  return readlinkSync("/proc/thread-self") === `${process.pid}/task/${process.pid}`;
}

/**
 * @param tell a refusal is no answer: who was not told is new at the next look, or gone
 * @param haveAnswered whether as many threads have done what they were told
 */
function tellAll(tell: (thread: number) => number | string, haveAnswered: (told: number) => boolean): boolean {
  const told = new Set<number>();
  const begun = monotonicMs();
  let before: readonly number[] = [];
  while (monotonicMs() < begun + LIMIT_MS) {
    const threads = readdirSync("/proc/self/task").map(Number);
    const fresh = threads.filter((thread) => thread !== process.pid && !told.has(thread));
    // A list that is made while threads end can lack one: it has to be as long as the kernel counts, and to come twice.
    if (fresh.length === 0 && threads.join() === before.join() && threads.length === countThreads()) return true;
    before = threads;
    for (const thread of fresh) {
      // One that is being born or has a child listens again at once.
      if (isDeaf(thread)) {
        if (monotonicMs() > begun + DEAF_MS) return false;
        continue;
      }
      const result = tell(thread);
      if (result === 0) told.add(thread);
      else if (result !== "ESRCH") return false;
    }
    if (!haveAnswered(told.size)) return false;
  }
  return false;
}

function countThreads(): number {
  return Number(/^Threads:\s*(\d+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]);
}

/** Whether it blocks the signal, and would be waited for in vain. */
function isDeaf(thread: number): boolean {
  try {
    const status = readFileSync(`/proc/self/task/${thread}/status`, "latin1");
    const blocked = BigInt(`0x${/^SigBlk:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
    return ((blocked >> BigInt(SIGNAL - 1)) & 1n) === 1n;
  } catch {
    // It has ended.
    return false;
  }
}

/** mov into the registers that a call takes its number and its arguments from: rax, rdi, rsi, rdx, r10, r8. */
const INTO_REGISTERS: readonly (readonly number[])[] = [
  [0x48, 0xb8],
  [0x48, 0xbf],
  [0x48, 0xbe],
  [0x48, 0xba],
  [0x49, 0xba],
  [0x49, 0xb8],
];
const SYSCALL: readonly number[] = [0x0f, 0x05];
/** test rax, rax; js to what follows 32 bits further. */
const JUMP_IF_NEGATIVE: readonly number[] = [0x48, 0x85, 0xc0, 0x0f, 0x88];
const CALL_BYTES: number = INTO_REGISTERS.length * 10 + SYSCALL.length + JUMP_IF_NEGATIVE.length + 4;
/** lock inc qword [rax]; ret */
const COUNT_AND_RETURN: readonly number[] = [0xf0, 0x48, 0xff, 0x00, 0xc3];
/** mov eax, 15; syscall: rt_sigreturn */
const RETURN_FROM_SIGNAL: readonly number[] = [0xb8, 15, 0, 0, 0, ...SYSCALL];

/** The calls, then one of two counters, and what the handler returns to. */
function handlerOf(
  list: readonly ThreadCall[],
  counters: number,
): { readonly bytes: Uint8Array; readonly restorerAt: number } {
  const success = countingAt(counters);
  const calls = list.map((call, index) => callOf(call, (list.length - 1 - index) * CALL_BYTES + success.length));
  const handler = [...calls.flat(), ...success, ...countingAt(counters + FAILED)];
  return { bytes: Uint8Array.from([...handler, ...RETURN_FROM_SIGNAL]), restorerAt: handler.length };
}

/** @param toFailure how many bytes lie between its end and the counter of failures */
function callOf([name, ...args]: ThreadCall, toFailure: number): number[] {
  const numbers = [callNumber("x64", name), ...args];
  const loads = INTO_REGISTERS.flatMap((_, register) => load(register, numbers[register] ?? 0));
  return [...loads, ...SYSCALL, ...JUMP_IF_NEGATIVE, ...new Uint8Array(Int32Array.of(toFailure).buffer)];
}

function countingAt(address: number): number[] {
  return [...load(0, address), ...COUNT_AND_RETURN];
}

function load(register: number, value: number): number[] {
  return [...(INTO_REGISTERS[register] ?? []), ...new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)];
}
