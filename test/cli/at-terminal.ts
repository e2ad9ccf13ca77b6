/**
 * The executable at a terminal of its own, with a person who reads what it shows and types one answer when it asks.
 */
import { binaryPath } from "../binary/build-binary.ts";
import type { Place } from "../binary/serve-process.ts";
import { settled, until } from "../waits/until.ts";

export interface TerminalSession {
  readonly code: number;
  /** All that stood on the screen. */
  readonly screen: string;
}

/** @param question what is waited for before the answer is typed */
export async function runAtTerminal(
  place: Place,
  args: readonly string[],
  question: string,
  answer: string,
): Promise<TerminalSession> {
  let screen = "";
  const child = Bun.spawn([await binaryPath(), ...args], {
    cwd: place.root,
    env: { PATH: process.env["PATH"], HOME: place.path, XDG_STATE_HOME: place.path, TERM: "dumb" },
    terminal: {
      cols: 200,
      rows: 50,
      data: (_terminal, bytes) => {
        screen += Buffer.from(bytes).toString();
      },
    },
  });
  await until(`the question ${question}`, () => screen.includes(question) || child.exitCode !== null);
  child.terminal?.write(answer);
  const code = await settled("the end of the command", child.exited);
  child.terminal?.close();
  return { code, screen: screen.replaceAll("\r\n", "\n") };
}
