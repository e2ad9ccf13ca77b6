/**
 * Questions in lines at a terminal, whose answers decide something. What was typed or pasted before a question stood there, or
 * too soon after it to have been read, answers nothing; a prompt shows from when on an answer counts.
 */
import { createInterface } from "node:readline";
import { CLOCK } from "../../base/index.ts";
import { print } from "../print.ts";

/** Nobody reads a question in less. */
const GUARD_MS = 400;

export class TerminalLines implements Disposable {
  readonly #lines = createInterface({ input: process.stdin, terminal: false });
  #onLine: ((line: string | undefined) => void) | undefined;
  #isOver = false;

  constructor() {
    this.#lines.on("line", (line) => this.#onLine?.(line));
    this.#lines.on("close", () => {
      this.#isOver = true;
      this.#onLine?.(undefined);
    });
  }

  /** The input has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @returns the line without blanks around it; `undefined` at the end of the input */
  async ask(question: string): Promise<string | undefined> {
    print(question);
    let isReady = false;
    let isTold = false;
    using _ = CLOCK.after(GUARD_MS, () => {
      isReady = true;
      prompt();
    });
    const answer = await this.#next(() => {
      if (!isReady && !isTold) print("What was typed before this question could be read is ignored.");
      isTold = true;
      return !isReady;
    });
    return answer?.trim();
  }

  /** Takes a line of text, which decides nothing. */
  async text(question: string): Promise<string> {
    print(question);
    prompt();
    return (await this.#next(() => false))?.trim() ?? "";
  }

  async #next(isIgnored: () => boolean): Promise<string | undefined> {
    if (this.#isOver) return undefined;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#onLine = (line) => {
      if (line === undefined || !isIgnored()) resolve(line);
    };
    try {
      return await promise;
    } finally {
      this.#onLine = undefined;
    }
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }
}

function prompt(): void {
  process.stdout.write("> ");
}
