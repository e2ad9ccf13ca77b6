/**
 * Everything that comes out of a pipe, as long as it comes. Usually the runtime says when there is something; a flood is
 * taken in large bites into memory that is used again, which costs half of the processor time. Of a flood of which only the
 * end is wanted, what is before it is thrown away inside the kernel, which costs next to nothing.
 *
 * Invariant: the reader is changed only while the runtime waits for the pipe, and so holds nothing of it.
 */
import { closeSync, readSync } from "node:fs";
import { errnoOf } from "../scope/index.ts";
import { nap, neverWait, PipeSkipper, widen } from "../sys/index.ts";

export interface Drain {
  /** Nothing more comes. */
  readonly ended: Promise<void>;
  readonly giveUp: () => Promise<void>;
  readonly close: () => void;
}

export interface Bites {
  /** Used again at once: what is wanted of it is copied. */
  readonly memory: Buffer;
  readonly push: (bytes: Uint8Array) => void;
  /** Of what comes from now on only the last bytes are wanted, so many; the others are told to `skip`. Absent: all. */
  readonly wantedEnd: number | undefined;
  /** So many bytes have been passed over; what is pushed next goes on behind them, and is at least the wanted end. */
  readonly skip: (bytes: number) => void;
}

/** Less is no flood. */
const FLOOD_BYTES: number = 128 * 1024;
/**
 * The pipe fills meanwhile, and its writer works; with what the kernel adds it is twice as long. No timer is as short: in a
 * millisecond the pipe would be full, and its writer would wait.
 */
const NAP_US = 50;
const MAX_NAPS = 20;
/** Others have their turn: a program that is faster than this must not stop them. */
const NAPS_PER_TURN = 8;
const BITES_PER_TURN = 8;
/** Then; a pause that is longer is left to the runtime. */
const PAUSES_MS: readonly number[] = [1, 2, 4, 8, 16];

/** @param fd of a pipe; `close` closes it */
export function drainPipe(fd: number, bites: Bites): Drain {
  const following: Following = { fd, bites, reader: undefined, isOver: false };
  return {
    // What fails is as good as its end: nothing more can be read.
    ended: follow(following).catch(() => undefined),
    giveUp: async () => {
      following.isOver = true;
      await following.reader?.cancel();
      takeRest(fd, (bytes) => bites.push(bytes));
    },
    close: () => closeSync(fd),
  };
}

interface Following {
  readonly fd: number;
  readonly bites: Bites;
  reader: ReturnType<typeof readerOf> | undefined;
  isOver: boolean;
}

async function follow(following: Following): Promise<void> {
  while (!following.isOver) {
    if (await readUntilFlood(following)) return;
    if (await readFlood(following)) return;
  }
}

function readerOf(fd: number) {
  return Bun.file(fd).stream().getReader();
}

/** @returns whether it has ended */
async function readUntilFlood(following: Following): Promise<boolean> {
  const { fd, bites } = following;
  const reader = readerOf(fd);
  following.reader = reader;
  let total = 0;
  for (;;) {
    const next = reader.read();
    if (total > FLOOD_BYTES && Bun.peek.status(next) === "pending") {
      following.reader = undefined;
      await reader.cancel();
      return false;
    }
    const { done, value } = await next;
    if (done) return true;
    total += value.length;
    bites.push(value);
  }
}

/** @returns whether it has ended; if not, nothing has come for a while */
async function readFlood(following: Following): Promise<boolean> {
  const { fd, bites } = following;
  const { memory } = bites;
  let [bitten, waited] = [0, 0];
  neverWait(fd);
  widen(fd);
  using skipper = new PipeSkipper(fd);
  while (!following.isOver) {
    const end = bites.wantedEnd;
    if (end !== undefined) bites.skip(skipper.skipBut(end));
    const read = tryRead(fd, memory);
    if (read === 0) return true;
    if (read !== undefined) {
      bites.push(memory.subarray(0, read));
      waited = 0;
      // To ask again at once would give little, or cost an exception.
      if (read < memory.length) nap(NAP_US);
      if (++bitten % BITES_PER_TURN === 0) await Bun.sleep(0);
    } else if (waited++ < MAX_NAPS) {
      nap(NAP_US);
      if (waited % NAPS_PER_TURN === 0) await Bun.sleep(0);
    } else {
      const pause = PAUSES_MS[waited - MAX_NAPS - 1];
      if (pause === undefined) return false;
      await Bun.sleep(pause);
    }
  }
  return true;
}

/** What was written before is never lost, however late this process has its turn. As much as a pipe can hold, and no more. */
function takeRest(fd: number, push: Bites["push"]): void {
  neverWait(fd);
  const memory = Buffer.allocUnsafe(REST_BYTES);
  try {
    for (let part = 0; part < MAX_RESTS; part++) {
      const read = tryRead(fd, memory);
      if (read === undefined || read === 0) return;
      push(memory.subarray(0, read));
    }
  } catch {
    // As good as its end.
  }
}

const REST_BYTES: number = 64 * 1024;
const MAX_RESTS = 16;

/** `undefined`: nothing is there now. */
function tryRead(fd: number, memory: Buffer): number | undefined {
  try {
    return readSync(fd, memory, 0, memory.length, null);
  } catch (thrown) {
    if (errnoOf(thrown) === "EAGAIN") return undefined;
    throw thrown;
  }
}
