/**
 * Seccomp: which system calls this process may make at all. The host needs no network, starts no program once it serves
 * (a launcher does that, if anything) and never touches other processes, so the calls for it are refused with EPERM. A
 * program that the launcher starts may start others; sockets it has as far as its network reaches.
 *
 * A filter sees numbers, not paths: files are Landlock's and the scope's. The program is classic BPF over
 * struct seccomp_data. https://man7.org/linux/man-pages/man2/seccomp.2.html
 */
import { constants } from "node:os";
import { ptr } from "bun:ffi";
import { Failure } from "../base/index.ts";
import type { Architecture, SystemCalls } from "./system-calls.ts";

type Numbers = Readonly<Record<string, readonly [number, number | undefined]>>;

/** name: x86-64, arm64; `undefined` where the processor has no such call. */
const REFUSED_TO_HOST: Numbers = {
  // the network; sockets that were inherited can still be read and written
  socket: [41, 198],
  connect: [42, 203],
  accept: [43, 202],
  accept4: [288, 242],
  bind: [49, 200],
  listen: [50, 201],
  socketpair: [53, 199],
  // other programs
  execve: [59, 221],
  execveat: [322, 281],
  fork: [57, undefined],
  vfork: [58, undefined],
  // other processes
  pidfd_open: [434, 434],
  pidfd_send_signal: [424, 424],
  setpriority: [141, 140],
  shmctl: [31, 195],
};

/** Memory and queues that other programs here share, and that stay behind: nothing of theirs is a path. */
const SHARED: Numbers = {
  shmget: [29, 194],
  shmat: [30, 196],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
};

/** To the host, and to every program that is started for it. */
const REFUSED_TO_ALL: Numbers = {
  // other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  // ways around a filter or around paths
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_by_handle_at: [304, 265],
  // the kernel and the mount table
  bpf: [321, 280],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  mount_setattr: [442, 442],
  fsmount: [432, 432],
  fspick: [433, 433],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  reboot: [169, 142],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  unshare: [272, 97],
  setns: [308, 268],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
};

/** What gives a file its mode: numbers, and which argument the mode is. The mode of openat2 is behind a pointer. */
const SETS_MODE: Readonly<
  Record<string, readonly [x64: number | undefined, arm64: number | undefined, argument: number]>
> = {
  chmod: [90, undefined, 1],
  fchmod: [91, 52, 1],
  fchmodat: [268, 53, 2],
  fchmodat2: [452, 452, 2],
  open: [2, undefined, 2],
  creat: [85, undefined, 1],
  openat: [257, 56, 3],
  mknod: [133, undefined, 1],
  mknodat: [259, 33, 2],
};
const OPENAT2 = 437;
const SET_ID_BITS = 0o6000;
const O_CREATES = 0o20000100;
const CLONE: Readonly<Record<Architecture, number>> = { x64: 56, arm64: 220 };
const IOCTL: Readonly<Record<Architecture, number>> = { x64: 16, arm64: 29 };
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const PRLIMIT: Readonly<Record<Architecture, number>> = { x64: 302, arm64: 261 };
const CLONE3 = 435;
const CLONE_THREAD = 0x10000;
/** NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET: in one of its own a process has powers that it had not. */
const CLONE_NAMESPACES = 0x7e020000;
const SOCKET: Readonly<Record<Architecture, number>> = { x64: 41, arm64: 198 };
const AF_UNIX = 1;
const { EPERM, ENOSYS } = constants.errno;
const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** x86-64 has a second table of calls behind this bit. */
const X32_BIT = 0x40000000;

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const [AT_NUMBER, AT_ARCHITECTURE, AT_FIRST_ARGUMENT, AT_SECOND_ARGUMENT] = [0, 4, 16, 24];

const SET_MODE_FILTER = 1;
/** For all threads that the runtime has started so far. */
const FILTER_FLAG_TSYNC = 1;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** none: no socket but connected pairs. internet: every kind but unix sockets, which lead to other programs here. */
export type NetworkReach = "none" | "internet" | "all";

/** Of a program that is started for the host, as the kernel takes it. */
export function childFilter(architecture: Architecture, network: NetworkReach): Uint8Array {
  return encode(childFilterProgram(architecture, network));
}

/** @throws Failure `unsupported` */
export function refuseCalls(calls: SystemCalls, program?: readonly Instruction[]): void {
  install(calls, encode(program ?? filterProgram(calls.architecture)));
}

function install(calls: SystemCalls, program: Uint8Array<ArrayBuffer>): void {
  // struct sock_fprog: the number of instructions, padded to 64 bits, and where they are.
  const handle = BigUint64Array.of(BigInt(program.length / 8), BigInt(ptr(program)));
  const result = calls.call("seccomp", SET_MODE_FILTER, FILTER_FLAG_TSYNC, handle);
  // A positive number names a thread that could not be brought in.
  if (result === 0) return;
  throw new Failure("unsupported", `Cannot start behind the kernel fence: seccomp ${result}`, {
    hint: "Start with --fence=off to go on with handles only.",
  });
}

/** Of the host. Pure, for both processors. Every jump is over a `return`, so that a line can be added anywhere. */
export function filterProgram(architecture: Architecture): readonly Instruction[] {
  return [
    ...beginning(architecture, { ...REFUSED_TO_HOST, ...SHARED, ...REFUSED_TO_ALL }),
    [JUMP_EQUAL, 0, 3, CLONE[architecture]],
    [LOAD, 0, 0, AT_FIRST_ARGUMENT],
    [JUMP_ANY_BIT, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, ERRNO | EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
}

/** Of a program that is started for the host: other programs, but no namespaces of its own, and no more network. */
export function childFilterProgram(
  architecture: Architecture,
  network: NetworkReach,
): readonly Instruction[] {
  const sockets: readonly Instruction[] =
    network === "all"
      ? []
      : network === "none"
        ? whenEqual(SOCKET[architecture], ERRNO | EPERM)
        : [
            [JUMP_EQUAL, 0, 4, SOCKET[architecture]],
            [LOAD, 0, 0, AT_FIRST_ARGUMENT],
            [JUMP_EQUAL, 0, 1, AF_UNIX],
            [RETURN, 0, 0, ERRNO | EPERM],
            [RETURN, 0, 0, ALLOW],
          ];
  return [
    ...beginning(architecture, { ...REFUSED_TO_ALL, ...(network === "all" ? {} : SHARED) }),
    ...withoutSetId(architecture),
    ...sockets,
    [JUMP_EQUAL, 0, 3, CLONE[architecture]],
    [LOAD, 0, 0, AT_FIRST_ARGUMENT],
    [JUMP_ANY_BIT, 0, 1, CLONE_NAMESPACES],
    [RETURN, 0, 0, ERRNO | EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
}

/** No file that runs with the rights of its owner is left behind; of root's, anybody here could use it. */
function withoutSetId(architecture: Architecture): readonly Instruction[] {
  const column = architecture === "x64" ? 0 : 1;
  const checks = Object.entries(SETS_MODE).flatMap(([name, call]): Instruction[] => {
    const number = call[column];
    if (number === undefined) return [];
    const mode = AT_FIRST_ARGUMENT + 8 * call[2];
    // Without O_CREAT or O_TMPFILE the argument is whatever was there.
    const opens: Instruction[] = name.startsWith("open")
      ? [
          [LOAD, 0, 0, mode - 8],
          [JUMP_ANY_BIT, 1, 0, O_CREATES],
          [RETURN, 0, 0, ALLOW],
        ]
      : [];
    return [
      [JUMP_EQUAL, 0, opens.length + 4, number],
      ...opens,
      [LOAD, 0, 0, mode],
      [JUMP_ANY_BIT, 0, 1, SET_ID_BITS],
      [RETURN, 0, 0, ERRNO | EPERM],
      [RETURN, 0, 0, ALLOW],
    ];
  });
  return [...checks, ...whenEqual(OPENAT2, ERRNO | ENOSYS)];
}

/** Ends with the number of the call loaded, for what follows. */
function beginning(architecture: Architecture, calls: Numbers): readonly Instruction[] {
  const column = architecture === "x64" ? 0 : 1;
  const refused = Object.values(calls).flatMap((numbers): Instruction[] => {
    const number = numbers[column];
    return number === undefined ? [] : whenEqual(number, ERRNO | EPERM);
  });
  return [
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCHITECTURE[architecture]],
    [RETURN, 0, 0, ERRNO | EPERM],
    [LOAD, 0, 0, AT_NUMBER],
    ...(architecture === "x64"
      ? ([
          [JUMP_AT_LEAST, 0, 1, X32_BIT],
          [RETURN, 0, 0, ERRNO | EPERM],
        ] as const)
      : []),
    ...refused,
    // Keys pushed into a terminal are typed by its shell, which is not behind the fence.
    [JUMP_EQUAL, 0, 5, IOCTL[architecture]],
    [LOAD, 0, 0, AT_SECOND_ARGUMENT],
    [JUMP_EQUAL, 1, 0, TIOCSTI],
    [JUMP_EQUAL, 0, 1, TIOCLINUX],
    [RETURN, 0, 0, ERRNO | EPERM],
    [RETURN, 0, 0, ALLOW],
    // The limits of another process.
    [JUMP_EQUAL, 0, 4, PRLIMIT[architecture]],
    [LOAD, 0, 0, AT_FIRST_ARGUMENT],
    [JUMP_EQUAL, 0, 1, 0],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, ERRNO | EPERM],
    // Its flags are behind a pointer, which a filter cannot read; libc goes on with clone then.
    ...whenEqual(CLONE3, ERRNO | ENOSYS),
  ];
}

function whenEqual(number: number, answer: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 1, number],
    [RETURN, 0, 0, answer],
  ];
}

/** struct sock_filter, 8 bytes each. */
function encode(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(([code, ifTrue, ifFalse, value], at) => {
    view.setUint16(at * 8, code, true);
    view.setUint8(at * 8 + 2, ifTrue);
    view.setUint8(at * 8 + 3, ifFalse);
    view.setUint32(at * 8 + 4, value, true);
  });
  return bytes;
}
