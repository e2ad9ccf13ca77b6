/**
 * The table of all system calls (`call-table.txt`), and what its words mean: a few instructions of classic BPF over struct
 * seccomp_data, each ending in an answer. The number of the call is loaded before and not needed any more. Of what is behind
 * a pointer a filter sees nothing. A call that is not in the table is closed.
 *
 * Usual mistake: to compare 32 bits of an argument of which the kernel takes 64, which are addresses and sizes only.
 */
import table from "./call-table.txt" with { type: "text" };
import type { Architecture } from "../sys/index.ts";

export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** none: no socket but connected pairs. internet: no unix sockets, which lead to other programs here. */
export type NetworkReach = "none" | "internet" | "all";
/**
 * listen: takes TCP connections, and can neither make one nor send to an address. listed: TCP alone, and every connection is
 * made by the keeper (`supervise`), which has the list.
 */
export type FilterReach = NetworkReach | "listen" | ListedReach;
type ListedReach = "listed" | "listed and unix";

export const LOAD = 0x20;
export const JUMP_EQUAL = 0x15;
export const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
/** The caller waits until a supervisor has answered for the kernel: SECCOMP_RET_USER_NOTIF. */
const NOTIFY = 0x7fc00000;
const ARGUMENTS_AT = 16;
const BYTES_OF_ARGUMENT = 8;

/** The numbers of Linux on both processors, and not those of the machine that builds: a filter is made there. */
const [EPERM, ENOSYS, EOPNOTSUPP, ENOPROTOOPT] = [1, 38, 95, 92];
const YES: Instruction = [RETURN, 0, 0, ALLOW];
export const REFUSED: Instruction = [RETURN, 0, 0, ERRNO | EPERM];
export const ABSENT: Instruction = [RETURN, 0, 0, ERRNO | ENOSYS];
const UNSUPPORTED: Instruction = [RETURN, 0, 0, ERRNO | EOPNOTSUPP];
const SUPERVISED: Instruction = [RETURN, 0, 0, NOTIFY];
/** As of a kernel that does not know the option, so that programs go on without it. */
const NO_OPTION: Instruction = [RETURN, 0, 0, ERRNO | ENOPROTOOPT];

const SET_ID_BITS = 0o6000;
/** O_CREAT, and of O_TMPFILE what O_DIRECTORY has not. */
const O_CREATES = 0o20000100;
const CLONE_THREAD = 0x10000;
/** NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const CLONE_NAMESPACES = 0x7e020000;
/** Keys pushed into a terminal are typed by its shell, which is not behind the fence: TIOCSTI, TIOCLINUX. */
const TYPING: readonly number[] = [0x5412, 0x541c];
/** FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR: also of a file that was opened for reading only. */
const FILE_ATTRIBUTES: readonly number[] = [0x40086602, 0x40046602, 0x401c5820];
const [AF_UNIX, AF_INET, AF_INET6] = [1, 2, 10];
const FAMILIES: Readonly<Record<Exclude<FilterReach, ListedReach>, readonly number[]>> = {
  none: [],
  listen: [AF_INET],
  internet: [AF_INET, AF_INET6],
  all: [AF_UNIX, AF_INET, AF_INET6],
};
/**
 * SOCK_STREAM is 1 and SOCK_SEQPACKET, a stream of whole messages, is 5: a pair of either stays connected, so it can be sent
 * nowhere else. Rust's standard library starts programs with the second. Any other type has one of the bits of `NO_STREAM`,
 * or lacks the bit of `STREAM`; the flags are above.
 */
const NO_STREAM = 0xa;
const STREAM = 0x1;
/** Every type but SOCK_STREAM has one of these bits. */
const NO_PLAIN_STREAM = 0xe;
const [WHICH_PROCESS, WHICH_PROCESS_OF_IO] = [0, 1];
const IPPROTO_TCP = 6;
/** A connection, or bytes on their way, by a call that is no connect. */
const MSG_FASTOPEN = 0x20000000;
/**
 * The options that a socket may be given whose connections are supervised, by level. Others lead it somewhere else than to
 * its address (source routes, devices), or let it connect later and by itself (TCP_FASTOPEN_CONNECT, TCP_ULP).
 */
const SOCKET_OPTIONS: readonly (readonly [level: number, allowed: readonly number[]])[] = [
  // IP: TOS, TTL, MTU_DISCOVER, RECVERR, BIND_ADDRESS_NO_PORT.
  [0, [1, 2, 10, 11, 24]],
  // IPv6: UNICAST_HOPS, MTU_DISCOVER, RECVERR, V6ONLY, TCLASS.
  [41, [16, 23, 25, 26, 67]],
];
/** SO_BINDTODEVICE, SO_BINDTOIFINDEX, SO_MARK. */
const SOL_SOCKET = 1;
const LEADING_ELSEWHERE: readonly number[] = [25, 62, 36];
/** TCP_REPAIR, TCP_FASTOPEN, TCP_FASTOPEN_CONNECT, TCP_ULP. */
const CONNECTING_OTHERWISE: readonly number[] = [19, 23, 30, 31];

const ANSWERS: Readonly<Record<string, readonly Instruction[]>> = {
  allow: [YES],
  refuse: [REFUSED],
  absent: [ABSENT],
  unsupported: [UNSUPPORTED],
  threads: [...load(0), [JUMP_ANY_BIT, 0, 1, CLONE_THREAD], YES, REFUSED],
  processes: [...load(0), [JUMP_ANY_BIT, 0, 1, CLONE_NAMESPACES], REFUSED, YES],
  terminal: oneOf(1, TYPING, REFUSED, YES),
  ioctls: [...oneOf(1, TYPING, REFUSED), ...oneOf(1, FILE_ATTRIBUTES, UNSUPPORTED, YES)],
};

/** @throws Error for a word that means nothing */
export function ruleOf(word: string, name: string, network: FilterReach): readonly Instruction[] {
  const answer = (network === "listen" ? listeningRule(word, name) : undefined) ?? ANSWERS[word];
  if (answer) return answer;
  const isOpen = network !== "none" && !isListed(network);
  const [rule = "", number = "0"] = word.split(":");
  switch (rule) {
    case "self":
      return oneOf(Number(number), [0], YES, REFUSED);
    case "mode":
      return withoutSetId(Number(number));
    case "opens":
      return name === "open" ? opensWithoutSetId(1) : opensWithoutSetId(2);
    case "network":
      return [isOpen ? YES : REFUSED];
    case "shared":
      return [network === "all" ? YES : REFUSED];
    case "families":
      return isListed(network) ? streams(network === "listed and unix") : oneOf(0, FAMILIES[network], YES, REFUSED);
    case "connects":
      return [isListed(network) ? SUPERVISED : isOpen ? YES : REFUSED];
    case "sends":
      return isListed(network) ? withoutFastOpen(Number(number), [YES]) : [YES];
    case "options":
      return isListed(network) ? optionsOfListed() : [YES];
    case "pairs":
      return network === "all"
        ? [YES]
        : [...load(1), [JUMP_ANY_BIT, 0, 1, NO_STREAM], REFUSED, [JUMP_ANY_BIT, 0, 1, STREAM], YES, REFUSED];
    case "addressed":
      return isListed(network) ? withoutFastOpen(3, isNull(4)) : isOpen ? [YES] : isNull(4);
    case "priority": {
      const which = name === "ioprio_set" ? WHICH_PROCESS_OF_IO : WHICH_PROCESS;
      return [...load(0), [JUMP_EQUAL, 1, 0, which], REFUSED, ...oneOf(1, [0], YES, REFUSED)];
    }
    default:
      throw new Error(`"${word}" is no rule of the call table`);
  }
}

function isListed(network: FilterReach): network is ListedReach {
  return network === "listed" || network === "listed and unix";
}

/** Where a process that listens may do less than one that reaches a network. */
function listeningRule(word: string, name: string): readonly Instruction[] | undefined {
  switch (name) {
    case "connect":
      return [REFUSED];
    case "socket":
      // A datagram goes to whatever address it names.
      return word === "families"
        ? [...load(1), [JUMP_ANY_BIT, 0, 1, NO_STREAM], REFUSED, ...oneOf(0, FAMILIES.listen, YES, REFUSED)]
        : undefined;
    case "sendto":
      return withoutFastOpen(3, isNull(4));
    case "sendmsg":
    case "sendmmsg":
      return withoutFastOpen(name === "sendmsg" ? 2 : 3, [YES]);
    default:
      return undefined;
  }
}

function load(argument: number, half: 0 | 4 = 0): readonly Instruction[] {
  return [[LOAD, 0, 0, ARGUMENTS_AT + argument * BYTES_OF_ARGUMENT + half]];
}

/** What comes after goes on when it is none of them, unless there is something else to answer then. */
function oneOf(
  argument: number,
  values: readonly number[],
  answer: Instruction,
  otherwise?: Instruction,
): readonly Instruction[] {
  const checks = values.map((value, at): Instruction => [
    JUMP_EQUAL,
    values.length - 1 - at,
    at === values.length - 1 ? 1 : 0,
    value,
  ]);
  return [...(values.length > 0 ? [...load(argument), ...checks, answer] : []), ...(otherwise ? [otherwise] : [])];
}

/** TCP as everybody speaks it: protocol 0 stands for 6, and any other one is another way out. */
function streams(hasUnix: boolean): readonly Instruction[] {
  const typed: readonly Instruction[] = [...load(1), [JUMP_ANY_BIT, 0, 1, NO_STREAM], REFUSED];
  const unix: readonly Instruction[] = [...typed, [JUMP_ANY_BIT, 0, 1, STREAM], YES, REFUSED];
  const inet: readonly Instruction[] = [
    ...load(1),
    [JUMP_ANY_BIT, 0, 1, NO_PLAIN_STREAM],
    REFUSED,
    [JUMP_ANY_BIT, 1, 0, STREAM],
    REFUSED,
    ...oneOf(2, [0, IPPROTO_TCP], YES, REFUSED),
  ];
  return [
    ...load(0),
    ...(hasUnix ? ([[JUMP_EQUAL, 0, unix.length, AF_UNIX], ...unix] as const) : []),
    [JUMP_EQUAL, 2, 0, AF_INET],
    [JUMP_EQUAL, 1, 0, AF_INET6],
    REFUSED,
    ...inet,
  ];
}

function withoutFastOpen(flags: number, otherwise: readonly Instruction[]): readonly Instruction[] {
  return [...load(flags), [JUMP_ANY_BIT, 0, 1, MSG_FASTOPEN], REFUSED, ...otherwise];
}

function optionsOfListed(): readonly Instruction[] {
  const levels: readonly (readonly [level: number, rule: readonly Instruction[]])[] = [
    [SOL_SOCKET, oneOf(2, LEADING_ELSEWHERE, NO_OPTION, YES)],
    [IPPROTO_TCP, oneOf(2, CONNECTING_OTHERWISE, NO_OPTION, YES)],
    ...SOCKET_OPTIONS.map(([level, allowed]) => [level, oneOf(2, allowed, YES, NO_OPTION)] as const),
  ];
  return [
    ...load(1),
    ...levels.flatMap(([level, rule]): Instruction[] => [[JUMP_EQUAL, 0, rule.length, level], ...rule]),
    NO_OPTION,
  ];
}

/** An address, both halves of it. */
function isNull(argument: number): readonly Instruction[] {
  return [...load(argument), [JUMP_EQUAL, 1, 0, 0], REFUSED, ...load(argument, 4), [JUMP_EQUAL, 1, 0, 0], REFUSED, YES];
}

/** No file that runs with the rights of its owner is left behind; of root's, anybody here could use it. */
function withoutSetId(argument: number): readonly Instruction[] {
  return [...load(argument), [JUMP_ANY_BIT, 0, 1, SET_ID_BITS], REFUSED, YES];
}

/** Where nothing is created the mode is whatever was there. */
function opensWithoutSetId(flags: number): readonly Instruction[] {
  return [...load(flags), [JUMP_ANY_BIT, 1, 0, O_CREATES], YES, ...withoutSetId(flags + 1)];
}

export interface CallRow {
  readonly name: string;
  /** Absent where the processor has no such call. */
  readonly numbers: Readonly<Record<Architecture, number | undefined>>;
  /** A word that `ruleOf` knows. */
  readonly host: string;
  readonly command: string;
  readonly why: string;
}

export function readCallTable(text: string = table): CallRow[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [x64 = "", arm64 = "", name = "", host = "", command = "", ...why] = line.split(" ");
      return {
        name,
        numbers: { x64: numberOf(x64), arm64: numberOf(arm64) },
        host,
        command,
        why: why.join(" "),
      };
    });
}

function numberOf(text: string): number | undefined {
  return text === "-" ? undefined : Number(text);
}
