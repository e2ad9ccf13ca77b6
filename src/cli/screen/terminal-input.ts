/**
 * The keys of the terminal while the screen is open: raw, with pastes in brackets and news of the focus. However the review
 * ends, the terminal gets back the state that it had; after a `kill -9` the keeper does that (`terminal-keeper.ts`).
 */
import { KeyReader, type KeyPress } from "./keys/terminal-keys.ts";

export interface TerminalInput extends Disposable {
  /** Reads no key until the work is done, and leaves the terminal as it was before. */
  pause(work: () => Promise<void>): Promise<void>;
}

/** Pastes in brackets, and focus as keys. */
const MODES_ON = "\u001b[?2004h\u001b[?1004h";
const MODES_OFF = "\u001b[?2004l\u001b[?1004l";

/** @param onKeys the keys of one read, together. @param onEnd the terminal is gone */
export function openTerminalInput(onKeys: (keys: readonly KeyPress[]) => void, onEnd: () => void): TerminalInput {
  const { stdin, stdout } = process;
  const reader = new KeyReader();
  const onData = (bytes: Buffer): void => onKeys(reader.read(bytes));
  const begin = (): void => {
    stdin.setRawMode(true);
    stdin.on("data", onData);
    stdin.resume();
    stdout.write(MODES_ON);
  };
  const end = (): void => {
    stdin.off("data", onData);
    stdin.pause();
    stdin.setRawMode(false);
    stdout.write(MODES_OFF);
  };
  stdin.on("end", onEnd);
  begin();
  return {
    async pause(work) {
      end();
      try {
        await work();
      } finally {
        begin();
      }
    },
    [Symbol.dispose]() {
      end();
      stdin.off("end", onEnd);
    },
  };
}
