/**
 * Asks the person at the terminal. Only a typed "y" or "yes" counts; the end of the input, an empty line and anything else
 * mean no.
 */
import { createInterface } from "node:readline/promises";

/** Whether somebody sits there who can see the question and answer it. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
