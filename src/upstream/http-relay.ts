/**
 * This program as the only one that speaks to a server by HTTP: the SDK's client on that side, and on this side, on
 * standard input and output, a server with the same tools. It runs in a fence with a network and no files, so that the host
 * itself needs no sockets; it speaks to no host that its order does not list, whatever the server redirects to.
 */
import type { Client, FetchLike, JSONRPCMessage } from "@modelcontextprotocol/client";
import { refusedAddress, type RelayOrder } from "../proc/index.ts";
import { loadCheckedFetch } from "../reach/index.ts";

const PROBE_MS = 10_000;
const CONNECT_MS = 30_000;
/** The host has a shorter one. */
const CALL_MS: number = 24 * 60 * 60 * 1000;
/** The size of one answer of the server, however it is cut. */
const MAX_BODY_BYTES: number = 64 * 1024 * 1024;
const VERSION = "2025-11-25";
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

type Id = string | number;

interface Asked {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

interface Relay {
  readonly order: RelayOrder;
  readonly send: (message: object) => void;
  readonly calls: Map<Id, AbortController>;
  client: Promise<Client> | undefined;
}

/** Until its input ends. */
export async function serveHttpRelay(): Promise<void> {
  const { ReadBuffer, serializeMessage } = await import("@modelcontextprotocol/client");
  const out = Bun.stdout.writer();
  const send = (message: object): void => {
    void out.write(serializeMessage({ jsonrpc: "2.0", ...message } as JSONRPCMessage));
    void out.flush();
  };
  const messages = new ReadBuffer();
  let relay: Relay | undefined;
  let start = "";
  for await (const chunk of Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>) {
    let bytes = Buffer.from(chunk);
    if (!relay) {
      // The order is its first line.
      start += bytes.toString("utf8");
      const end = start.indexOf("\n");
      if (end < 0) continue;
      const order = JSON.parse(start.slice(0, end)) as RelayOrder;
      relay = { order, send, calls: new Map(), client: undefined };
      bytes = Buffer.from(start.slice(end + 1), "utf8");
    }
    messages.append(bytes);
    for (let one = messages.readMessage(); one; one = messages.readMessage()) receive(relay, one as Asked);
  }
  // The server is told that the session is over, if it listens.
  const told = relay?.client?.then(async (client) => await client.close()).catch(() => undefined);
  await Promise.race([told, Bun.sleep(500)]);
}

function receive(relay: Relay, { id, method, params = {} }: Asked): void {
  if (method === "notifications/cancelled") relay.calls.get(params["requestId"] as Id)?.abort();
  if (id !== undefined && method !== undefined) void answer(relay, { id, method, params });
}

async function answer(relay: Relay, request: Required<Asked>): Promise<void> {
  const { id } = request;
  const stop = new AbortController();
  relay.calls.set(id, stop);
  let said: object;
  try {
    const result = await carryOut(relay, request, stop.signal);
    const size = Buffer.byteLength(JSON.stringify(result));
    if (size > relay.order.maxBytes) throw new Error(`the answer has ${size} bytes, which is too much`);
    said = { id, result };
  } catch (thrown) {
    const { code, message } = thrown as { code?: unknown; message?: unknown };
    const known = typeof code === "number" && Number.isInteger(code) ? code : INTERNAL_ERROR;
    said = { id, error: { code: known, message: String(message).slice(0, 1000) } };
  } finally {
    relay.calls.delete(id);
  }
  if (!stop.signal.aborted) relay.send(said);
}

async function carryOut(relay: Relay, { method, params }: Required<Asked>, signal: AbortSignal): Promise<unknown> {
  switch (method) {
    case "ping":
      return {};
    case "initialize":
      await connected(relay);
      return {
        protocolVersion: VERSION,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "ringfence-relay", version: "1" },
      };
    case "tools/list": {
      const { listAll } = await import("./sdk-client.ts");
      return { tools: await listAll(await connected(relay)) };
    }
    case "tools/call":
      return await call(relay, params, signal);
    default:
      throw Object.assign(new Error("Method not found"), { code: METHOD_NOT_FOUND });
  }
}

async function call(
  relay: Relay,
  { name, arguments: args, _meta: meta }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const { callTool } = await import("./sdk-client.ts");
  const token = (meta as { progressToken?: Id } | undefined)?.progressToken;
  const onProgress = (progress: number, total: number | undefined, message: string): void => {
    if (token === undefined) return;
    const params = { progressToken: token, progress, total, message };
    relay.send({ method: "notifications/progress", params });
  };
  const given = (args ?? {}) as Readonly<Record<string, unknown>>;
  const client = await connected(relay);
  return await callTool(client, String(name), given, { signal, onProgress, timeoutMs: CALL_MS });
}

async function connected(relay: Relay): Promise<Client> {
  relay.client ??= open(relay);
  return await relay.client;
}

async function open({ order, send }: Relay): Promise<Client> {
  const { url, headers, reach, network } = order;
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { createClient } = await import("./sdk-client.ts");
  const client = createClient("1", PROBE_MS);
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    send({ method: "notifications/tools/list_changed" });
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: fetchListed(reach, await loadCheckedFetch(reach, network)),
  });
  await client.connect(transport, { timeout: CONNECT_MS });
  return client;
}

/** Only from hosts that are listed, and only so much. */
function fetchListed(reach: readonly string[], send: Awaited<ReturnType<typeof loadCheckedFetch>>): FetchLike {
  return async (url, init) => {
    const why = refusedAddress(String(url), reach);
    if (why !== undefined) throw new Error(`${String(url).slice(0, 200)} may not be spoken to: ${why}`);
    const response = await send(new URL(url), init);
    let left = MAX_BODY_BYTES;
    const bounded = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.length;
          if (left < 0) controller.error(new Error("the server answers with more than anybody reads"));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(bounded ?? null, { status, statusText, headers });
  };
}
