/**
 * The SDK's client, told to believe no schema and to offer nothing. It is loaded with the first connection and never
 * before, and this file knows nothing else of the program: what it shared with the start would make the start slower.
 */
import { Client } from "@modelcontextprotocol/client";

export interface SdkCall {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (done: number, total: number | undefined, what: string) => void;
}

const LIST_MS = 10_000;
const MAX_PAGES = 20;
/** A little more than the host waits: it is the host who says that the time is over. */
const LATER_MS = 2000;

/** @param probeMs before a server is taken for one of the handshake era: some never answer what they do not know */
export function createClient(version: string, probeMs: number): Client {
  return new Client(
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

/** Unchecked: the SDK would give up the whole list over one tool that it does not like. */
export async function listAll(client: Client, timeoutMs: number = LIST_MS): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "tools/list", params }, ANYTHING, { timeout: timeoutMs });
    const { tools, nextCursor } = page as { tools?: unknown; nextCursor?: unknown };
    if (!Array.isArray(tools)) throw new Error("it answers with no list of tools");
    all.push(...(tools as unknown[]));
    if (typeof nextCursor !== "string") return all;
    cursor = nextCursor;
  }
  throw new Error(`its tools have no end after ${MAX_PAGES} pages`);
}

const ANYTHING = {
  "~standard": { version: 1, vendor: "ringfence", validate: (value: unknown) => ({ value }) },
} as const;

/** With its cancellation and its progress passed on. */
export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { signal, timeoutMs, onProgress }: SdkCall,
): Promise<unknown> {
  return await client.callTool(
    { name, arguments: { ...args } },
    {
      signal,
      timeout: timeoutMs + LATER_MS,
      onprogress: ({ progress, total, message }) => onProgress(progress, total, message ?? ""),
    },
  );
}
