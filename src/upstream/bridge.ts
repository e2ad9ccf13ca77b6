/**
 * This program as the only one that speaks to a server by HTTP: the SDK's client on that side, and on this side, on
 * standard input and output, a server with the same tools. It runs in a fence with a network and no files, so that the host
 * itself needs no sockets; it speaks to no host that its order does not list, whatever the server redirects to.
 */
import type { Client, FetchLike } from "@modelcontextprotocol/client";
import { limits } from "../base/index.ts";
import { refusedAddress, type BridgeOrder } from "../proc/index.ts";
import {
  createFrames,
  createWriter,
  errorLine,
  notificationLine,
  parseMessage,
  readFrames,
  resultLine,
  RPC,
  stdoutSink,
  type Request,
  type RequestId,
  type Writer,
} from "../wire/index.ts";
import { callTool, createClient, listAll } from "./connection.ts";

const PROBE_MS = 10_000;
/** Of one answer of the server's, whatever it is cut into. */
const MAX_BODY_BYTES: number = 64 * 1024 * 1024;
const VERSION = "2025-11-25";

interface Bridge {
  readonly order: BridgeOrder;
  readonly writer: Writer;
  readonly calls: Map<RequestId, AbortController>;
  client: Promise<Client> | undefined;
}

/** Until its input ends. */
export async function serveBridge(): Promise<void> {
  const writer = createWriter(stdoutSink(), { maxQueueBytes: limits.MAX_OUTPUT_QUEUE_BYTES });
  const frames = createFrames({ maxBytes: limits.MAX_FRAME_BYTES, maxDepth: limits.MAX_JSON_DEPTH });
  let bridge: Bridge | undefined;
  await readFrames(Bun.stdin.stream(), frames, {
    onFrame(frame) {
      if (frame.kind !== "line") return;
      if (bridge) receive(bridge, frame.text);
      else
        bridge = {
          order: JSON.parse(frame.text) as BridgeOrder,
          writer,
          calls: new Map(),
          client: undefined,
        };
    },
    afterChunk: () => undefined,
  });
  // The server is told that the session is over, if it listens.
  await Promise.race([
    bridge?.client?.then((client) => client.close()).catch(() => undefined),
    Bun.sleep(500),
  ]);
}

function receive(bridge: Bridge, text: string): void {
  const message = parseMessage(text);
  if (message.kind === "notification" && message.method === "notifications/cancelled")
    bridge.calls.get(message.params["requestId"] as RequestId)?.abort();
  if (message.kind === "request") void answer(bridge, message);
}

async function answer({ writer, ...bridge }: Bridge, request: Request): Promise<void> {
  const { id } = request;
  const stop = new AbortController();
  bridge.calls.set(id, stop);
  let line: string;
  try {
    const result = JSON.stringify(await carryOut({ writer, ...bridge }, request, stop.signal));
    if (result.length * 3 > limits.MAX_UPSTREAM_LINE_BYTES && Buffer.byteLength(result) > MAX_RESULT_BYTES)
      throw new Error(`the answer has ${result.length} characters, which is more than is passed on`);
    line = resultLine(id, result);
  } catch (thrown) {
    const { code, message } = thrown as { code?: unknown; message?: unknown };
    const known = typeof code === "number" && Number.isInteger(code) ? code : RPC.internalError;
    line = errorLine(id, known, String(message).slice(0, 1000));
  } finally {
    bridge.calls.delete(id);
  }
  if (!stop.signal.aborted) writer.send(line);
}

const MAX_RESULT_BYTES: number = limits.MAX_UPSTREAM_LINE_BYTES - 4096;

async function carryOut(bridge: Bridge, { method, params }: Request, signal: AbortSignal): Promise<unknown> {
  switch (method) {
    case "ping":
      return {};
    case "initialize":
      await connected(bridge);
      return {
        protocolVersion: VERSION,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "ringfence-bridge", version: "1" },
      };
    case "tools/list":
      return { tools: await listAll(await connected(bridge)) };
    case "tools/call":
      return await call(bridge, params, signal);
    default:
      throw Object.assign(new Error("Method not found"), { code: RPC.methodNotFound });
  }
}

async function call(
  bridge: Bridge,
  { name, arguments: args, _meta: meta }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const token = (meta as { progressToken?: RequestId } | undefined)?.progressToken;
  const onProgress = (progress: number, total: number | undefined, message: string): void => {
    if (token === undefined) return;
    bridge.writer.send(
      notificationLine("notifications/progress", { progressToken: token, progress, total, message }),
    );
  };
  const given = (args ?? {}) as Readonly<Record<string, unknown>>;
  return await callTool(await connected(bridge), String(name), given, {
    signal,
    onProgress,
    timeoutMs: limits.MAX_COMMAND_MS,
  });
}

async function connected(bridge: Bridge): Promise<Client> {
  bridge.client ??= open(bridge);
  return await bridge.client;
}

async function open({ order, writer }: Bridge): Promise<Client> {
  const { url, headers, reach } = order;
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = await createClient("1", { probeMs: PROBE_MS });
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    writer.send(notificationLine("notifications/tools/list_changed", {}));
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: fetchListed(reach),
  });
  await client.connect(transport, { timeout: limits.UPSTREAM_START_MS });
  return client;
}

/** Only from hosts that are listed, and only so much. */
function fetchListed(reach: readonly string[]): FetchLike {
  return async (url, init) => {
    const why = refusedAddress(String(url), reach);
    if (why !== undefined) throw new Error(`${String(url).slice(0, 200)} may not be spoken to: ${why}`);
    const response = await fetch(url, init);
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
