/**
 * A review in the browser, as the executable runs it: its process, the address that it prints, and requests as a program would
 * make them, with whatever headers a test wants.
 */
import { connect } from "node:net";
import { binaryPath } from "../binary/build-binary.ts";
import type { Place } from "../binary/serve-process.ts";
import { settled, until } from "../waits/until.ts";

interface WebOptions {
  /** What it is started by, as `strace`. */
  readonly wrap?: readonly string[];
  /** Whether it may open a browser, where it finds a desktop. */
  readonly opens?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly once?: boolean;
}

export class WebReview implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  out = "";
  errors = "";
  readonly port: number;

  private constructor(child: Bun.Subprocess<"ignore", "pipe", "pipe">, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Waits until it listens. */
  static async start(
    place: Place,
    { wrap = [], opens = false, env = {}, once = false }: WebOptions = {},
  ): Promise<WebReview> {
    const port = await freePort();
    const flags = [...(opens ? [] : ["--no-open"]), ...(once ? ["--once"] : [])];
    const command = [...wrap, await binaryPath(), "review", "--web", "--port", String(port), ...flags];
    const child = Bun.spawn([...command, "--state-dir", place.stateDir], {
      cwd: place.path,
      env: { PATH: process.env["PATH"], HOME: place.path, XDG_STATE_HOME: place.path, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const review = new WebReview(child, port);
    void review.#read(child.stdout, (text) => (review.out += text));
    void review.#read(child.stderr, (text) => (review.errors += text));
    await until("the address of the page", () => {
      if (child.exitCode !== null) throw new Error(`the review ended: ${review.errors}`);
      return review.out.includes("\n");
    });
    return review;
  }

  async #read(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
    for await (const chunk of stream) take(Buffer.from(chunk).toString());
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** With the capability in its fragment. */
  get address(): string {
    return this.out.trim();
  }

  get capability(): string {
    return this.address.split("#k=")[1] ?? "";
  }

  /** One request as bytes, and all that comes back; headers are exactly those that are given. */
  async raw(request: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(this.port, "127.0.0.1");
    let text = "";
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      if (isWhole(text)) socket.destroy();
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
    socket.write(request);
    return await settled("the answer to a request", promise);
  }

  /** As the page asks. */
  async ask(name: string, about: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return await fetch(`http://127.0.0.1:${this.port}/api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "ringfence-capability": this.capability, ...headers },
      body: JSON.stringify(about),
    });
  }

  async end(): Promise<number> {
    return await settled("the end of the review", this.#child.exited);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGINT");
    await this.#child.exited;
  }
}

function isWhole(text: string): boolean {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return length !== undefined && body.length >= Number(length);
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = server;
  server.stop(true);
  return await Promise.resolve(port);
}
