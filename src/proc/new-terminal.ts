/**
 * A terminal of its own for a program that does something else without one. Its window never changes, nothing is echoed,
 * and what it reads ends: the end of the input is typed again and again, because on a terminal it holds for one read only.
 *
 * Usual mistake: to wait until nobody holds it. When the program ends, the kernel hangs up on all that it left.
 */
import type { Drain } from "./drain-pipe.ts";

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
