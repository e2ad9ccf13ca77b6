/**
 * The process behind the bridge. Several HTTP requests share it, so ids and progress tokens get numbers of their own on
 * the way in and their old values on the way out. What cannot be told by an id goes to the request that came last.
 */
import { LineSplitter } from "../../scripts/start/line-splitter.ts";
export interface Message {
  jsonrpc: "2.0";
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  error?: { readonly code: number; readonly data?: object };
}

export type Sink = (message: Message) => void;

interface Pending {
  readonly id: number | string | null | undefined;
  readonly token: unknown;
  readonly sink: Sink;
}

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

export class StdioChild {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #pending: Map<number, Pending> = new Map();
  readonly #broken: string[];
  readonly #reading: Promise<unknown>;
  #listener: Sink | undefined;
  #last = 0;

  constructor(command: readonly string[], broken: string[], said: string[]) {
    this.#child = Bun.spawn([...command], { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    this.#broken = broken;
    this.#reading = Promise.all([this.#read(), keepText(this.#child.stderr, said)]);
  }

  send(message: Message): void {
    void this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    void this.#child.stdin.flush();
  }

  /** @returns takes the request back */
  request(message: Message, sink: Sink): () => void {
    const id = ++this.#last;
    const meta = message.params?.["_meta"] as Record<string, unknown> | undefined;
    const token = meta?.["progressToken"];
    this.#pending.set(id, { id: message.id, token, sink });
    const params = token === undefined ? message.params : { ...message.params, _meta: { ...meta, progressToken: id } };
    this.send({ ...message, id, ...(params ? { params } : {}) });
    return () => {
      if (!this.#pending.delete(id)) return;
      this.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    };
  }

  /** What belongs to no request. */
  listen(sink: Sink): () => void {
    this.#listener = sink;
    return () => (this.#listener = undefined);
  }

  async close(): Promise<void> {
    await this.#child.stdin.end();
    await this.#child.exited;
    await this.#reading;
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    for await (const chunk of this.#child.stdout) {
      for (const line of splitter.push(chunk)) this.#take(line);
    }
  }

  #take(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      this.#broken.push(line);
      return;
    }
    if (message.method === undefined) {
      const pending = this.#pending.get(message.id as number);
      this.#pending.delete(message.id as number);
      pending?.sink(renamed({ ...message, id: pending.id ?? null }, pending.id));
      return;
    }
    const owner = this.#ownerOf(message);
    if (owner) owner.sink(renamed(message, owner.id, owner.token));
    else this.#listener?.(message);
  }

  #ownerOf({ params }: Message): Pending | undefined {
    const meta = params?.["_meta"] as Record<string, unknown> | undefined;
    const named = meta?.[SUBSCRIPTION] ?? params?.["progressToken"];
    if (named !== undefined) return this.#pending.get(named as number);
    return [...this.#pending.values()].at(-1);
  }
}

/** Keeps the text of a stream, to be shown when a scenario fails. */
async function keepText(stream: ReadableStream<Uint8Array>, said: string[]): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) said.push(decoder.decode(chunk, { stream: true }));
}

/** Copies of messages, because several sinks may get one. */
function renamed(message: Message, id: unknown, token?: unknown): Message {
  const copy = structuredClone(message) as Message & { result?: { _meta?: Record<string, unknown> } };
  const metas = [copy.params?.["_meta"] as Record<string, unknown> | undefined, copy.result?._meta];
  for (const meta of metas) if (meta && SUBSCRIPTION in meta) meta[SUBSCRIPTION] = id;
  if (token !== undefined && copy.params && "progressToken" in copy.params) copy.params["progressToken"] = token;
  return copy;
}
