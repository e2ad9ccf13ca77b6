/**
 * What a session speaks for, a `Service`, and what it gets beside each request, a `RequestContext`: who sent it, whether it
 * was taken back, and the ways to talk to its client while it works. Both are the same in every era; the difference
 * between a question that is sent and one that ends the call is here.
 */
import { limits, type Clock, type StopSource, type Timer } from "../base/index.ts";
import { sayProgress } from "../text/index.ts";
import { notificationLine, type Request, type RequestId, type Writer } from "../wire/index.ts";
import { isHeard, type About, type ClientFacts, type LogLevel } from "./about.ts";
import { InputRequired, type InputRequests, type InputResponses, type RetriedRequest } from "./input-required.ts";
import type { Peer } from "./peer.ts";
import type { Revision } from "./revisions.ts";
import type { Task } from "./tasks.ts";

export interface Service {
  readonly about: About;
  /** Requests of neither era are refused. */
  readonly strict: boolean;
  /** What a handshake client hears that did not say; default: warnings and worse. */
  readonly logLevel?: LogLevel;
  /** The methods that `answer` takes. */
  readonly methods: Pick<ReadonlySet<string>, "has">;
  /** The result as JSON text. @throws RpcError */
  answer(request: Request, context: RequestContext): string | Promise<string>;
  /** How long a call may take before it becomes a task, for clients that know tasks; `undefined`: it never does. */
  taskAfterMs(request: Request): number | undefined;
  /**
   * A subscription of the modern era wants to hear of these resources. Those that it will, which `unwatch` ends; what
   * changes is told with `Announcer.resourceUpdated`.
   */
  watch?(uris: readonly string[], request: Request, context: RequestContext): Promise<readonly string[]>;
  unwatch?(uris: readonly string[]): void;
  /** A client shook hands. It may do so again. */
  greeted?(client: ClientFacts): void;
  /** A notification that is not the core's. */
  notice?(method: string): void;
  /** Answers are about to leave. */
  beforeAnswers?(): void;
  /** Nothing more comes in, and so no answer to what the service asked. */
  endInput?(): void;
}

/** How long a person may think before the call goes on without an answer. */
const ANSWER_MS: number = 10 * 60 * 1000;

export class RequestContext {
  readonly id: RequestId;
  readonly revision: Revision;
  readonly client: ClientFacts;
  readonly signal: StopSource;
  /** The answers that a modern call came back with. */
  retry: RetriedRequest | undefined;
  /** Set when the call has become one. */
  task: Task | undefined;
  /**
   * The service may still ask a person in this call, so it does not become a task: a client moves a task into the
   * background, and the question with it.
   */
  mayAsk = false;
  readonly onProgress: Progress["report"] | undefined;
  readonly #peer: Peer;

  constructor(
    parts: Pick<RequestContext, "id" | "revision" | "client" | "signal" | "onProgress"> & {
      readonly peer: Peer;
    },
  ) {
    this.id = parts.id;
    this.revision = parts.revision;
    this.client = parts.client;
    this.signal = parts.signal;
    this.onProgress = parts.onProgress;
    this.#peer = parts.peer;
  }

  /** Something that the client may show or keep; never contents. Not for a task, which the protocol denies it. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (this.task || !isHeard(level, this.client.logLevel)) return;
    this.#peer.notify("notifications/message", { level, ...(logger === undefined ? {} : { logger }), data });
  }

  /**
   * Asks the client; what it declared must be looked at before. An answer that did not come, or came as an error, is
   * absent.
   *
   * @param state comes back as `retry.state` when the call has to be sent again
   * @throws InputRequired which the caller lets pass
   */
  async requestInput(requests: InputRequests, state: unknown = null): Promise<InputResponses> {
    if (this.task) return await this.task.requestInput(requests);
    if (this.revision.name === "modern") {
      const responses = this.retry?.responses ?? {};
      if (Object.keys(requests).every((key) => Object.hasOwn(responses, key))) return responses;
      throw new InputRequired(requests, state);
    }
    if (this.revision.name === "script") return {};
    const answers: Record<string, unknown> = {};
    await Promise.all(
      Object.entries(requests).map(async ([key, question]) => {
        const response = await this.#peer.ask({ ...question, timeoutMs: ANSWER_MS, signal: this.signal });
        if (response?.result !== undefined) answers[key] = response.result;
      }),
    );
    return answers;
  }
}

interface Progress extends Disposable {
  readonly report: (done: number, total: number | undefined, what: string) => void;
}

const EVERY_MS = 1000;
/** The token goes out with every notification; work whose caller gives a longer one is done in silence. */
const MAX_TOKEN_LENGTH = 4096;

/**
 * Progress of one request, when its caller gave a token: what the work reports, in words, and a sign of life when it
 * reports nothing for a while. Work that is soon done reports nothing, so short calls are silent; the number only
 * grows, as the protocol demands. After it is disposed of, nothing is sent: a call that was cancelled or became a task
 * may work on for a while.
 */
export function openProgress(
  params: Readonly<Record<string, unknown>>,
  writer: Writer,
  clock: Clock,
): Progress | undefined {
  const token = (params["_meta"] as { progressToken?: unknown } | undefined | null)?.progressToken;
  const isToken = Number.isSafeInteger(token) || (typeof token === "string" && token.length <= MAX_TOKEN_LENGTH);
  if (!isToken) return undefined;
  const begunMs = clock.monotonicMs();
  let last = 0;
  /** What the work has said last. */
  let latest: string | undefined;
  let total: number | undefined;
  let timer: Timer;
  let isOver = false;

  const send = (progress: number, of: number | undefined, message: string): void => {
    last = progress > last ? progress : last + 1;
    const known = of !== undefined && of >= last ? { total: of } : {};
    writer.send(
      notificationLine("notifications/progress", { progressToken: token, progress: last, ...known, message }),
    );
  };
  const sign = (): void => {
    const seconds = ((clock.monotonicMs() - begunMs) / 1000).toFixed(1);
    const before = latest === undefined ? "" : `${latest}, `;
    send(last + 1, total, `${before}still working after ${seconds} s`);
    timer = clock.after(EVERY_MS, sign);
  };
  timer = clock.after(limits.PROGRESS_AFTER_MS, sign);

  return {
    report(done, of, what) {
      if (isOver) return;
      latest = sayProgress(done, of, what);
      total = of;
      timer[Symbol.dispose]();
      send(done, of, latest);
      timer = clock.after(EVERY_MS, sign);
    },
    [Symbol.dispose]() {
      isOver = true;
      timer[Symbol.dispose]();
    },
  };
}
