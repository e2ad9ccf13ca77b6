/**
 * A client that does as little as possible: it writes bytes that were prepared before and counts newlines in what comes
 * back. The same for both servers, so that what differs is the server.
 *
 * Usual mistake: parsing answers while the clock runs; an official SDK client costs more than the server it measures.
 */
import type { ReadableStreamDefaultReader } from "node:stream/web";
import type { Server } from "./bench.ts";

const NEWLINE = 10;

export class RawClient implements AsyncDisposable {
  readonly #server: Server;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #rest: Buffer = Buffer.alloc(0);
  #nextId = 1;

  /** Starts the server; the handshake is `open`. */
  constructor(server: Server) {
    this.#server = server;
    this.#child = Bun.spawn([...server.command], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    this.#reader = this.#child.stdout.getReader();
  }

  static async open(server: Server): Promise<RawClient> {
    const client = new RawClient(server);
    await client.initialize();
    client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return client;
  }

  get pid(): number {
    return this.#child.pid;
  }

  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "ringfence-bench", version: "1" },
    });
  }

  write(bytes: string | Uint8Array<ArrayBuffer>): void {
    void this.#child.stdin.write(bytes);
    void this.#child.stdin.flush();
  }

  /** Some bytes, as they come. @throws Error when the server has ended */
  async readChunk(): Promise<Uint8Array> {
    const { value } = await this.#reader.read();
    if (value !== undefined) return value;
    throw new Error(`Cannot go on: ${this.#server.name} ended with exit code ${await this.#child.exited}`);
  }

  async readLine(): Promise<string> {
    const parts: Uint8Array[] = [this.#rest];
    let last: Uint8Array = this.#rest;
    let end = last.indexOf(NEWLINE);
    while (end < 0) {
      last = await this.readChunk();
      parts.push(last);
      end = last.indexOf(NEWLINE);
    }
    const whole = Buffer.concat(parts);
    const cut = whole.length - last.length + end;
    this.#rest = whole.subarray(cut + 1);
    return whole.toString("utf8", 0, cut);
  }

  /** One request and its answer; notifications between them are passed over. @throws Error for an error answer */
  async request(method: string, params?: unknown): Promise<unknown> {
    const id = this.#nextId++;
    this.write(requestLine(id, method, params));
    for (;;) {
      const message = JSON.parse(await this.readLine()) as { id?: unknown; result?: unknown };
      if (message.id !== id) continue;
      if (message.result === undefined) throw new Error(`Cannot ${method}: ${JSON.stringify(message)}`);
      return message.result;
    }
  }

  /** Ends its input, and waits until it has ended by itself. */
  async end(): Promise<void> {
    await this.#child.stdin.end();
    await this.#child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

export function requestLine(id: number, method: string, params?: unknown): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

/** Newlines of a chunk: answers that it completes. */
export function countNewlines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
