/**
 * The SDK's transport over the launcher: it starts the server outside of this process's fence and passes lines both ways.
 * Only what is a JSON object within size and depth gets to the SDK; everything else is dropped, and counted.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { limits, toFailure, type Failure } from "../base/index.ts";
import type { Launch, UpstreamEnd } from "../proc/index.ts";
import { createFrames } from "../wire/index.ts";

export class LauncherTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The SDK takes a transport with these two for a pipe: only there a server may leave its first question unanswered. */
  readonly pid: null = null;
  readonly stderr: null = null;
  /** What the fence around it is, once it runs. */
  fence: string | undefined;
  /** How it ended, or why it could not be started. */
  readonly ended: Promise<UpstreamEnd | Failure>;
  /** Whether anything that is a message has come since this was set to false. */
  hasSpoken = false;
  /** Lines that are no messages. */
  dropped = 0;
  readonly #launch: Launch;
  readonly #server: string;
  readonly #stop = new AbortController();
  readonly #frames = createFrames({
    maxBytes: limits.MAX_UPSTREAM_LINE_BYTES * 3,
    maxDepth: limits.MAX_JSON_DEPTH,
  });
  readonly #end: (how: UpstreamEnd | Failure) => void;
  #say: ((text: string) => boolean) | undefined;

  constructor(launch: Launch, server: string) {
    this.#launch = launch;
    this.#server = server;
    const { promise, resolve } = Promise.withResolvers<UpstreamEnd | Failure>();
    this.ended = promise;
    this.#end = resolve;
  }

  async start(): Promise<void> {
    const running = this.#launch(
      "connect",
      { server: this.#server },
      {
        signal: this.#stop.signal,
        onStarted: (fence) => (this.fence = fence),
        onLine: (line) => this.#receive(line),
        onSay: (say) => (this.#say = say),
      },
    );
    void running.then(
      (end) => this.#close(end),
      (thrown: unknown) => this.#close(toFailure(thrown, () => String(thrown))),
    );
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#say?.(JSON.stringify(message))) throw new Error("the server has ended");
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }

  #close(how: UpstreamEnd | Failure): void {
    this.#say = undefined;
    this.#end(how);
    this.onclose?.();
  }

  #receive(line: string): void {
    this.#frames.push(Buffer.from(`${line}\n`, "utf8"), (frame) => {
      const message = frame.kind === "line" ? readMessage(frame.text) : undefined;
      if (!message) {
        this.dropped++;
        return;
      }
      this.hasSpoken = true;
      try {
        this.onmessage?.(message);
      } catch (thrown) {
        this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
  }
}

function readMessage(text: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isMessage = typeof value === "object" && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === "2.0";
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}
