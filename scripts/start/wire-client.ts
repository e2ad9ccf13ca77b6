/**
 * A client of a few lines: spawns the binary, writes one JSON object a line, reads one a line. What an agent's runtime
 * does, without a library, so that the demonstration shows the wire itself.
 *
 * Usual mistake: to wait for an answer of a process that has ended. Its end rejects everything that waits.
 */
import type { Subprocess } from "bun";
import type { Answer } from "./show-wire.ts";
import { LineSplitter } from "./line-splitter.ts";

export type WireAnswer = Answer & { readonly ms: number };

export class WireClient implements AsyncDisposable {
  readonly #child: Subprocess<"pipe", "pipe", "inherit">;
  readonly #waiting: Map<number, (answer: Answer) => void> = new Map();
  readonly #reading: Promise<void>;
  #nextId = 1;

  /** @param env Default: that of this process */
  constructor(
    binary: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>> = process.env,
  ) {
    this.#child = Bun.spawn([binary, ...args], { stdin: "pipe", stdout: "pipe", stderr: "inherit", env });
    this.#reading = this.#read();
  }

  /** @throws Error when there is no answer within 10 s */
  async request(method: string, params: Readonly<Record<string, unknown>>): Promise<WireAnswer> {
    const id = this.#nextId++;
    const started = performance.now();
    const answered = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => answered.reject(new Error(`no answer to ${method}`)), TIMEOUT_MS);
    this.#waiting.set(id, answered.resolve);
    this.#send({ jsonrpc: "2.0", id, method, params });
    try {
      return { ...(await answered.promise), ms: performance.now() - started };
    } finally {
      clearTimeout(timer);
    }
  }

  notify(method: string): void {
    this.#send({ jsonrpc: "2.0", method });
  }

  /** Closes its input and waits for its end. @returns the exit code */
  async close(): Promise<number> {
    await this.#child.stdin.end();
    await this.#reading;
    return await this.#child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }

  #send(message: object): void {
    void this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    void this.#child.stdin.flush();
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    for await (const chunk of this.#child.stdout) {
      for (const line of splitter.push(chunk)) this.#receive(JSON.parse(line) as Answer & { id?: number });
    }
    for (const resolve of this.#waiting.values())
      resolve({ error: { code: 0, message: "the process ended without an answer" } });
  }

  #receive(message: Answer & { id?: number }): void {
    if (message.id === undefined) return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}

const TIMEOUT_MS = 10_000;
