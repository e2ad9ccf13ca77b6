/**
 * JSON-RPC to a host: requests by id, answers in any order, progress by token, what is given up taken back at the host.
 * When the host ends, everything that waits fails at once and says how it ended.
 */
import {
  failureOfRpc,
  stoppedFailure,
  type CallProgress,
  type FailureData,
  type HostEvent,
  type Listen,
  type RequestHow,
  type RpcProblem,
  type Transport,
} from "../calls/index.ts";
import { CallError, ConnectionError, HostProcess, type HostEnd, type ProcessOptions } from "./host-process.ts";

type Params = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: RequestHow["onProgress"];
}

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: RpcProblem;
}

type ConnectionOptions = Pick<ProcessOptions, "binary" | "args" | "cwd" | "env" | "onStderr">;

export class Connection implements Transport {
  readonly process: HostProcess;
  readonly #waiting: Map<number, Waiting> = new Map();
  readonly #listeners: Set<Parameters<Listen>> = new Set();
  #lastId = 0;
  #gone: ConnectionError | undefined;
  #isClosing = false;

  constructor(options: ConnectionOptions) {
    this.process = new HostProcess({
      ...options,
      onLine: (line) => this.#receive(line),
      onEnd: (end, startError) => this.#end(end, startError),
    });
  }

  async request(method: string, params: Params, { stop, onProgress }: RequestHow): Promise<unknown> {
    if (this.#gone) throw this.#gone;
    if (this.#isClosing) throw closedError(this.process.stderr);
    const id = ++this.#lastId;
    const known = params["_meta"] as Params | undefined;
    const given = onProgress ? { ...params, _meta: { ...known, progressToken: id } } : params;
    return await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      stop.onStop((why) => {
        if (!this.#waiting.delete(id)) return;
        this.notify("notifications/cancelled", { requestId: id, reason: why });
        reject(this.fail(stoppedFailure(why, method, params)));
      });
      if (this.#waiting.has(id)) this.#send({ id, method, params: given });
    });
  }

  notify(method: string, params: Params = {}): void {
    this.#send({ method, params });
  }

  listen(...listener: Parameters<Listen>): () => void {
    const [, ended] = listener;
    if (this.#gone) ended(this.#gone);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  fail(data: FailureData): CallError {
    return new CallError(data);
  }

  /** Every call that the host has is answered before it ends. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    await this.process.close(graceMs);
  }

  #send(message: object): void {
    this.process.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    if (!message) this.#notAHost(line);
    else if (message.method === undefined) this.#settle(message);
    else if (message.id === undefined) this.#notice(message);
    // Nothing was declared that a host may ask for.
    else this.#send({ id: message.id, error: { code: -32601, message: "this client answers no requests" } });
  }

  /** Whatever wrote this is no host, and nothing that it says can be trusted. */
  #notAHost(line: string): void {
    const { binary } = this.process;
    this.#fail(
      new ConnectionError(
        `Cannot talk to "${binary}": it wrote to stdout what is no message: ${JSON.stringify(line.slice(0, 200))}`,
        { exitCode: null, signal: null, stderr: this.process.stderr },
      ),
    );
    this.process.kill();
  }

  #settle({ id, result, error }: Message): void {
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (!waiting || typeof id !== "number") return;
    this.#waiting.delete(id);
    if (error) waiting.reject(this.fail(failureOfRpc(error)));
    else waiting.resolve(result);
  }

  #notice({ method, params = {} }: Message): void {
    if (method === "ringfence/events") for (const [take] of this.#listeners) take(params as HostEvent);
    if (method !== "notifications/progress") return;
    const { progressToken, ...progress } = params;
    if (typeof progressToken === "number")
      this.#waiting.get(progressToken)?.onProgress?.(progress as unknown as CallProgress);
  }

  #end(end: HostEnd, startError: Error | undefined): void {
    if (startError instanceof ConnectionError) this.#fail(startError);
    else if (this.#isClosing) this.#fail(closedError(end.stderr), true);
    else this.#fail(new ConnectionError(`The host has ended ${howEnded(end)}`, end));
  }

  #fail(error: ConnectionError, isClosed = false): void {
    if (this.#gone) return;
    this.#gone = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const [, ended] of this.#listeners) ended(isClosed ? undefined : error);
    this.#listeners.clear();
  }
}

function parseMessage(line: string): Message | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function howEnded({ exitCode, signal }: HostEnd): string {
  return signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
}

function closedError(stderr: string): ConnectionError {
  return new ConnectionError("Cannot call: the client was closed", { exitCode: 0, signal: null, stderr });
}
