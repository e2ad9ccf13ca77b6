/**
 * Giving birth to a program: a child of this process that is born in its control group, puts on limits and fence, and
 * becomes the program. This process stays as it is, outside of all of it, so that it can keep what the program leaves.
 *
 * Between fork and execve there are no other threads: who waits for one of them waits for ever. So what the child does is
 * a list of system calls that was written down before, and it makes nothing, not even a number that needs memory. The
 * runtime has the kernel leave its memory out of a fork, which is taken back first. This process is held meanwhile.
 * C: long syscall(long number, ...) for clone and clone3; pid_t waitpid(pid_t pid, int *status, int options)
 */
import { closeSync, readFileSync, readSync } from "node:fs";
import { constants } from "node:os";
import { read } from "bun:ffi";
import { openLibc } from "../libc.ts";
import type { ForeignMemory } from "./foreign-memory.ts";
import { openPipe } from "./pipes.ts";
import { callNumber, type Architecture, type CallName } from "./system-calls.ts";

/** A call with its arguments: numbers, and addresses of memory that stays. The last one is the execve. */
export type Step = readonly [name: CallName, ...args: number[]];

const ARGUMENTS = 5;
const WIDTH: number = 1 + ARGUMENTS;
const SIGCHLD = 17;
const CLONE_VFORK = 0x4000;
const CLONE_FILES = 0x400;
const CLONE_INTO_CGROUP = 0x200000000n;
/** struct clone_args, as long as it was when it first had a group. */
const CLONE_ARGUMENTS_BYTES = 88;
const MADV_DOFORK = 11;
/** The child's exit code when a call was refused; the pipe says which. */
const NOT_BORN = 127;

/**
 * @param group a descriptor of the folder of its control group
 * @param sharesFiles what the child opens before its execve is open in this process too, which keeps it; the program has none
 * of it
 * @returns the number of the child, which is the program now
 * @throws Error that names the call that failed, and its error
 */
export function forkProgram(
  architecture: Architecture,
  steps: readonly Step[],
  memory: ForeignMemory,
  group: number | undefined,
  sharesFiles = false,
): number {
  const libc = openCalls();
  if (!libc) throw new Error("libc cannot be called on this machine");
  const { read: told, write: tell } = openPipe();
  const trouble = { tell, bytes: memory.put(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))) };
  const table = tableOf(architecture, steps);
  keepMemoryInForks(architecture, libc);
  const flags = CLONE_VFORK | (sharesFiles ? CLONE_FILES : 0);
  const into = group === undefined ? undefined : cloneInto(group, flags, memory);
  let pid =
    into === undefined ? -1 : birth(libc, architecture, table, trouble, ["clone3", into, CLONE_ARGUMENTS_BYTES]);
  // Somebody refuses to have it born there: what it leaves is found by ancestry alone.
  if (pid <= 0) pid = birth(libc, architecture, table, trouble, ["clone", flags | SIGCHLD, 0]);
  closeSync(tell);
  const said = Buffer.alloc(2);
  const length = pid > 0 ? readSync(told, said, 0, 2, null) : 0;
  closeSync(told);
  if (pid <= 0) throw new Error("clone: no process can be made");
  if (length === 0) return pid;
  libc.waitpid(pid, null, 0);
  throw new Error(`${steps[said[0] ?? 0]?.[0]}: ${errorName(said[1] ?? 0)}`);
}

type Libc = NonNullable<ReturnType<typeof openCalls>>;

function openCalls() {
  return openLibc({
    syscall: { args: ["i64", "i64", "i64", "i64", "i64", "i64"], returns: "i32" },
    waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
    __errno_location: { args: [], returns: "ptr" },
  });
}

/** In this process the child's number, or less than 1. It returns once, although the kernel returns from it twice. */
function birth(
  libc: Libc,
  architecture: Architecture,
  table: Float64Array,
  trouble: { readonly tell: number; readonly bytes: number },
  call: readonly [name: "clone" | "clone3", first: number, second: number],
): number {
  const { syscall } = libc;
  const errno = libc.__errno_location();
  if (errno === null) return -1;
  const { tell, bytes } = trouble;
  const write = callNumber(architecture, "write");
  const exit = callNumber(architecture, "exit_group");
  const [name, first, second] = call;
  const clone = callNumber(architecture, name);
  const pid = syscall(clone, first, second, 0, 0, 0);
  if (pid !== 0) return pid;
  // The child. Nothing here may make anything.
  for (let at = 0; at < table.length; at += WIDTH) {
    if (syscall(table[at]!, table[at + 1]!, table[at + 2]!, table[at + 3]!, table[at + 4]!, table[at + 5]!) >= 0)
      continue;
    const error = read.i32(errno);
    syscall(write, tell, bytes + at / WIDTH, 1, 0, 0);
    syscall(write, tell, bytes + error, 1, 0, 0);
    break;
  }
  for (;;) syscall(exit, NOT_BORN, 0, 0, 0, 0);
}

function tableOf(architecture: Architecture, steps: readonly Step[]): Float64Array {
  const table = new Float64Array(steps.length * WIDTH);
  for (const [index, [name, ...args]] of steps.entries())
    table.set([callNumber(architecture, name), ...args], index * WIDTH);
  return table;
}

function cloneInto(group: number, flags: number, memory: ForeignMemory): number {
  const words = Array<bigint>(CLONE_ARGUMENTS_BYTES / 8).fill(0n);
  words[0] = BigInt(flags) | CLONE_INTO_CGROUP;
  words[4] = BigInt(SIGCHLD);
  words[10] = BigInt(group);
  return memory.putWords(words);
}

/** Without this the child lacks the heap and the code of its parent, and dies at its first step. */
function keepMemoryInForks(architecture: Architecture, { syscall }: Libc): void {
  const madvise = callNumber(architecture, "madvise");
  for (const [, from = "", to = ""] of readFileSync("/proc/self/maps", "latin1").matchAll(ANONYMOUS)) {
    const start = Number.parseInt(from, 16);
    syscall(madvise, start, Number.parseInt(to, 16) - start, MADV_DOFORK, 0, 0);
  }
}

/** What belongs to no file. */
const ANONYMOUS = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ 00:00 0(?: |$)/gm;

function errorName(errno: number): string {
  const found = Object.entries(constants.errno).find(([, value]) => value === errno);
  return found?.[0] ?? `error ${errno}`;
}
