/**
 * Where the output of a program comes from: a pipe, read as long as anything comes, or a terminal of its own for a program
 * that does something else without one. The window of such a terminal never changes, nothing is echoed, and its input ends:
 * the end of the input is typed again and again, because on a terminal it holds for one read only.
 *
 * Usual mistake: to wait until nobody holds the terminal. When the program ends, the kernel hangs up on all that it left.
 */
import { closeSync, readSync } from "node:fs";
import { neverWait, widen } from "../../sys/index.ts";

export interface Drain {
  /** Nothing more comes. */
  readonly ended: Promise<void>;
  readonly giveUp: () => Promise<void>;
  readonly close: () => void;
}

/** @param fd of a pipe; `close` closes it */
export function drainPipe(fd: number, push: (bytes: Uint8Array) => void): Drain {
  widen(fd);
  const reader = Bun.file(fd).stream().getReader();
  const readAll = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      push(value);
    }
  };
  return {
    // A read that fails is as good as the end: nothing more can be read.
    ended: readAll().catch(() => undefined),
    async giveUp() {
      await reader.cancel();
      takeRest(fd, push);
    },
    close: () => closeSync(fd),
  };
}

/**
 * What was written before is never lost, however late this process has its turn: as much as the largest pipe holds that a
 * program can make of it, and no more.
 */
function takeRest(fd: number, push: (bytes: Uint8Array) => void): void {
  neverWait(fd);
  const memory = Buffer.allocUnsafe(REST_BYTES);
  try {
    for (let part = 0; part < MAX_RESTS; part++) {
      const read = readSync(fd, memory);
      if (read === 0) return;
      push(memory.subarray(0, read));
    }
  } catch {
    // The pipe is empty, or broken: both are its end.
  }
}

const REST_BYTES: number = 64 * 1024;
const MAX_RESTS = 16;

export interface NewTerminal {
  /** For the start of the program: only so does it become the terminal that it is controlled by. */
  readonly options: Bun.TerminalOptions;
  /** Types what it is given, and then the end. */
  readonly attach: (terminal: Bun.Terminal) => Drain;
}

const COLUMNS = 120;
const ROWS = 40;
const ECHO = 0o10;
/** `^D` at the beginning of a line. */
const END_OF_INPUT = "\u0004";
const TYPE_AGAIN_MS = 250;

/** @param input is typed first; a line of it can have 4095 bytes */
export function newTerminal(input: string, push: (bytes: Uint8Array) => void): NewTerminal {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  return {
    options: {
      cols: COLUMNS,
      rows: ROWS,
      data: (_terminal, bytes) => push(bytes),
      exit: () => resolve(),
    },
    attach(terminal) {
      terminal.localFlags &= ~ECHO;
      const type = (text: string): void => {
        if (!terminal.closed) terminal.write(text);
      };
      type(input === "" || input.endsWith("\n") ? input : `${input}\n`);
      type(END_OF_INPUT);
      const again = setInterval(() => type(END_OF_INPUT), TYPE_AGAIN_MS);
      const close = (): void => {
        clearInterval(again);
        if (!terminal.closed) terminal.close();
        resolve();
      };
      return { ended, giveUp: async () => await Promise.resolve(close()), close };
    },
  };
}
