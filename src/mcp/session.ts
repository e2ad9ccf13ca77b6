/**
 * One conversation over one pair of streams: what is in flight, what was cancelled, and when it is over. Requests are
 * begun in the order they came; answers leave when they are ready. What a request means is its service's.
 *
 * Usual mistake: to await in `receive`. It must return at once, or a slow call would hold back a cancel.
 */
import { CLOCK, limits, reportBug, StopSource, type Clock } from "../base/index.ts";
import {
  errorLine,
  parseMessage,
  resultLine,
  RPC,
  RpcError,
  type Frame,
  type Notification,
  type Request,
  type RequestId,
  type Writer,
} from "../wire/index.ts";
import { declares, nameOf, SCRIPT, type ClientFacts } from "./about.ts";
import { answerCore, type CoreParts } from "./answer-core.ts";
import { createStateSealer, InputRequired, openRetry, questionsResult } from "./input-required.ts";
import { Peer } from "./peer.ts";
import { chooseVersion, createRevisionChooser, type EraState } from "./revisions.ts";
import { openProgress, RequestContext, type Service } from "./service.ts";
import { Subscriptions, type ListKind } from "./subscriptions.ts";
import { knowsTasks, Tasks, type Settled, type Task } from "./tasks.ts";

/** What a service says to whoever listens, in the form of each era. */
export interface Announcer {
  listChanged(kind: ListKind): void;
  /** Subscribers of the handshake era are the service's own to tell. */
  resourceUpdated(uri: string): void;
}

export class Session implements Announcer {
  readonly #writer: Writer;
  readonly #service: Service;
  readonly #clock: Clock;
  readonly #state: EraState;
  readonly #choose: ReturnType<typeof createRevisionChooser>;
  readonly #inFlight: Map<RequestId, StopSource> = new Map();
  readonly #peer: Peer;
  readonly #core: CoreParts;
  #waiters: (() => void)[] = [];
  #isAtEnd = false;
  #isOver = false;

  /** @param open makes the service, which may keep what it is given */
  constructor(writer: Writer, open: (peer: Peer, announcer: Announcer) => Service, clock: Clock = CLOCK) {
    this.#writer = writer;
    this.#clock = clock;
    this.#peer = new Peer(writer, clock);
    this.#service = open(this.#peer, this);
    const subscriptions = new Subscriptions(this.#peer);
    this.#state = { handshake: undefined, strict: this.#service.strict };
    this.#core = {
      state: this.#state,
      subscriptions,
      tasks: new Tasks((task) => subscriptions.taskChanged(task.id, () => task.detail())),
      sealer: createStateSealer(),
      service: this.#service,
    };
    this.#choose = createRevisionChooser(this.#service.about);
    writer.onBroken(() => this.cancelAll());
    writer.beforeWrite = () => this.#service.beforeAnswers?.();
  }

  receive(frame: Frame): void {
    if (this.#isOver) return;
    if (frame.kind === "rejected") {
      this.#writer.send(errorLine(frame.id, frame));
      return;
    }
    const message = parseMessage(frame.text);
    if (message.kind === "request") void this.#answer(message);
    else if (message.kind === "notification") this.#notice(message);
    else if (message.kind === "response") this.#peer.settle(message);
    else if (!message.isResponse) this.#writer.send(errorLine(message.id, message));
  }

  /** Holds the sender back while too much is unanswered or unread. */
  afterChunk(): Promise<void> | undefined {
    const drained = this.#writer.drained();
    if (drained) return drained;
    return this.#inFlight.size < limits.MAX_IN_FLIGHT || this.#peer.mustHear
      ? undefined
      : this.#until(() => this.#inFlight.size < limits.MAX_IN_FLIGHT / 2);
  }

  /** Every accepted call has been answered. */
  settled(): Promise<void> {
    return this.#until(() => this.#inFlight.size === 0);
  }

  /** Nothing more comes in: no answers to what was asked, nobody who looks at a task or ends a subscription. */
  endInput(): void {
    this.#isAtEnd = true;
    this.#peer.close();
    this.#service.endInput?.();
    this.#core.subscriptions.close();
    this.#core.tasks.close();
  }

  /** Nothing more is begun. */
  cancelAll(): void {
    this.#isOver = true;
    for (const stop of this.#inFlight.values()) stop.abort();
    this.#core.tasks.close();
    this.#core.subscriptions.close();
  }

  listChanged(kind: ListKind): void {
    this.#core.subscriptions.listChanged(kind);
    if (this.#state.handshake && declares(this.#service.about.capabilities, kind, "listChanged"))
      this.#peer.notify(`notifications/${kind}/list_changed`);
  }

  resourceUpdated(uri: string): void {
    this.#core.subscriptions.resourceUpdated(uri);
  }

  async #answer(request: Request): Promise<void> {
    const { id, method, params } = request;
    if (this.#inFlight.has(id)) {
      const message = "a request with this id is still in flight";
      this.#writer.send(errorLine(id, { code: RPC.invalidRequest, message }));
      return;
    }
    const choice = this.#choose(method, params, this.#state);
    if ("problem" in choice) {
      this.#writer.send(errorLine(id, choice.problem));
      return;
    }
    if (method === "initialize" && choice.revision.methods.has(method)) this.#greet(params);
    const signal = new StopSource();
    this.#inFlight.set(id, signal);
    const progress = openProgress(params, this.#writer, this.#clock);
    if (progress) signal.addEventListener("abort", () => progress[Symbol.dispose]());
    const { revision, client } = choice;
    const onProgress = progress?.report;
    const context = new RequestContext({ id, revision, client, signal, onProgress, peer: this.#peer });
    const settling = this.#settle(request, context);
    const afterMs = this.#taskAfterMs(request, context);
    const task = afterMs === undefined ? undefined : await this.#becomeTask(context, settling, afterMs);
    const line = task ? resultLine(id, `{"resultType":"task",${task.seed()}}`) : lineOf(id, await settling);
    progress?.[Symbol.dispose]();
    this.#inFlight.delete(id);
    if (!signal.aborted) this.#send(id, line);
    if (this.#waiters.length > 0) this.#wake();
    if (task) task.settle(await settling);
  }

  /** How long it may take before it becomes a task; never for a client that would not know what to do with one. */
  #taskAfterMs(request: Request, { revision, client }: RequestContext): number | undefined {
    return request.method === "tools/call" && revision.name === "modern" && knowsTasks(client.capabilities)
      ? this.#service.taskAfterMs(request)
      : undefined;
  }

  async #becomeTask(context: RequestContext, settling: Promise<Settled>, afterMs: number): Promise<Task | undefined> {
    const isDone = await isDoneWithin(settling, afterMs, this.#clock);
    // At the end of the input nobody will ask for a task: the call is answered when it is done.
    if (isDone || context.mayAsk || context.signal.aborted || this.#isAtEnd) return undefined;
    context.task = this.#core.tasks.create(context.signal);
    return context.task;
  }

  async #settle(request: Request, context: RequestContext): Promise<Settled> {
    try {
      if (context.revision.name === "modern") context.retry = openRetry(request, this.#core.sealer);
      return { result: await this.#resultOf(request, context) };
    } catch (thrown) {
      if (thrown instanceof InputRequired)
        return { result: questionsResult(request, context.revision, thrown, this.#core.sealer) };
      if (thrown instanceof RpcError)
        return { error: { code: thrown.code, message: thrown.message, data: thrown.data } };
      return { error: { code: RPC.internalError, message: `an internal error (${reportBug(thrown)})` } };
    }
  }

  #resultOf(request: Request, context: RequestContext): string | Promise<string> {
    const { revision } = context;
    if (revision.methods.has(request.method)) return answerCore(request, context, this.#core);
    if (this.#service.methods.has(request.method) && !revision.without.has(request.method))
      return this.#service.answer(request, context);
    throw new RpcError(RPC.methodNotFound, `there is no method ${JSON.stringify(request.method.slice(0, 100))}`);
  }

  #greet(params: Readonly<Record<string, unknown>>): void {
    const capabilities = params["capabilities"];
    const client: ClientFacts = {
      name: nameOf(params["clientInfo"]),
      version: chooseVersion(params["protocolVersion"]),
      capabilities:
        typeof capabilities === "object" && capabilities !== null
          ? (capabilities as Readonly<Record<string, unknown>>)
          : SCRIPT.capabilities,
      logLevel: this.#service.logLevel ?? "warning",
    };
    this.#state.handshake = client;
    this.#service.greeted?.(client);
  }

  #notice({ method, params }: Notification): void {
    if (method !== "notifications/cancelled") {
      this.#service.notice?.(method);
      return;
    }
    const id = params["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#inFlight.get(id)?.abort();
    this.#core.subscriptions.end(id);
  }

  /** No client reads a longer line than this: the SDKs give up at 10 MB, and their connection with it. */
  #send(id: RequestId, line: string): void {
    const isTooLong = line.length * 3 > limits.MAX_LINE_BYTES && Buffer.byteLength(line) > limits.MAX_LINE_BYTES;
    const message = `the answer is longer than ${limits.MAX_LINE_BYTES} bytes`;
    this.#writer.send(isTooLong ? errorLine(id, { code: RPC.internalError, message }) : line);
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

function lineOf(id: RequestId, settled: Settled): string {
  return "result" in settled ? resultLine(id, settled.result) : errorLine(id, settled.error);
}

async function isDoneWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  using _ = clock.after(ms, () => resolve(false));
  return await Promise.race([work.then(() => true), promise]);
}
