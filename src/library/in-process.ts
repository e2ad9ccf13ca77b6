/**
 * The way of a program to the host in its own process: requests go to the service as they would over a pipe, and what the host
 * says unasked comes back as lines. What is asked here passes the same checks, bounds and record, and is plain data.
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
  type Revision,
  type Service,
} from "../mcp/index.ts";
import { sayProgress } from "../text/index.ts";
import { RpcError, Writer, type RequestId } from "../wire/index.ts";
import type { Person } from "./person.ts";

type Params = Readonly<Record<string, unknown>>;

/** What changes in lists is read again by a program that wants to know. */
const NOBODY: Announcer = { listChanged: () => undefined, resourceUpdated: () => undefined };

export class InProcess implements Transport {
  readonly #host: Host;
  readonly #service: Service;
  readonly #peer: Peer;
  readonly #client: ClientFacts;
  readonly #revision: Revision;
  readonly #person: Person | undefined;
  /** Questions that wait for an answer. */
  readonly #asked: Map<RequestId, AbortController> = new Map();
  readonly #running: Set<StopSource> = new Set();
  readonly #pending: Set<Promise<unknown>> = new Set();
  readonly #listeners: Set<Parameters<Listen>> = new Set();
  #lastId = 0;
  #isClosed = false;

  /**
   * @param client how the program calls itself
   * @param person who answers what is asked in the middle of a call; `undefined`: nobody
   */
  constructor(host: Host, client: string | undefined, person: Person | undefined) {
    this.#host = host;
    this.#person = person;
    this.#client = person ? { ...ASKABLE, name: client } : { ...SCRIPT, name: client };
    this.#revision = person ? { ...scriptRevision, name: "handshake" } : scriptRevision;
    const writer = new Writer({ write: (text) => this.#hear(text), flush: () => undefined });
    writer.beforeWrite = () => host.writeRecord();
    this.#peer = new Peer(writer);
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
    this.#peer.close();
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
    // The ids of a client on a transport are numbers, mostly, and must not be taken for these.
    const id = `program-${++this.#lastId}`;
    const report =
      onProgress &&
      ((progress: number, total: number | undefined, message: string) =>
        onProgress({ progress, total, message: sayProgress(progress, total, message) }));
    const context = new RequestContext({
      id,
      revision: this.#revision,
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
      this.#service.beforeAnswers?.();
      this.#running.delete(source);
    }
    // Whatever came of it: its caller gave it up, and hears the same as over a pipe.
    if (stop.reason !== undefined) throw failureFromData(stoppedFailure(stop.reason, method, params));
    return result;
  }

  /** Notifications and questions, one a line. */
  #hear(text: string): void {
    if (this.#listeners.size === 0 && !this.#person) return;
    for (const line of text.split("\n").filter((one) => one !== "")) {
      const { id, method, params = {} } = JSON.parse(line) as Heard;
      if (method === "ringfence/events") for (const [take] of this.#listeners) take(params as HostEvent);
      else if (method === "notifications/cancelled") this.#asked.get(params["requestId"] as RequestId)?.abort();
      else if (id !== undefined) void this.#ask(id, method, params);
    }
  }

  /** Whatever comes of it is an answer, and nothing but a choice of the person decides anything. */
  async #ask(id: RequestId, method: string, params: Params): Promise<void> {
    const stop = new AbortController();
    this.#asked.set(id, stop);
    const result =
      this.#person && method === "elicitation/create"
        ? await this.#person(params, stop.signal)
        : { action: "cancel" as const };
    this.#asked.delete(id);
    this.#peer.settle({ kind: "response", id, result });
  }
}

interface Heard {
  readonly id?: RequestId;
  readonly method: string;
  readonly params?: Params;
}

/** A program that answers for its person, as a client does that shows forms. */
const ASKABLE: ClientFacts = { ...SCRIPT, version: "2025-11-25", capabilities: { elicitation: { form: {} } } };

/** What its caller changes later is not changed here. @throws Failure for what JSON cannot say */
function asData(params: Params): Params {
  try {
    return JSON.parse(JSON.stringify(params)) as Params;
  } catch (cause) {
    throw new Failure("invalid_input", "Cannot read the arguments: they are no plain data", { cause });
  }
}
