/**
 * Requests to a host in this process: the service that answers a client over a pipe, without the pipe. What is asked here
 * passes the same checks, bounds and record, and is plain data like what comes over a pipe.
 */
import { Failure, failureFromData, StopSource } from "../base/index.ts";
import {
  failureOfRpc,
  stoppedFailure,
  type FailureData,
  type HostEvent,
  type Listen,
  type RequestHow,
  type Transport,
} from "../calls/index.ts";
import { createAbout, createHostService, type Host } from "../host/index.ts";
import {
  Peer,
  RequestContext,
  SCRIPT,
  scriptRevision,
  type Announcer,
  type ClientFacts,
  type Service,
} from "../mcp/index.ts";
import { sayProgress } from "../text/index.ts";
import { Writer, RpcError } from "../wire/index.ts";

type Params = Readonly<Record<string, unknown>>;

/** What changes in lists is read again by a program that wants to know. */
const NOBODY: Announcer = { listChanged: () => undefined, resourceUpdated: () => undefined };

export class InProcess implements Transport {
  readonly #host: Host;
  readonly #service: Service;
  readonly #peer: Peer;
  readonly #client: ClientFacts;
  readonly #running: Set<StopSource> = new Set();
  readonly #pending: Set<Promise<unknown>> = new Set();
  readonly #listeners: Set<Parameters<Listen>> = new Set();
  #lastId = 0;
  #isClosed = false;

  /** @param client how the program calls itself */
  constructor(host: Host, client: string | undefined) {
    this.#host = host;
    this.#client = { ...SCRIPT, name: client };
    this.#peer = new Peer(new Writer({ write: (text) => this.#hear(text), flush: () => undefined }));
    this.#service = createHostService(
      host,
      createAbout("", () => ""),
      this.#peer,
      NOBODY,
    );
  }

  async request(method: string, params: Params, how: RequestHow): Promise<unknown> {
    if (this.#isClosed) throw new Failure("cancelled", `Cannot ask for ${method}: the host was closed`);
    const answer = this.#answer(method, params, how);
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  listen(...listener: Parameters<Listen>): () => void {
    this.#listeners.add(listener);
    if (this.#isClosed) listener[1](undefined);
    return () => this.#listeners.delete(listener);
  }

  fail(data: FailureData): Failure {
    return failureFromData(data);
  }

  /** What runs is stopped. A change under way is finished or taken back, however long that takes: it holds locks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const source of this.#running) source.abort();
    await Promise.allSettled(this.#pending);
    await this.#host.recovering;
    this.#host[Symbol.dispose]();
    for (const [, ended] of this.#listeners) ended(undefined);
    this.#listeners.clear();
  }

  async #answer(method: string, params: Params, { stop, onProgress }: RequestHow): Promise<unknown> {
    const given = asData(params);
    const source = new StopSource();
    this.#running.add(source);
    stop.onStop(() => source.abort());
    const id = ++this.#lastId;
    const report =
      onProgress &&
      ((progress: number, total: number | undefined, message: string) =>
        onProgress({ progress, total, message: sayProgress(progress, total, message) }));
    const context = new RequestContext({
      id,
      revision: scriptRevision,
      client: this.#client,
      signal: source,
      onProgress: report,
      peer: this.#peer,
    });
    let result: unknown;
    try {
      result = JSON.parse(await this.#service.answer({ kind: "request", id, method, params: given }, context));
    } catch (thrown) {
      if (stop.reason === undefined) throw thrown instanceof RpcError ? failureFromData(failureOfRpc(thrown)) : thrown;
    } finally {
      this.#running.delete(source);
    }
    // Whatever came of it: its caller gave it up, and hears the same as over a pipe.
    if (stop.reason !== undefined) throw failureFromData(stoppedFailure(stop.reason, method, params));
    return result;
  }

  /** Notifications, one a line. */
  #hear(text: string): void {
    if (this.#listeners.size === 0) return;
    for (const line of text.split("\n").filter((one) => one !== "")) {
      const { method, params } = JSON.parse(line) as { method?: string; params?: HostEvent };
      if (method === "ringfence/events" && params) for (const [take] of this.#listeners) take(params);
    }
  }
}

/** What its caller changes later is not changed here. @throws Failure for what JSON cannot say */
function asData(params: Params): Params {
  try {
    return JSON.parse(JSON.stringify(params)) as Params;
  } catch (cause) {
    throw new Failure("invalid_input", "Cannot read the arguments: they are no plain data", { cause });
  }
}
