/**
 * One living connection to a server: greeted, its tools listed and listed again when it says that they have changed. The
 * SDK's client speaks both eras of the protocol; it is told to believe no schema, and whatever a server asks of it is
 * answered with "method not found": this host has nothing to give to one.
 */
import type { Client } from "@modelcontextprotocol/client";
import { Failure, limits } from "../base/index.ts";
import type { ForeignContext } from "../contract/index.ts";
import type { Launch, UpstreamEnd } from "../proc/index.ts";
import { describeEnd, oneLine } from "./describe-end.ts";
import { LauncherTransport } from "./launcher-transport.ts";
import { readListedTools, type ListedTool } from "./listed-tools.ts";

export interface Connection {
  readonly fence: string | undefined;
  readonly ended: Promise<UpstreamEnd | Failure>;
  /** As it has them now; asked again when it said that they changed. @throws what the SDK throws */
  readonly tools: () => Promise<{
    readonly tools: readonly ListedTool[];
    readonly problems: readonly string[];
  }>;
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    ctx: ForeignContext,
  ) => Promise<unknown>;
  /** Whether it says anything at all within some seconds. */
  readonly isAlive: () => Promise<boolean>;
  readonly close: () => void;
}

/** Of this program's own to other servers. */
export interface ClientFacts {
  readonly version: string;
}

/** Before it is taken for a server of the handshake era: some never answer what they do not know. */
const PROBE_MS = 3000;
const PING_MS = 5000;
const LIST_MS = 10_000;
const MAX_PAGES = 20;
/** A little more than the host waits: it is the host who says that the time is over. */
const LATER_MS = 2000;

/** @throws Failure or what the SDK throws, after the server has been ended */
export async function connect(launch: Launch, server: string, { version }: ClientFacts): Promise<Connection> {
  const transport = new LauncherTransport(launch, server);
  const client = await createClient(version, { probeMs: PROBE_MS });
  let isStale = true;
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    isStale = true;
  });
  const timer = setTimeout(() => void transport.close(), limits.UPSTREAM_START_MS);
  try {
    await client.connect(transport, { timeout: limits.UPSTREAM_START_MS });
  } catch (thrown) {
    await transport.close();
    const end = await transport.ended;
    // What the launcher says of its end says more than that the connection was lost.
    if (end instanceof Failure) throw end;
    throw new Failure("command_failed", `Cannot start it: ${describeEnd(end)}`, { cause: thrown });
  } finally {
    clearTimeout(timer);
  }
  let listed: Awaited<ReturnType<Connection["tools"]>> = { tools: [], problems: [] };
  return {
    fence: transport.fence,
    ended: transport.ended,
    async tools() {
      if (!isStale) return listed;
      // Before the question: what changes while it is answered is asked for once more.
      isStale = false;
      try {
        listed = readListedTools(await listAll(client));
      } catch (thrown) {
        isStale = true;
        throw thrown;
      }
      return listed;
    },
    call: async (name, args, ctx) => await callTool(client, name, args, ctx),
    async isAlive() {
      transport.hasSpoken = false;
      // Any answer will do, a refusal too.
      const ask = client.getProtocolEra() === "modern" ? listAll(client) : client.ping({ timeout: PING_MS });
      await Promise.race([ask.catch(() => undefined), Bun.sleep(PING_MS)]);
      return transport.hasSpoken;
    },
    close: () => void transport.close(),
  };
}

/** Unchecked: the SDK would give up the whole list over one tool that it does not like. */
export async function listAll(client: Client): Promise<unknown[]> {
  const { z } = await import("zod");
  const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, page, { timeout: LIST_MS });
    all.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) return all;
  }
  throw new Failure("command_failed", `Cannot list its tools: they have no end after ${MAX_PAGES} pages`);
}

/** The SDK's client, without anything that it could be asked for and without its checks of schemas. */
export async function createClient(version: string, { probeMs }: { probeMs: number }): Promise<Client> {
  const { Client: SdkClient } = await import("@modelcontextprotocol/client");
  return new SdkClient(
    { name: "ringfence", version },
    {
      capabilities: {},
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      // A schema of somebody else is never compiled: not its patterns, and not into code.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
}

/** With its cancellation and its progress passed on. */
export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { signal, timeoutMs, onProgress }: ForeignContext,
): Promise<unknown> {
  return await client.callTool(
    { name, arguments: { ...args } },
    {
      signal,
      timeout: timeoutMs + LATER_MS,
      onprogress: ({ progress, total, message }) => onProgress(progress, total, message ?? name),
    },
  );
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
