/**
 * What the keeper of a command says of it: that it runs, how it ended, and that nobody of it is left.
 *
 * Invariant: a keeper that ends without having said so was ended by somebody, and whoever it kept is now a child of the
 * launcher (trees.ts).
 */
import { closeSync } from "node:fs";
import type { KeeperWord } from "../../fence/index.ts";

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Followed {
  /** The number of the program, or a text that says why it was not started. */
  readonly ready: Promise<{ readonly pid: number } | string>;
  /** How the program ended. When the keeper was ended, the program was too. */
  readonly exited: Promise<ProgramEnd>;
  /** The keeper has ended. Whether it said before that nobody is left. */
  readonly gone: Promise<boolean>;
}

/** A start takes milliseconds; many at once on a busy machine take seconds. */
const MAX_START_MS = 60_000;
/** The keeper has ended before it said anything. */
const SAID_NOTHING = "the helper process that starts it ended without a message";

/** @param status where it speaks, @param control what it ends without; both are closed here */
export function followKeeper(keeper: Bun.Subprocess, status: number, control: number): Followed {
  const ready = Promise.withResolvers<Awaited<Followed["ready"]>>();
  const exited = Promise.withResolvers<ProgramEnd>();
  let isGone = false;
  const timer = setTimeout(
    () => ready.resolve("the helper process that starts it did not answer within 60 seconds"),
    MAX_START_MS,
  );
  const hear = (line: string): void => {
    const word = JSON.parse(line) as KeeperWord;
    if ("ready" in word) ready.resolve({ pid: word.ready });
    else if ("code" in word) exited.resolve({ code: word.code, signal: null });
    else if ("signal" in word) exited.resolve({ code: null, signal: word.signal });
    else isGone = true;
  };
  void ready.promise.then(() => clearTimeout(timer));
  const heard = readWords(status, hear);
  void heard.then((rest) => ready.resolve(rest === "" ? SAID_NOTHING : rest));
  const gone = Promise.all([keeper.exited, heard]).then(() => {
    for (const fd of [status, control]) closeSync(fd);
    return isGone;
  });
  // Not before it is known that it was ended: then all that it kept has come to the launcher.
  void gone.then(() => exited.resolve({ code: null, signal: "SIGKILL" }));
  return { ready: ready.promise, exited: exited.promise, gone };
}

/** @returns what it said last, when that is no line */
async function readWords(fd: number, hear: (line: string) => void): Promise<string> {
  let rest = "";
  for await (const chunk of Bun.file(fd).stream()) {
    const lines = `${rest}${Buffer.from(chunk).toString("utf8")}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  }
  return rest;
}
