/**
 * The executable at a terminal of its own, with a person who reads what it shows and types an answer when it asks.
 */
import { binaryPath } from "../binary/build-binary.ts";
import type { Place } from "../binary/serve-process.ts";
import { settled, until } from "../waits/until.ts";

export interface TerminalSession {
  readonly code: number;
  /** All that stood on the screen. */
  readonly screen: string;
}

/**
 * @param question what is waited for before the answer is typed
 * @param more questions that come later, with their answers; each is waited for behind what was shown before it
 */
export async function runAtTerminal(
  place: Place,
  args: readonly string[],
  question: string,
  answer: string,
  ...more: readonly (readonly [question: string, answer: string])[]
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
  let seen = 0;
  for (const [asked, said] of [[question, answer] as const, ...more]) {
    const from = seen;
    await until(`the question ${asked}`, () => screen.includes(asked, from) || child.exitCode !== null);
    seen = screen.length;
    child.terminal?.write(said);
  }
  const code = await settled("the end of the command", child.exited);
  child.terminal?.close();
  return { code, screen: screen.replaceAll("\r\n", "\n") };
}
