/**
 * The compiled binary with its three streams, for tests that speak the wire themselves. Every line of stdout is kept and
 * parsed, so that one that is not JSON fails the test that made it. Its stderr is kept too, and is part of every error
 * from here, so that it is seen when a test fails and only then.
 *
 * Every wait ends with the event or with the end of the process; the limit is for hangs, so no caller gives one.
 * Usual mistake: to wait for a number of milliseconds and then to look at `messages`.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readResult } from "../../src/calls/call-result.ts";
import { MessageCheck } from "../schema/check-message.ts";
import { binaryPath } from "./build-binary.ts";
import { LineSplitter } from "../../scripts/start/line-splitter.ts";
import type { FailureData, PendingProposal } from "../../src/calls/index.ts";
import { settled } from "../waits/until.ts";

export interface WireMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: CallResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The result of any method: what a tool answers is known, the members of others are unknown until they are looked at. */
export interface CallResult extends Readonly<Record<string, unknown>> {
  readonly content?: readonly Block[] | undefined;
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  readonly isError?: boolean | undefined;
  readonly tools?: readonly ListedTool[];
  readonly refused?: readonly { readonly offered?: unknown }[];
  readonly resources?: readonly Block[];
  readonly contents?: readonly Block[];
  readonly messages?: readonly { readonly content: Block }[];
  readonly completion?: { readonly values: readonly string[] };
  readonly _meta?:
    | {
        readonly "dev.ringfence/failure"?: FailureData;
        readonly "dev.ringfence/proposal"?: PendingProposal;
        readonly [name: string]: unknown;
      }
    | undefined;
}

export interface Block {
  readonly type: string;
  readonly text?: string | undefined;
  readonly uri?: string | undefined;
  readonly resource?: Block;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly inputSchema: Schema;
}

/** What a test looks at in a schema. */
export interface Schema extends Readonly<Record<string, unknown>> {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
}

/** A temporary folder with an empty `root` and a place for the state. */
export class Place implements Disposable {
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-binary-")));
  readonly root: string = join(this.path, "root");
  readonly stateDir: string = join(this.path, "state");

  constructor() {
    mkdirSync(this.root);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface ServeOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly binary?: string;
  /** Instead of `serve --root ROOT --state-dir STATE --baseline=if_known`. */
  readonly command?: readonly string[];
  readonly cwd?: string;
}

/** Most tests change files that nobody has read; that they may not is a test of its own. */
function serveCommand({ root, stateDir }: Place): string[] {
  return ["serve", "--root", root, "--state-dir", stateDir, "--baseline=if_known"];
}

export class ServeProcess implements AsyncDisposable {
  /** Every message that came, in order. */
  readonly messages: WireMessage[] = [];
  readonly child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** All of it, when the process has ended. */
  readonly stderr: Promise<string>;
  readonly #reading: Promise<void>;
  readonly #check: MessageCheck = new MessageCheck();
  /** Resolves when messages arrive, and when stdout ends. */
  #arrival: PromiseWithResolvers<void> = Promise.withResolvers();
  #isOver = false;
  #errors = "";

  private constructor(child: Bun.Subprocess<"pipe", "pipe", "pipe">) {
    this.child = child;
    this.stderr = this.#readErrors();
    this.#reading = this.#read();
  }

  static async start(place: Place, options: ServeOptions = {}): Promise<ServeProcess> {
    const binary = options.binary ?? (await binaryPath());
    const command = options.command ?? serveCommand(place);
    const child = Bun.spawn([binary, ...command, ...(options.args ?? [])], {
      cwd: options.cwd ?? place.path,
      env: { PATH: process.env["PATH"], HOME: place.path, ...options.env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    return new ServeProcess(child);
  }

  /** Sends text as it is, and an object as one line. A process that is dead takes nothing: who waits for its answer learns that. */
  send(what: string | Uint8Array | object): void {
    const raw = typeof what === "string" || what instanceof Uint8Array;
    const written = raw ? what : `${JSON.stringify(what)}\n`;
    if (typeof written === "string") for (const line of written.split("\n")) this.#check.sent(line);
    void unlessClosed(async () => {
      await this.child.stdin.write(written);
    });
    void unlessClosed(async () => {
      await this.child.stdin.flush();
    });
  }

  request(id: number | string, method: string, params: object = {}): void {
    this.send({ jsonrpc: "2.0", id, method, params });
  }

  call(id: number | string, name: string, given: object = {}, meta?: object): void {
    this.request(id, "tools/call", { name, arguments: given, ...(meta ? { _meta: meta } : {}) });
  }

  /** The first message that fits, among those that came and will come. */
  async find(fits: (message: WireMessage) => boolean): Promise<WireMessage> {
    const found = await this.#settled("a message", this.#next(fits));
    if (found) return found;
    await this.#settled("its stderr", this.stderr);
    throw new Error(`it has ended without the message; ${this.#shown()}`);
  }

  async answer(id: number | string | null): Promise<WireMessage> {
    return await this.find(isAnswerTo(id));
  }

  /** @returns `undefined` when it ends first, as a host that is killed does */
  async answerOrEnd(id: number | string | null): Promise<WireMessage | undefined> {
    const answer = await this.#settled("an answer or the end", this.#next(isAnswerTo(id)));
    if (!answer) await this.ended();
    return answer;
  }

  async ask(id: number | string, method: string, params: object = {}): Promise<WireMessage> {
    this.request(id, method, params);
    return await this.answer(id);
  }

  /** Closes its input and waits for the end, which must be a good one. @returns the exit code, 0 */
  async close(): Promise<number> {
    const code = await this.endInput();
    if (code !== 0) throw new Error(`it ended with exit code ${code}; ${this.#shown()}`);
    return code;
  }

  /** Closes its input and waits for the end, whatever it is. @returns the exit code */
  async endInput(): Promise<number> {
    await unlessClosed(async () => {
      await this.child.stdin.end();
    });
    return await this.ended();
  }

  /** Waits for its end, however it ends. @returns the exit code */
  async ended(): Promise<number> {
    const code = await this.#settled("the end of the process", this.child.exited);
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
    this.#check.assertNone();
  }

  async #next(fits: (message: WireMessage) => boolean): Promise<WireMessage | undefined> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found || this.#isOver) return found;
      await this.#arrival.promise;
    }
  }

  async #settled<T>(what: string, promise: Promise<T>): Promise<T> {
    try {
      return await settled(what, promise);
    } catch (thrown) {
      throw new Error(`${String(thrown)}; ${this.#shown()}`, { cause: thrown });
    }
  }

  #arrived(): void {
    const { resolve } = this.#arrival;
    this.#arrival = Promise.withResolvers();
    resolve();
  }

  #take(message: WireMessage): void {
    this.messages.push(message);
    this.#check.came(message);
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    try {
      for await (const chunk of this.child.stdout) {
        for (const line of splitter.push(chunk)) this.#take(JSON.parse(line) as WireMessage);
        this.#arrived();
      }
    } finally {
      this.#isOver = true;
      this.#arrived();
    }
    if (splitter.rest !== "") throw new Error(`stdout ends within a line: ${splitter.rest.slice(0, 200)}`);
  }

  async #readErrors(): Promise<string> {
    const decoder = new TextDecoder();
    for await (const chunk of this.child.stderr) this.#errors += decoder.decode(chunk, { stream: true });
    return this.#errors;
  }

  #shown(): string {
    const last = JSON.stringify(this.messages.slice(-5)).slice(0, 1000);
    return `the last messages: ${last}; its stderr: ${this.#errors.slice(-2000)}`;
  }
}

/** Writes to a pipe that nobody reads any more, because the process has died, are no error of the test's. */
async function unlessClosed(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EPIPE") throw thrown;
  }
}

function isAnswerTo(id: number | string | null): (message: WireMessage) => boolean {
  return (message) => message.id === id && message.method === undefined;
}

/** The proposal that a changing call answered with. */
export function proposalOf(message: WireMessage): PendingProposal {
  const { proposal } = readResult(message.result ?? {});
  if (proposal === undefined) throw new Error(`there is no proposal in ${JSON.stringify(message)}`);
  return proposal;
}

/** Resident memory in bytes. Linux only. */
export function residentBytes(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return Number(pages) * 4096;
}
