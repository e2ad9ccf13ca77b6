/**
 * A command of this program as a message names it for a person at another terminal. It runs as it is printed, in any
 * directory and whatever state folder that terminal would take by itself.
 */
import { shellQuote } from "./shell-quote.ts";

/** @param stateDir that of the process which says this: its proposals and grants are in no other. */
export function terminalCommand(words: readonly string[], stateDir: string): string {
  return ["ringfence", ...words, "--state-dir", stateDir].map(wordOf).join(" ");
}

function wordOf(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}
