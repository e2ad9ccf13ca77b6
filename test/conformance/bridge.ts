/**
 * Streamable HTTP before a process that speaks the protocol on stdin and stdout, because the conformance suite speaks
 * only HTTP. It passes messages as they are and changes nothing but request ids, which several HTTP clients may share;
 * whatever is judged is the process behind it. One process for each session of the handshake era, one for everything of
 * the modern era.
 *
 * What the suite wants of HTTP itself (status codes, headers, the origin) is answered here and proves nothing about the
 * process.
 */
import { StdioChild, type Message, type Sink } from "./stdio-child.ts";

const MODERN = "io.modelcontextprotocol/";
const HEADER_MISMATCH = -32020;
/** Codes whose answers have a status of their own. */
const STATUS: Readonly<Record<number, number>> = {
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
  [-32601]: 404,
};
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export interface Bridge extends AsyncDisposable {
  readonly url: string;
  /** Lines of the process that were not one JSON object. */
  readonly broken: readonly string[];
  /** What the processes said on stderr. */
  readonly said: readonly string[];
}

export function openBridge(command: readonly string[]): Bridge {
  const broken: string[] = [];
  const said: string[] = [];
  const sessions = new Map<string, StdioChild>();
  let shared: StdioChild | undefined;
  const start = (): StdioChild => new StdioChild(command, broken, said);

  async function post(request: Request): Promise<Response> {
    const message = (await request.json()) as Message;
    const session = request.headers.get("mcp-session-id");
    if (isModern(message) || (session === null && message.method !== "initialize")) {
      const problem = headerProblem(message, request.headers);
      if (problem !== undefined) return errorResponse(message.id ?? null, HEADER_MISMATCH, problem, 400);
      shared ??= start();
      return await exchange(shared, message, request.signal);
    }
    if (message.method === "initialize") {
      const id = crypto.randomUUID();
      const child = start();
      sessions.set(id, child);
      return await exchange(child, message, request.signal, { "mcp-session-id": id });
    }
    const child = sessions.get(session ?? "");
    if (!child) return errorResponse(message.id ?? null, -32600, "no such session", 404);
    return await exchange(child, message, request.signal);
  }

  const server = Bun.serve({
    port: 0,
    hostname: "localhost",
    idleTimeout: 0,
    async fetch(request) {
      const { headers, method } = request;
      if (!LOCAL.test(headers.get("host") ?? "") || !LOCAL.test(headers.get("origin") ?? "localhost"))
        return new Response("forbidden", { status: 403 });
      if (method === "POST") return await post(request);
      const child = sessions.get(headers.get("mcp-session-id") ?? "");
      if (method === "GET" && child) return eventStream((sink) => child.listen(sink));
      if (method !== "DELETE" || !child) return new Response(null, { status: 405 });
      sessions.delete(headers.get("mcp-session-id") ?? "");
      await child.close();
      return new Response(null, { status: 200 });
    },
  });

  return {
    url: `http://localhost:${server.port}/mcp`,
    broken,
    said,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await Promise.all([...sessions.values(), ...(shared ? [shared] : [])].map((child) => child.close()));
    },
  };
}

/** One message in, and for a request its answer: as JSON when it comes first, else as a stream with what came before. */
async function exchange(
  child: StdioChild,
  message: Message,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  if (message.method === undefined || message.id === undefined) {
    child.send(message);
    return new Response(null, { status: 202 });
  }
  const queue: Message[] = [];
  let forward: Sink = (one) => void queue.push(one);
  const first = Promise.withResolvers<void>();
  const cancel = child.request(message, (one) => {
    forward(one);
    first.resolve();
  });
  signal.addEventListener("abort", cancel);
  await first.promise;
  const [answer] = queue;
  if (answer && answer.method === undefined) return Response.json(answer, { status: statusOf(answer), headers });
  return eventStream((sink) => {
    for (const one of queue.splice(0)) sink(one);
    forward = sink;
    return cancel;
  }, headers);
}

/** A stream that ends after an answer. */
function eventStream(open: (sink: Sink) => () => void, headers: Readonly<Record<string, string>> = {}): Response {
  let close: (() => void) | undefined;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true;
      // Some bytes at once, or the headers would not leave before the first message.
      controller.enqueue(encoder.encode(": open\n\n"));
      close = open((message) => {
        if (!isOpen) return;
        controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`));
        if (message.method !== undefined) return;
        isOpen = false;
        controller.close();
      });
    },
    cancel: () => close?.(),
  });
  return new Response(body, { headers: { ...headers, "content-type": "text/event-stream" } });
}

function isModern({ params }: Message): boolean {
  const meta = params?.["_meta"];
  return typeof meta === "object" && meta !== null && Object.keys(meta).some((key) => key.startsWith(MODERN));
}

/** The headers of Streamable HTTP must say what the message says. */
function headerProblem({ method, params }: Message, headers: Headers): string | undefined {
  const meta = params?.["_meta"] as Readonly<Record<string, unknown>> | undefined;
  const version = meta?.[`${MODERN}protocolVersion`];
  if (version !== undefined && headers.get("mcp-protocol-version") !== version)
    return "the header MCP-Protocol-Version does not fit";
  if ((headers.get("mcp-method") ?? method) !== method) return "the header Mcp-Method does not fit";
  const name = params?.["name"] ?? params?.["uri"] ?? params?.["taskId"];
  return typeof name === "string" && (headers.get("mcp-name") ?? name) !== name
    ? "the header Mcp-Name does not fit"
    : undefined;
}

function statusOf({ error }: Message): number {
  if (error?.data !== undefined && typeof error.data === "object" && "missing" in error.data) return 400;
  return (error && STATUS[error.code]) ?? 200;
}

function errorResponse(id: unknown, code: number, message: string, status: number): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status });
}
