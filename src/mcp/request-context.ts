/**
 * What a service gets beside a request: who sent it, whether it was taken back, and the ways to talk to its client while
 * it works. The same in both eras: the difference between a question that is sent and one that ends the call is here.
 */
import type { StopSource } from "../base/index.ts";
import type { RequestId } from "../wire/index.ts";
import type { ClientFacts } from "./client-facts.ts";
import { InputRequired, type InputRequests, type InputResponses, type RetriedRequest } from "./input-required.ts";
import { isHeard, type LogLevel } from "./client-facts.ts";
import type { Peer } from "./session/peer.ts";
import type { Progress } from "./session/progress.ts";
import type { Revision } from "./revision.ts";
import type { Task } from "./session/tasks.ts";

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
