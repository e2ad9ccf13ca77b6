/**
 * A program on a terminal of its own, of which the bytes are looked at as they come: what it draws, and how long after a key.
 *
 * Usual mistake: to look through a terminal program such as tmux, which draws when it likes.
 */
import { readFileSync } from "node:fs";

const [COLUMNS, ROWS] = [120, 40];
const END_OF_FRAME = "\u001b[?2026l";
/** A line that changes is drawn from the first column that differs. */
const DECIDES = /\u001b\[1G\u001b\[K(?:\u001b\[[\d;]*m)*y apply/;
const QUIET_MS = 40;
const HANG_MS = 10_000;

/** The program on a terminal of its own, of which the bytes are looked at as they come. */
export class Screen implements AsyncDisposable {
  readonly #begun: number = performance.now();
  readonly #child: Bun.Subprocess;
  #text = "";
  #changedMs = 0;
  #waiting: (() => void) | undefined;

  constructor(command: readonly string[]) {
    const decoder = new TextDecoder();
    this.#child = Bun.spawn([...command], {
      env: { ...process.env, TERM: "xterm-256color", COLORTERM: "truecolor" },
      terminal: {
        cols: COLUMNS,
        rows: ROWS,
        data: (_terminal, bytes) => {
          this.#text += decoder.decode(bytes, { stream: true });
          this.#changedMs = performance.now();
          this.#waiting?.();
        },
      },
    });
  }

  /** Processor time of all its threads so far, in milliseconds: what a busy machine does not change. */
  get cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    // utime and stime, proc_pid_stat(5), in ticks of a hundredth of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  type(text: string): void {
    this.#child.terminal?.write(text);
  }

  leave(): void {
    this.type("q");
  }

  /** Waits for words. @returns milliseconds since the start of the program */
  async shows(words: string): Promise<number> {
    while (!this.#text.includes(words)) await this.#more();
    return performance.now() - this.#begun;
  }

  /** @returns milliseconds until the screen has changed */
  async press(key: string): Promise<number> {
    this.#text = "";
    const begun = performance.now();
    this.type(key);
    // The end of a frame, as terminals that draw one at once are told.
    while (!this.#text.includes(END_OF_FRAME)) await this.#more();
    return performance.now() - begun;
  }

  /** Keys that decide count from now on: the line of keys was drawn from its first column, without the sign that they do not. */
  async mayDecide(): Promise<void> {
    while (!DECIDES.test(this.#text.slice(this.#text.lastIndexOf("[wait]")))) await this.#more();
    await this.isQuiet();
  }

  /** Nothing more was drawn for a while. */
  async isQuiet(): Promise<void> {
    while (performance.now() - this.#changedMs < QUIET_MS) await Bun.sleep(QUIET_MS / 4);
  }

  async #more(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting = resolve;
    const hang = setTimeout(
      () => reject(new Error(`Nothing more is drawn after ${JSON.stringify(this.#text.slice(-500))}`)),
      HANG_MS,
    );
    await promise.finally(() => clearTimeout(hang));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}
