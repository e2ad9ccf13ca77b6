/**
 * Into the fence: restrict this thread, then bring the others in (`every-thread.ts`). Where that cannot be, the same program is started
 * again in this process, so that every thread of it is born inside. The second start is told by a variable, and proves it before anybody
 * relies on it. execve(2) is called directly: the runtime's own form closes every descriptor but the standard streams, and the fenced
 * host keeps one more.
 *
 * Standard streams, arguments, environment and working directory stay; every other descriptor ends with the first start.
 *
 * Usual mistake: to restrict and go on. Threads that the runtime has already started would stay outside.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { Failure, logLine } from "../base/index.ts";
import { foreignBytes, memoryForExec, openSystemCalls, type SystemCalls } from "../sys/index.ts";
import { bringThreadsIn } from "./every-thread.ts";
import { fenceRules } from "./fence-rules.ts";
import {
  FIRST_WITH_TCP,
  NEWEST_ABI,
  checked,
  createRuleset,
  probeFence,
  probeLandlock,
  restrictSelf,
} from "./landlock.ts";
import { refuseCalls } from "./seccomp.ts";

export type FenceMode = "auto" | "require" | "off";

export interface FenceState {
  /** `kernel`: Landlock holds every thread of this process. `none`: paths are held by handles alone. */
  readonly kind: "kernel" | "none";
  /** The version of Landlock; 0 without it. */
  readonly abi: number;
  /** Seccomp refuses sockets, other programs and other processes. */
  readonly filtered: boolean;
  /** The descriptor that `beforeEntry` returned. */
  readonly kept?: number;
  /** In the second start: what the first one had it carry. */
  readonly carried?: string;
  /** Why there is no fence. */
  readonly reason?: string;
}

export const NO_FENCE: FenceState = { kind: "none", abi: 0, filtered: false, reason: "it was not asked for" };

/** "kernel (Landlock ABI 7, no sockets, no programs)" */
export function describeFence({ kind, abi, filtered, reason }: FenceState): string {
  if (kind === "kernel") return `kernel (Landlock ABI ${abi}${filtered ? ", no sockets, no programs" : ""})`;
  return `handles only${filtered ? ", no sockets, no programs" : ""}${reason === undefined ? "" : ` (${reason})`}`;
}

export interface FenceOptions {
  readonly mode: FenceMode;
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly stateDir: string;
  /** Paths outside of the roots that the second start reads. */
  readonly reads?: readonly string[];
  /** What the program was started with, for the second start. */
  readonly arguments: readonly string[];
  /** The environment of the second start, already without variables that steer the runtime. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether something is in this process that only a second start gets rid of, as what the loader was told to put there. */
  readonly mustStartAgain?: boolean;
  /** What the second start is given, in memory that nobody else has. */
  readonly carries: string;
  /** The name of the variable that tells the second start so. */
  readonly markName: string;
  /** Starts what must stay outside, right before the way in; the second start keeps the descriptor that it returns. */
  readonly beforeEntry?: () => number | undefined;
}

const PR_SET_NO_NEW_PRIVS = 38;
const PR_GET_NO_NEW_PRIVS = 39;
const CLOSE_RANGE_CLOEXEC = 4;
const LAST_DESCRIPTOR = 0x7fffffff;
const F_SETFD = 2;
const AF_INET = 2;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;

/** Whether the program is one executable that can be started again; from source there are files of its own to read. */
const IS_COMPILED = import.meta.url.includes("/$bunfs/");

interface FenceMark {
  readonly abi: number;
  /** The descriptor of what is carried. */
  readonly carried: number;
  readonly kept: number | undefined;
}

/** `behind-fence:7:6`, or `behind-fence:7:6:5` with a descriptor that was kept. */
export function parseMark(mark: string): FenceMark | undefined {
  const [, abi, carried, kept] = /^behind-fence:(\d+):(\d+)(?::(\d+))?$/.exec(mark) ?? [];
  if (abi === undefined || carried === undefined) return undefined;
  return { abi: Number(abi), carried: Number(carried), kept: kept === undefined ? undefined : Number(kept) };
}

/**
 * Returns inside the fence, or where there is none and none is needed. Where the threads of this process cannot be brought in it does
 * not return at all, and the second start asks `proveFence`.
 * @throws Failure `unsupported` when the fence is required and cannot be had
 */
export function enterFence(options: FenceOptions): FenceState {
  if (options.mode === "off") return { kind: "none", abi: 0, filtered: false, reason: "switched off" };
  const offered = offeredFence();
  if ("reason" in offered) return withoutFence(options, offered.reason);
  const abi = Math.min(offered.abi, NEWEST_ABI);
  const { calls } = offered;
  let entered: Entered;
  try {
    entered = restrictThisThread(options, calls, abi);
  } catch (thrown) {
    return withoutFence(options, message(thrown));
  }
  const { ruleset, directory, carried, kept } = entered;
  const known = [directory, carried, ...(kept === undefined ? [] : [kept])];
  const held = { ruleset, known, hasLauncher: kept !== undefined };
  if (!options.mustStartAgain && bringThreadsIn(calls, abi, held) && holds(calls)) {
    for (const fd of [ruleset, carried]) closeSync(fd);
    refuseCalls(calls);
    return { kind: "kernel", abi, filtered: true, ...(kept === undefined ? {} : { kept }) };
  }
  const mark = `behind-fence:${abi}:${carried}${kept === undefined ? "" : `:${kept}`}${SINCE}${startTime()}`;
  const environment = { ...options.environment, [options.markName]: mark };
  return startAgain(calls, process.execPath, [process.argv0, ...options.arguments], environment);
}

/** The descriptors with which the main thread is inside. */
interface Entered {
  readonly ruleset: number;
  /** /proc/self, as it stays readable. */
  readonly directory: number;
  readonly carried: number;
  readonly kept: number | undefined;
}

/** @throws Error of what the kernel refuses; nothing of it stays open then */
function restrictThisThread(options: FenceOptions, calls: SystemCalls, abi: number): Entered {
  const open: number[] = [];
  const keep = (fd: number): number => (open.push(fd), fd);
  try {
    const directory = keep(openOwnDirectory());
    const maps = readFileSync("/proc/self/maps", "utf8");
    const rules = fenceRules({ ...options, executable: process.execPath, maps });
    const ruleset = keep(createRuleset(calls, abi, rules));
    const kept = beforeEntry(options);
    if (kept !== undefined) keep(kept);
    const carried = keep(memoryOf(calls, options.carries));
    closeOnExec(calls, kept, carried);
    checked("prctl", calls.call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    restrictSelf(calls, ruleset);
    return { ruleset, directory, carried, kept };
  } catch (thrown) {
    for (const fd of open) closeSync(fd);
    throw thrown;
  }
}

/** Never closed: the rule for this directory holds as long as the kernel remembers it. */
function openOwnDirectory(): number {
  return openSync("/proc/self", constants.O_RDONLY | constants.O_DIRECTORY);
}

/** Without what it starts the fence is still worth having. */
function beforeEntry(options: FenceOptions): number | undefined {
  try {
    return options.beforeEntry?.();
  } catch (thrown) {
    logLine(`nothing can be opened on the desktop: ${message(thrown)}`);
    return undefined;
  }
}

/** What this machine would give, for `doctor`. */
export function offeredFence(): ReturnType<typeof probeFence> {
  if (process.platform === "linux" && !IS_COMPILED) return { reason: "only the compiled executable can be fenced" };
  return probeFence();
}

function withoutFence({ mode }: FenceOptions, reason: string): FenceState {
  if (mode === "require")
    throw new Failure("unsupported", `Cannot start: the kernel fence is required, and ${reason}`, {
      hint: "Start with --fence=auto to go on with handles only, or on Linux 6.2 or newer with Landlock.",
    });
  if (process.platform === "linux")
    logLine(`no kernel fence: ${reason}. Paths are held by handles only; --fence=off says that this is meant.`);
  return { kind: "none", abi: 0, filtered: false, reason };
}

/** Whatever descriptors the client left open must not be found by what runs behind the fence. */
function closeOnExec({ call }: SystemCalls, ...kept: readonly (number | undefined)[]): void {
  checked("close_range", call("close_range", 3, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC));
  for (const fd of kept) if (fd !== undefined) checked("fcntl", call("fcntl", fd, F_SETFD, 0));
}

/** A variable could be read by whoever may look at this process, and has room for 128 KiB. */
function memoryOf({ call }: SystemCalls, text: string): number {
  const fd = checked("memfd_create", call("memfd_create", foreignBytes(Buffer.from("start\0")), 0));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
  return fd;
}

/** Which start of the program said so: another one's sandbox would pass for the fence. */
const SINCE = " since ";

/**
 * The fence of a second start. The variable can be set by anybody; what it says is believed only when the kernel confirms it.
 * @throws Failure `denied` when it does not
 */
export function proveFence(mark: string): FenceState & { readonly carried: string } {
  const [words = "", since] = mark.split(SINCE);
  const said = parseMark(words);
  const calls = openSystemCalls();
  if (!said || !calls || !holds(calls) || since !== startTime())
    throw new Failure("denied", "Cannot start: a variable says that it is behind the kernel fence, and it is not", {
      hint: "RINGFENCE_START is the program's own. Leave it out, and use --fence=auto, require or off.",
    });
  refuseCalls(calls);
  openOwnDirectory();
  const abi = Math.min(said.abi, probeLandlock(calls));
  const carried = readFileSync(said.carried, "utf8");
  closeSync(said.carried);
  return { kind: "kernel", abi, filtered: true, carried, ...(said.kept === undefined ? {} : { kept: said.kept }) };
}

/** No rule of ours ever allows to bind a TCP port or, where the version does not govern that, to list `/`. */
function holds(calls: SystemCalls): boolean {
  if (calls.call("prctl", PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) !== 1) return false;
  return probeLandlock(calls) >= FIRST_WITH_TCP ? isBindRefused(calls) : !canList("/");
}

const MAX_TRIES = 3;

/** Only Landlock answers EACCES here: anybody may bind to port 0. */
function isBindRefused({ call }: SystemCalls): boolean {
  const socket = call("socket", AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // Something else refuses sockets altogether, which proves nothing.
  if (typeof socket !== "number") return !canList("/");
  const anyPort = foreignBytes(Buffer.from([AF_INET, ...Array<number>(15).fill(0)]));
  try {
    // An error is read after its call, and the runtime may have met another one meanwhile: asked again, it says which holds.
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const result = call("bind", socket, anyPort, 16);
      if (typeof result === "number" || result === "EACCES") return result === "EACCES";
    }
    return false;
  } finally {
    closeSync(socket);
  }
}

function canList(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
    return true;
  } catch {
    return false;
  }
}

function message(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Starts the program again in this process, and does not return.
 * @throws Failure `unsupported` when the kernel refuses
 */
export function startAgain(
  { call }: SystemCalls,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): never {
  const { exec } = memoryForExec(program, args, environment);
  const error = call("execve", ...exec);
  throw new Failure("unsupported", `Cannot start behind the kernel fence: execve ${error}`, {
    hint: "Start with --fence=off to go on with handles only.",
  });
}

/** Field 22; the name before it may hold blanks and brackets. */
const AFTER_NAME = 22 - 3;

/**
 * When this process was started, as the kernel counts it: execve(2) leaves it as it is, and nobody who sets a variable for a
 * start to come can know it. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function startTime(): string {
  const stat = readFileSync("/proc/self/stat", "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[AFTER_NAME] ?? "";
}
