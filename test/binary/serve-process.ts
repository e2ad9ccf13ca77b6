/**
 * The compiled binary with its three streams, for tests that speak the wire themselves. Every line of stdout is kept and
 * parsed, so that one that is not JSON fails the test that made it.
 *
 * Usual mistake: to wait for a line that never comes. Every wait has a limit and says what was there instead.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageCheck } from "../schema/check-message.ts";
import { binaryPath } from "./build-binary.ts";
import { LineSplitter } from "../../scripts/start/line-splitter.ts";

export interface WireMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: CallResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Loose on purpose: tests look into results of every method. */
// oxlint-disable-next-line typescript/no-explicit-any
export type CallResult = Record<string, any>;

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
  readonly stderr: Promise<string>;
  readonly #reading: Promise<void>;
  readonly #check: MessageCheck = new MessageCheck();
  #arrived: () => void = () => {};

  private constructor(child: Bun.Subprocess<"pipe", "pipe", "pipe">) {
    this.child = child;
    this.stderr = child.stderr.text();
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

  /** Text as it is, an object as one line. */
  send(what: string | Uint8Array | object): void {
    const raw = typeof what === "string" || what instanceof Uint8Array;
    const written = raw ? what : `${JSON.stringify(what)}\n`;
    if (typeof written === "string") for (const line of written.split("\n")) this.#check.sent(line);
    void this.child.stdin.write(written);
    void this.child.stdin.flush();
  }

  request(id: number | string, method: string, params: object = {}): void {
    this.send({ jsonrpc: "2.0", id, method, params });
  }

  call(id: number | string, name: string, given: object = {}, meta?: object): void {
    this.request(id, "tools/call", { name, arguments: given, ...(meta ? { _meta: meta } : {}) });
  }

  /** The first message that fits, among those that came and will come. */
  async find(fits: (message: WireMessage) => boolean, limitMs = 10_000): Promise<WireMessage> {
    const end = performance.now() + limitMs;
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      const leftMs = end - performance.now();
      if (leftMs <= 0) throw new Error(`no such message; there are: ${this.#shown()}`);
      const arrival = Promise.withResolvers<void>();
      this.#arrived = arrival.resolve;
      await Promise.race([arrival.promise, Bun.sleep(Math.min(leftMs, 200))]);
    }
  }

  async answer(id: number | string | null, limitMs?: number): Promise<WireMessage> {
    return await this.find((message) => message.id === id && message.method === undefined, limitMs);
  }

  async ask(id: number | string, method: string, params: object = {}): Promise<WireMessage> {
    this.request(id, method, params);
    return await this.answer(id);
  }

  /** Closes its input. @returns the exit code, within the limit */
  async close(limitMs = 20_000): Promise<number> {
    await this.child.stdin.end();
    return await this.ended(limitMs);
  }

  async ended(limitMs = 20_000): Promise<number> {
    const code = await Promise.race([this.child.exited, Bun.sleep(limitMs)]);
    if (code === undefined) throw new Error(`it does not end; messages: ${this.#shown()}`);
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
    this.#check.assertNone();
  }

  #take(message: WireMessage): void {
    this.messages.push(message);
    this.#check.came(message);
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    for await (const chunk of this.child.stdout) {
      for (const line of splitter.push(chunk)) this.#take(JSON.parse(line) as WireMessage);
      this.#arrived();
    }
    if (splitter.rest !== "") throw new Error(`stdout ends within a line: ${splitter.rest.slice(0, 200)}`);
  }

  #shown(): string {
    return JSON.stringify(this.messages.slice(-5)).slice(0, 1000);
  }
}

/** The proposal that a changing call answered with. */
export function proposalOf(message: WireMessage): CallResult & { readonly id: string } {
  const proposal: unknown = message.result?.["_meta"]?.["dev.ringfence/proposal"];
  if (proposal === undefined) throw new Error(`there is no proposal in ${JSON.stringify(message)}`);
  return proposal as CallResult & { readonly id: string };
}

/** Resident memory in bytes. Linux only. */
export function residentBytes(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return Number(pages) * 4096;
}
