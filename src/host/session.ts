/**
 * One conversation over one pair of streams: what is in flight, what was cancelled, and when it is over. Requests are
 * begun in the order they came; answers leave when they are ready.
 *
 * Usual mistake: to await in `receive`. It must return at once, or a slow call would hold back a cancel.
 */
import { limits, StopSource, type StopSignal } from "../base/index.ts";
import { createRevisionChooser, type About, type EraState, type Revision } from "../mcp/index.ts";
import {
  errorLine,
  notificationLine,
  parseMessage,
  resultLine,
  RPC,
  RpcError,
  type Frame,
  type Malformed,
  type Notification,
  type Request,
  type RequestId,
  type Writer,
} from "../wire/index.ts";
import { answerRequest } from "./answer-request.ts";
import { ClientRequests } from "./client-requests.ts";
import { ClientRoots } from "./client-roots.ts";
import { reportBug, type Host } from "./host.ts";
import { openProgress } from "./progress.ts";

/** Everything that one request needs from its session. */
export interface RequestContext {
  readonly host: Host;
  readonly about: About;
  readonly revision: Revision;
  readonly state: EraState;
  readonly signal: StopSignal;
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined;
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => void;
}

export class Session {
  readonly #host: Host;
  readonly #writer: Writer;
  readonly #about: About;
  readonly #state: EraState;
  readonly #choose: ReturnType<typeof createRevisionChooser>;
  readonly #inFlight: Map<RequestId, StopSource> = new Map();
  readonly #asked: ClientRequests;
  readonly #roots: ClientRoots;
  #waiters: (() => void)[] = [];

  constructor(host: Host, writer: Writer, about: About) {
    this.#host = host;
    this.#writer = writer;
    this.#about = about;
    this.#state = { shookHands: false, strict: host.config.strict };
    this.#choose = createRevisionChooser(about);
    this.#asked = new ClientRequests(writer);
    this.#roots = new ClientRoots(host, this.#asked);
    writer.onBroken(() => this.cancelAll());
  }

  receive(frame: Frame): void {
    if (frame.kind === "rejected") {
      this.#writer.send(errorLine(frame.id, frame.code, frame.message));
      return;
    }
    const message = parseMessage(frame.text);
    if (message.kind === "request") void this.#answer(message);
    else if (message.kind === "notification") this.#notice(message);
    else if (message.kind === "malformed") this.#refuse(message);
    else this.#asked.settle(message);
  }

  /** Holds the sender back while too much is unanswered or unread. */
  afterChunk(): Promise<void> | undefined {
    const drained = this.#writer.drained();
    if (drained) return drained;
    return this.#inFlight.size < limits.MAX_IN_FLIGHT
      ? undefined
      : this.#until(() => this.#inFlight.size < limits.MAX_IN_FLIGHT / 2);
  }

  /** Every accepted call has been answered. */
  settled(): Promise<void> {
    return this.#until(() => this.#inFlight.size === 0);
  }

  /** Nothing more comes in, and so no answer to what this host asked. */
  endInput(): void {
    this.#asked.close();
    this.#roots.close();
  }

  cancelAll(): void {
    for (const stop of this.#inFlight.values()) stop.abort();
  }

  async #answer(request: Request): Promise<void> {
    const { id, method, params } = request;
    if (this.#inFlight.has(id)) {
      this.#writer.send(errorLine(id, RPC.invalidRequest, "a request with this id is still in flight"));
      return;
    }
    const choice = this.#choose(method, params, this.#state);
    if ("problem" in choice) {
      this.#writer.send(errorLine(id, choice.problem.code, choice.problem.message, choice.problem.data));
      return;
    }
    if (method === "initialize" && choice.revision.methods.has(method)) this.#greet(params);
    const stop = new StopSource();
    this.#inFlight.set(id, stop);
    const progress = openProgress(params, this.#writer);
    const line = await this.#lineFor(request, {
      host: this.#host,
      about: this.#about,
      revision: choice.revision,
      state: this.#state,
      signal: stop,
      onProgress: progress?.report,
      notify: (name, about) => this.#writer.send(notificationLine(name, about)),
    });
    progress?.[Symbol.dispose]();
    this.#inFlight.delete(id);
    if (!stop.aborted) this.#writer.send(line);
    if (this.#waiters.length > 0) this.#wake();
  }

  #greet({ capabilities, clientInfo }: Readonly<Record<string, unknown>>): void {
    this.#roots.declare(capabilities);
    const name = (clientInfo as { name?: unknown } | undefined)?.name;
    this.#host.policy.clientName = typeof name === "string" ? name : undefined;
  }

  async #lineFor(request: Request, context: RequestContext): Promise<string> {
    try {
      if (this.#roots.known && needsRoots(request.method)) await this.#roots.known;
      return resultLine(request.id, await answerRequest(request, context));
    } catch (thrown) {
      if (thrown instanceof RpcError) return errorLine(request.id, thrown.code, thrown.message, thrown.data);
      return errorLine(request.id, RPC.internalError, `an internal error (${reportBug(thrown)})`);
    }
  }

  #notice({ method, params }: Notification): void {
    if (method !== "notifications/cancelled") {
      this.#roots.notice(method);
      return;
    }
    const id = params["requestId"];
    if (typeof id === "string" || typeof id === "number") this.#inFlight.get(id)?.abort();
  }

  #refuse(malformed: Malformed): void {
    if (malformed.isResponse) return;
    this.#writer.send(errorLine(malformed.id, malformed.code, malformed.message, malformed.data));
  }

  #until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (condition()) resolve();
        else this.#waiters.push(check);
      };
      this.#waiters.push(check);
    });
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }
}

/** What reaches files or proposals. */
function needsRoots(method: string): boolean {
  return method === "tools/call" || method.startsWith("ringfence/");
}
