/**
 * One living connection to a server: greeted, its tools listed whenever somebody relies on them, because a server that
 * changes need not say so. The
 * SDK's client speaks both eras of the protocol; it is told to believe no schema, and whatever a server asks of it is
 * answered with "method not found": this host has nothing to give to one.
 */
import { Failure, limits, type Clock } from "../base/index.ts";
import { readableText, type RemoteContext } from "../contract/index.ts";
import type { Launch, UpstreamEnd } from "../proc/index.ts";
import { LauncherTransport } from "./launcher-transport.ts";
import { readListedTools, type ListedTool } from "./listed-tools.ts";

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
    throw new Failure("command_failed", `Cannot start it: ${describeEnd(end)}`, { cause: thrown });
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
  if (typeof code === "number")
    return new Failure("command_failed", `${what}: it answered with the error ${code}: ${shown}`, {
      cause: thrown,
    });
  return new Failure("command_failed", `${what}: ${shown}`, { cause: thrown });
}

const ENDED_BY: Readonly<Record<NonNullable<UpstreamEnd["stopped_by"]>, string>> = {
  cancelled: "it did not answer, and was ended",
  flood: "it wrote more than anybody reads, and was ended",
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
export function oneLine(text: unknown): string {
  return readableText(text, 300).replaceAll("\n", " ");
}
