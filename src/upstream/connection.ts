/**
 * One living connection to a server, which the launcher has started outside of this process's fence: greeted, its tools listed
 * whenever somebody relies on them, because a server that changes need not say so. The SDK's client speaks both eras of the
 * protocol; it is told to believe no schema, and whatever a server asks of it is answered with "method not found": this host
 * has nothing to give to one.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { Failure, limits, type Clock, toFailure } from "../base/index.ts";
import { type RemoteContext } from "../contract/index.ts";
import { readableText } from "../text/index.ts";
import type { Launch, UpstreamEnd } from "../proc/index.ts";
import { createFrames } from "../wire/index.ts";
import { readListedTools, type ListedTool } from "./review.ts";

export interface Connection {
  readonly fence: string | undefined;
  readonly ended: Promise<UpstreamEnd | Failure>;
  /** As it has them now. @param timeoutMs a server may do one thing at a time. @throws what the SDK throws */
  readonly tools: (timeoutMs?: number) => Promise<{
    readonly tools: readonly ListedTool[];
    readonly problems: readonly string[];
  }>;
  readonly call: (name: string, args: Readonly<Record<string, unknown>>, ctx: RemoteContext) => Promise<unknown>;
  /** Whether it says anything at all within some seconds. */
  readonly isAlive: () => Promise<boolean>;
  readonly close: () => void;
}

/** What this program tells other servers of itself, and the clock. */
export interface UpstreamClient {
  readonly version: string;
  readonly clock: Clock;
}

/** Before it is taken for a server of the handshake era: some never answer what they do not know. */
const PROBE_MS = 3000;
const PING_MS = 5000;

/** @throws Failure or what the SDK throws, after the server has been ended */
export async function connect(launch: Launch, server: string, { version, clock }: UpstreamClient): Promise<Connection> {
  const transport = new LauncherTransport(launch, server);
  const { callTool, createClient, listAll } = await import("./sdk-client.ts");
  const client = createClient(version, PROBE_MS);
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort();
    void transport.close();
  }, limits.UPSTREAM_START_MS);
  try {
    await client.connect(transport, { timeout: limits.UPSTREAM_START_MS });
  } catch (thrown) {
    await transport.close();
    const end = await transport.ended;
    // What the launcher says of its end says more than that the connection was lost.
    if (end instanceof Failure) throw end;
    // It has said itself why not.
    if (end.stopped_by === "cancelled" && !deadline.signal.aborted) throw thrown;
    throw new Failure("command_failed", `Cannot start it: ${describeEnd(end)}`, {
      hint: "Look at its program in the key upstream of the configuration.",
      cause: thrown,
    });
  } finally {
    clearTimeout(timer);
  }
  let asking: ReturnType<Connection["tools"]> | undefined;
  const list = async (timeoutMs?: number): ReturnType<Connection["tools"]> => {
    try {
      return readListedTools(await listAll(client, timeoutMs));
    } finally {
      asking = undefined;
    }
  };
  return {
    fence: transport.fence,
    ended: transport.ended,
    // Calls that come together ask together.
    tools: async (timeoutMs) => await (asking ??= list(timeoutMs)),
    call: async (name, args, ctx) => await callTool(client, name, args, ctx),
    async isAlive() {
      transport.hasSpoken = false;
      // Any answer will do, a refusal too.
      const ask = client.getProtocolEra() === "modern" ? listAll(client) : client.ping({ timeout: PING_MS });
      const silence = Promise.withResolvers<void>();
      using _ = clock.after(PING_MS, silence.resolve);
      await Promise.race([ask.catch(() => undefined), silence.promise]);
      return transport.hasSpoken;
    },
    close: () => void transport.close(),
  };
}

/** What went wrong between here and a server, as a failure that a model can act on. */
export function failureOf(thrown: unknown, what: string): Failure {
  if (thrown instanceof Failure)
    return new Failure(thrown.code, `${what}: ${thrown.message}`, { ...thrown.data, cause: thrown });
  const { code, message = "" } = thrown as { code?: unknown; message?: string };
  if (code === "REQUEST_TIMEOUT")
    return new Failure("timed_out", `${what}: it did not answer in time`, { cause: thrown });
  const shown = oneLine(message) || "it gave no reason";
  const answered = typeof code === "number" ? `it answered with the error ${code}: ` : "";
  return new Failure("command_failed", `${what}: ${answered}${shown}`, {
    hint: "Correct the arguments if the reason is in them; else tell the person.",
    cause: thrown,
  });
}

const ENDED_BY: Readonly<Record<NonNullable<UpstreamEnd["stopped_by"]>, string>> = {
  cancelled: "it did not answer, and was ended",
  flood: "it wrote more than anybody reads, and was ended",
  memory: "it had more memory than it may have, and was ended",
  long_line: `it closed its output, or wrote a line of more than ${limits.MAX_UPSTREAM_LINE_BYTES} bytes, and was ended`,
  not_reading: "it did not read what was sent to it, and was ended",
};

const LAST_LINES = 3;

/** How a server ended, in words for a model and for people. */
export function describeEnd(end: UpstreamEnd | Failure): string {
  if (end instanceof Failure) return end.message;
  const { stopped_by, exit_code, signal, errors } = end;
  const how = stopped_by ? ENDED_BY[stopped_by] : `it ended with ${signal ?? `exit code ${exit_code}`}`;
  const last = errors
    .split("\n")
    .map((line) => oneLine(line))
    .filter((line) => line !== "")
    .slice(-LAST_LINES)
    .join(" | ");
  return last === "" ? how : `${how}; its last words: ${last}`;
}

/** A server's text on one line, bounded and without characters that cannot be seen. */
function oneLine(text: unknown): string {
  return readableText(text, 300).replaceAll("\n", " ");
}

/**
 * The SDK's transport over the launcher, which passes lines both ways. Only what is a JSON object within size and depth gets to
 * the SDK.
 */
class LauncherTransport implements Transport {
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
  readonly #launch: Launch;
  readonly #server: string;
  readonly #stop = new AbortController();
  readonly #frames = createFrames({
    maxBytes: limits.MAX_UPSTREAM_LINE_BYTES * 3,
    maxDepth: limits.MAX_JSON_DEPTH,
  });
  readonly #end = Promise.withResolvers<UpstreamEnd | Failure>();
  #say: ((text: string) => boolean) | undefined;

  constructor(launch: Launch, server: string) {
    this.#launch = launch;
    this.#server = server;
    this.ended = this.#end.promise;
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
    this.#end.resolve(how);
    this.onclose?.();
  }

  #receive(line: string): void {
    this.#frames.push(Buffer.from(`${line}\n`, "utf8"), (frame) => {
      const message = frame.kind === "line" ? readMessage(frame.text) : undefined;
      if (!message) return;
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
