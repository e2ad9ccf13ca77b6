/**
 * The supervisor of one program: every connect(2) of the program, and of whatever it starts, comes here before the kernel
 * does anything. The address is copied, a copy of the socket is taken, and the connection is made from here, so there is no
 * moment at which the program could exchange either. A thread of the keeper does nothing else.
 *
 * Invariant: nothing is ever left to the kernel to continue, and this thread waits for no connection: one that takes its time,
 * or whose broker is being started, is looked at again, and others are made meanwhile. A connection to the broker is registered
 * before the program can use it.
 *
 * Usual mistake: to answer a program that does not wait as one that does. It is told that the connection is being made. Only
 * while its broker is being started does it wait as well, because there is no connection yet of which that would be true.
 */
import { closeSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { monotonicMs } from "../../base/index.ts";
import { parseReach, type BrokerWord, type ReachList } from "../../reach/index.ts";
import {
  openCallListener,
  openPollMany,
  openSockets,
  POLL,
  type CallListener,
  type NotifiedCall,
  type PollMany,
  type Sockets,
} from "../../sys/index.ts";
import { placeOf } from "./place-of.ts";

/** What the keeper was told about the connections of its program. */
export interface SupervisePlan {
  /** The entries of its list. */
  readonly reach: readonly string[];
  readonly unix: boolean;
  /** The port of 127.0.0.1 that its variables name as its proxy. */
  readonly proxyPort: number;
  /** The broker serves the program even where its list has addresses alone. */
  readonly hasProxy?: boolean | undefined;
  /** For the record. */
  readonly program: string;
  /** The number of its list at the broker; 0 where it needs none. */
  readonly list: number;
  /** For tests of this wall alone: Landlock leaves TCP to the program. */
  readonly withoutLandlock?: boolean | undefined;
}

export interface SuperviseInput {
  readonly plan: SupervisePlan;
  /** What seccomp(2) returned. */
  readonly listener: number;
  /** The end of this pipe ends the supervisor. */
  readonly stop: number;
  /** Where connections are registered with the broker. Absent: there is none. */
  readonly register: number | undefined;
  /** One cell: the broker's port, 0 while it is not known, less when there is none. */
  readonly brokerPort: SharedArrayBuffer;
}

interface Supervisor extends SuperviseInput {
  readonly list: ReachList;
  readonly port: Int32Array<SharedArrayBuffer>;
  readonly calls: CallListener;
  readonly sockets: Sockets;
  readonly wait: PollMany;
  /** Connections of programs that wait, by the copy of the socket. */
  readonly waiting: Map<number, Waiting>;
  /** Connections to a broker that is being started, by the copy of the socket. */
  readonly early: Map<number, Asked>;
  /** Connections of programs that wait to a listener that has no room for more, by the copy of the socket. */
  readonly full: Map<number, Asked>;
}

/** A connection as its program has asked for it. */
interface Asked {
  readonly call: NotifiedCall;
  readonly memory: Buffer;
  /** When nobody waits for the broker or for room any more. */
  readonly untilMs: number;
}

interface Waiting {
  readonly call: NotifiedCall;
  readonly address: Buffer;
  readonly isBroker: boolean;
}

/** A broker starts within tens of milliseconds; a busy machine takes longer. */
const MAX_BROKER_START_MS = 10_000;
/** How often its cell, or a listener without room, is looked at while connections wait: neither says when that changes. */
const LOOK_MS = 5;
/** Each holds a descriptor of the keeper; a program has no more threads. */
const MAX_WAITING = 1024;
const { EACCES, EAGAIN, ECONNREFUSED, EFAULT, EINPROGRESS, EINVAL } = constants.errno;
const MAX_ADDRESS_BYTES = 128;
const MIN_ADDRESS_BYTES = 2;

/** Returns when nobody is left who could connect, or when it is told to stop. */
export function supervise(input: SuperviseInput): void {
  const calls = openCallListener(input.listener);
  const sockets = openSockets();
  const wait = openPollMany();
  if (!calls || !sockets || !wait) throw new Error("libc cannot be called on this machine");
  const list = parseReach(input.plan.reach);
  const port = new Int32Array(input.brokerPort);
  const kept = { waiting: new Map(), early: new Map(), full: new Map() };
  const supervisor: Supervisor = { ...input, list, port, calls, sockets, wait, ...kept };
  for (;;) {
    const asked = [...supervisor.waiting.keys()].map((fd) => [fd, POLL.out] as const);
    const happened = wait(
      [[input.listener, POLL.in], [input.stop, POLL.in], ...asked],
      supervisor.early.size + supervisor.full.size > 0 ? LOOK_MS : -1,
    );
    if (happened.has(input.stop)) return;
    for (const [fd] of asked) if (happened.has(fd)) finish(supervisor, fd);
    goOn(supervisor);
    const told = happened.get(input.listener) ?? 0;
    if ((told & POLL.in) !== 0) receive(supervisor);
    else if (told !== 0) return;
  }
}

function receive(supervisor: Supervisor): void {
  const call = supervisor.calls.receive();
  if (!call) return;
  const answer = begin(supervisor, call);
  if (answer !== undefined) supervisor.calls.answer(call, answer);
}

/** @returns the number of the error that the program gets, 0 for none; `undefined` when it is answered later */
function begin(supervisor: Supervisor, call: NotifiedCall): number | undefined {
  const [socket = 0n, address = 0n, size = 0n] = call.args;
  const length = Number(BigInt.asIntN(32, size));
  if (length < MIN_ADDRESS_BYTES || length > MAX_ADDRESS_BYTES) return EINVAL;
  const fetched = supervisor.calls.take(call, { address, length, fd: Number(BigInt.asIntN(32, socket)) });
  if (typeof fetched === "string") return numberOf(fetched);
  const { fd, memory } = fetched;
  return decide(supervisor, fd, { call, memory, untilMs: monotonicMs() + MAX_BROKER_START_MS });
}

/** @returns as `begin` does, and closes the copy of the socket unless it is needed later */
function decide(supervisor: Supervisor, fd: number, asked: Asked): number | undefined {
  const { sockets, plan, list } = supervisor;
  const { call, memory } = asked;
  let isKept = false;
  try {
    const rules = { ...plan, reach: list, brokerPort: Atomics.load(supervisor.port, 0) };
    const place = placeOf(sockets.kindOf(fd), memory, call.thread, rules);
    if (place.kind === "refused") return place.errno;
    if (place.kind === "early") {
      // The broker is started together with the first program that needs it, and this one may be faster.
      isKept = supervisor.register !== undefined && mayWait(supervisor.early, asked);
      if (!isKept) return ECONNREFUSED;
      supervisor.early.set(fd, asked);
      return undefined;
    }
    const answer = connect(supervisor, fd, { call, address: place.address, isBroker: place.kind === "broker" });
    if (answer === "full" && mayWait(supervisor.full, asked)) supervisor.full.set(fd, asked);
    else if (answer !== undefined) return answer === "full" ? EAGAIN : answer;
    isKept = true;
    return undefined;
  } finally {
    if (!isKept) closeSync(fd);
  }
}

function mayWait(others: ReadonlyMap<number, Asked>, { untilMs }: Asked): boolean {
  return others.size < MAX_WAITING && monotonicMs() < untilMs;
}

/** What has waited for the broker is looked at again, once that is there or has taken too long; what waits for room, each time. */
function goOn(supervisor: Supervisor): void {
  const { early, full, calls, port } = supervisor;
  const isStarting = Atomics.load(port, 0) === 0;
  const due = [...early].filter(([, { untilMs }]) => !isStarting || monotonicMs() >= untilMs);
  for (const [fd, asked] of [...due, ...full]) {
    early.delete(fd);
    full.delete(fd);
    // A connection is made for nobody but the call that has asked for it.
    if (!calls.isWaiting(asked.call)) {
      closeSync(fd);
      continue;
    }
    const answer = decide(supervisor, fd, asked);
    if (answer !== undefined) calls.answer(asked.call, answer);
  }
}

/** @returns as `begin` does, or "full" where the kernel would let a program that waits do so until the listener has room */
function connect(supervisor: Supervisor, fd: number, waiting: Waiting): number | "full" | undefined {
  const { sockets, wait } = supervisor;
  const neverWaits = sockets.neverWaits(fd);
  if (!neverWaits) sockets.setNeverWaits(fd, true);
  let isLater = false;
  try {
    const begun = sockets.connect(fd, waiting.address);
    // A unix socket that does not wait is told so, and it does not wait only because of us.
    if (begun === "EAGAIN" && !neverWaits) return "full";
    // It is one that was begun before, or it failed at once.
    if (begun !== "EINPROGRESS") return numberOf(begun);
    if (wait([[fd, POLL.out]], 0).size > 0) return concluded(supervisor, fd, waiting);
    if (neverWaits) return tellBroker(supervisor, fd, waiting) ?? EINPROGRESS;
    if (supervisor.waiting.size >= MAX_WAITING) return EAGAIN;
    supervisor.waiting.set(fd, waiting);
    isLater = true;
    return undefined;
  } finally {
    if (!neverWaits && !isLater) sockets.setNeverWaits(fd, false);
  }
}

/** The kernel has finished it, one way or the other. */
function finish(supervisor: Supervisor, fd: number): void {
  const waiting = supervisor.waiting.get(fd);
  if (!waiting) return;
  supervisor.waiting.delete(fd);
  const answer = concluded(supervisor, fd, waiting);
  supervisor.sockets.setNeverWaits(fd, false);
  closeSync(fd);
  supervisor.calls.answer(waiting.call, answer);
}

/** To connect a second time tells what came of the first, and sets the socket's state as for one that waited. */
function concluded(supervisor: Supervisor, fd: number, waiting: Waiting): number {
  const errno = numberOf(supervisor.sockets.connect(fd, waiting.address));
  return errno === 0 ? (tellBroker(supervisor, fd, waiting) ?? 0) : errno;
}

/** @returns the number of an error, when the broker cannot be told */
function tellBroker(
  { plan, register: pipe, sockets }: Supervisor,
  fd: number,
  { isBroker }: Waiting,
): number | undefined {
  if (!isBroker) return undefined;
  const { program, list } = plan;
  const word: BrokerWord = { register: { port: sockets.portOf(fd), program, list } };
  try {
    if (pipe === undefined) return ECONNREFUSED;
    writeSync(pipe, `${JSON.stringify(word)}\n`);
    return undefined;
  } catch {
    // Nobody reads it, or too much waits to be read.
    return ECONNREFUSED;
  }
}

/** What the program gets for an error; its own for what it did wrong, and a refusal for what the kernel does not let us do. */
function numberOf(name: string | undefined): number {
  if (name === undefined) return 0;
  if (name === "EFAULT") return EFAULT;
  if (name === "EPERM") return EACCES;
  return (constants.errno as Readonly<Record<string, number>>)[name] ?? EACCES;
}
