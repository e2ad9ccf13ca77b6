/**
 * Seccomp: which system calls this process may make, and which a program that is started for it. Both have a list of what
 * is allowed (call-table.txt); everything else is closed, also what a later kernel brings. The host needs no network, starts
 * no program once it serves and never touches other processes; a program that the launcher starts may start others.
 *
 * A filter sees numbers, not paths: files are Landlock's and the scope's. The program is classic BPF over
 * struct seccomp_data. https://man7.org/linux/man-pages/man2/seccomp.2.html
 */
import { Failure } from "../base/index.ts";
import { ForeignMemory, openSystemCalls, type Architecture, type SystemCalls } from "../sys/index.ts";
import {
  ABSENT,
  JUMP_AT_LEAST,
  JUMP_EQUAL,
  LOAD,
  REFUSED,
  ruleOf,
  type Instruction,
  type FilterReach,
  readCallTable,
  type CallRow,
} from "./call-rules.ts";

const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** x86-64 has a second table of calls behind this bit. */
const X32_BIT = 0x40000000;
const [AT_NUMBER, AT_ARCHITECTURE] = [0, 4];
const SET_MODE_FILTER = 1;
/** For all threads that the runtime has started so far. */
const FILTER_FLAG_TSYNC = 1;

/** The filter of a program that is started for the host, in base64. Made once: a start should not wait for it. */
export function encodedFilter(network: FilterReach): string {
  const { arch } = process;
  if (arch !== "x64" && arch !== "arm64") return "";
  const text = made.get(network) ?? Buffer.from(encode(childFilterProgram(arch, network))).toString("base64");
  made.set(network, text);
  return text;
}

const made = new Map<FilterReach, string>();

/** For this process, a host or a helper. @throws Failure `unsupported` */
export function refuseCalls(calls: SystemCalls, network: HelperNetwork = "none"): void {
  const filter = encode(filterProgram(calls.architecture, network));
  const handle = putFilter(filter, new ForeignMemory(filter.length + 32));
  const result = calls.call("seccomp", SET_MODE_FILTER, FILTER_FLAG_TSYNC, handle);
  // A positive number names a thread that could not be brought in.
  if (result === 0) return;
  throw new Failure("unsupported", `Cannot start behind the kernel fence: seccomp ${result}`, {
    hint: "Start with --fence=off to go on with handles only.",
  });
}

/** struct sock_fprog: the number of instructions, padded to 64 bits, and where they are. @returns its address */
export function putFilter(filter: Uint8Array, memory: ForeignMemory): number {
  return memory.putWords([filter.length / 8, memory.put(filter)]);
}

export type HelperNetwork = Extract<FilterReach, "none" | "internet" | "listen">;

/** The rules of a program that open when its network does. */
const NETWORK_RULES: ReadonlySet<string> = new Set(["network", "connects", "families", "addressed"]);

/** The filter of the host, and of a helper, which differs only where it reaches a network. Pure, for both processors. */
export function filterProgram(architecture: Architecture, network: HelperNetwork = "none"): readonly Instruction[] {
  return program(architecture, ({ host, command, name }) =>
    ruleOf(network !== "none" && NETWORK_RULES.has(command) ? command : host, name, network),
  );
}

/** What the start mark of a helper begins with; `none`, `internet` or `unfenced` follows. */
export const HELPER_MARK = "helper:";

/** What the start mark of the broker of programs begins with; `internet` or `unfenced` follows. */
export const BROKER_MARK = "broker:";

/**
 * The second half of a helper's fence, before any code of a pack is loaded: its keeper has put the files out of reach, and
 * now it loses programs, and sockets where it has no network.
 * @throws Failure `unsupported`
 */
export function finishHelperFence(mark: string): void {
  const network = mark.slice(HELPER_MARK.length);
  const calls = openSystemCalls();
  if (calls && (network === "none" || network === "internet" || network === "listen")) refuseCalls(calls, network);
}

/** The filter of a program that is started for the host. */
export function childFilterProgram(architecture: Architecture, network: FilterReach): readonly Instruction[] {
  return program(architecture, ({ command, name }) => ruleOf(command, name, network));
}

/** From this number on, until the next one. */
interface Range {
  readonly from: number;
  readonly rule: readonly Instruction[];
}

function program(
  architecture: Architecture,
  ruleFor: (row: CallRow) => readonly Instruction[],
): readonly Instruction[] {
  return [
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCHITECTURE[architecture]],
    REFUSED,
    [LOAD, 0, 0, AT_NUMBER],
    ...(architecture === "x64" ? ([[JUMP_AT_LEAST, 0, 1, X32_BIT], REFUSED] as const) : []),
    ...search(rangesOf(architecture, ruleFor)),
  ];
}

function rangesOf(architecture: Architecture, ruleFor: (row: CallRow) => readonly Instruction[]): readonly Range[] {
  const rules = new Map<number, readonly Instruction[]>();
  for (const row of readCallTable()) {
    const number = row.numbers[architecture];
    if (number !== undefined) rules.set(number, ruleFor(row));
  }
  const closed = [ABSENT];
  const ranges: Range[] = [];
  const last = Math.max(...rules.keys());
  for (let from = 0; from <= last + 1; from++) {
    const rule = rules.get(from) ?? closed;
    if (!isSame(ranges.at(-1)?.rule, rule)) ranges.push({ from, rule });
  }
  return ranges;
}

function isSame(one: readonly Instruction[] | undefined, other: readonly Instruction[]): boolean {
  return one === other || (one?.length === 1 && other.length === 1 && one[0]?.[3] === other[0]?.[3]);
}

/** A jump has 8 bits; a longer one would be cut without a word, and lead somewhere else. */
const MAX_JUMP = 255;

/** Halves the ranges until one is left. */
function search(ranges: readonly Range[]): readonly Instruction[] {
  const [first] = ranges;
  if (!first) return [];
  if (ranges.length === 1) return first.rule;
  const middle = ranges.slice(Math.ceil(ranges.length / 2));
  const below = search(ranges.slice(0, Math.ceil(ranges.length / 2)));
  if (below.length > MAX_JUMP) throw new Error("the filter of system calls has a jump that its language cannot say");
  return [[JUMP_AT_LEAST, below.length, 0, middle[0]?.from ?? 0], ...below, ...search(middle)];
}

/** struct sock_filter, 8 bytes each. */
function encode(instructions: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(instructions.length * 8);
  const view = new DataView(bytes.buffer);
  instructions.forEach(([code, ifTrue, ifFalse, value], at) => {
    view.setUint16(at * 8, code, true);
    view.setUint8(at * 8 + 2, ifTrue);
    view.setUint8(at * 8 + 3, ifFalse);
    view.setUint32(at * 8 + 4, value, true);
  });
  return bytes;
}

const FILTER_FLAG_NEW_LISTENER = 8;
const FILTER_FLAG_WAIT_KILLABLE = 32;

/**
 * For a filter whose calls are answered by a supervisor. From Linux 5.19 on a call that the supervisor has seen is only
 * interrupted by the end of its caller; before, a signal may make it again, and its answer is then that of the second time.
 */
export function listenerFlags({ call }: SystemCalls): number {
  const flags = FILTER_FLAG_NEW_LISTENER | FILTER_FLAG_WAIT_KILLABLE;
  // With no filter at all: EFAULT says that the flags were understood.
  return call("seccomp", SET_MODE_FILTER, flags, 0) === "EFAULT" ? flags : FILTER_FLAG_NEW_LISTENER;
}

const GET_ACTION_AVAIL = 2;
/** SECCOMP_RET_ERRNO, which refused calls answer with. */
const ERRNO = 0x00050000;

/** SECCOMP_RET_USER_NOTIF. */
const USER_NOTIFICATION = 0x7fc00000;

/** Whether calls can be answered by a supervisor, from Linux 5.0 on. */
export function offersNotification({ call }: SystemCalls): boolean {
  return call("seccomp", GET_ACTION_AVAIL, 0, Uint32Array.of(USER_NOTIFICATION)) === 0;
}

/** Whether this kernel, or the sandbox that this program runs in, takes filters of system calls at all. */
export function takesFilters({ call }: SystemCalls): boolean {
  return call("seccomp", GET_ACTION_AVAIL, 0, Uint32Array.of(ERRNO)) === 0;
}
