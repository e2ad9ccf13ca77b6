/**
 * The host's end of a helper: a process of its own for the code of one power. It is started with the first call, and ends by
 * itself when nobody has called it for a while. A call is answered, failed, cancelled or out of time. A helper that was told to
 * stop gets no more calls, and is killed when it does not; the next call starts a new one.
 *
 * Nothing that a helper says is believed: its lines are bounded by the launcher, and its answers by the caller's schema.
 */
import {
  Failure,
  limits,
  logLine,
  reportBug,
  StopSource,
  type Clock,
  type StopSignal,
  type Timer,
} from "../../base/index.ts";
import type { HelperOrder, HelperRequest, UpstreamEnd } from "../launcher-protocol.ts";
import type { Launch } from "./ask-launcher.ts";
import { OpenRequests } from "./open-requests.ts";
import { readAnswer } from "./read-answer.ts";

export interface HelperCall {
  readonly signal: StopSignal;
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

/** One process, from its start to its end. */
interface Connection {
  readonly requests: OpenRequests<HelperCall>;
  readonly stop: StopSource;
  say: (text: string) => boolean;
}

export class Helper implements Disposable {
  readonly #launch: Launch;
  readonly #order: HelperOrder;
  readonly #clock: Clock;
  #connection: Connection | undefined;
  #rest: Timer | undefined;
  /** The fence around it, in words, once it has run. */
  fence: string | undefined;

  /** @param order what it is told first */
  constructor(launch: Launch, order: HelperOrder, clock: Clock) {
    this.#launch = launch;
    this.#order = order;
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#connection !== undefined;
  }

  /** @throws Failure of the code; `cancelled`, `timed_out`, `too_large`; `command_failed` when its process was lost */
  async call(name: string, ask: unknown, call: HelperCall): Promise<unknown> {
    if (call.signal.aborted) throw this.#stopped("cancelled");
    this.#rest?.[Symbol.dispose]();
    const connection = (this.#connection ??= this.#connect());
    const { requests } = connection;
    const { id, answer } = requests.open(call);
    const idle = (): void => this.#endWhenIdle(connection);
    void answer.then(idle, idle);
    this.#say(connection, id, { id, call: name, ask, answerBytes: call.answerBytes });
    const stopped = Promise.withResolvers<never>();
    const stop = (why: "cancelled" | "timed_out"): void => {
      if (requests.find(id) === undefined) return;
      stopped.reject(this.#stopped(why));
      this.#stop(connection, id);
    };
    call.signal.addEventListener("abort", () => stop("cancelled"));
    using _ = this.#clock.after(call.timeoutMs, () => stop("timed_out"));
    return await Promise.race([answer, stopped.promise]);
  }

  [Symbol.dispose](): void {
    this.#rest?.[Symbol.dispose]();
    this.#connection?.stop.abort();
  }

  #connect(): Connection {
    const stop = new StopSource();
    const connection: Connection = { requests: new OpenRequests(), stop, say: () => false };
    const running = this.#launch(
      "connect",
      { helper: this.#order.power },
      {
        signal: stop,
        onStarted: (fence) => (this.fence = fence),
        onSay: (say) => (connection.say = say),
        onLine: (line) => this.#receive(connection, line),
      },
    );
    connection.say(JSON.stringify(this.#order));
    void this.#watch(connection, running);
    return connection;
  }

  async #watch(connection: Connection, running: Promise<UpstreamEnd>): Promise<void> {
    try {
      const end = await running;
      if (!connection.stop.aborted && end.errors !== "")
        logLine(`the helper of "${this.#order.power}" said: ${end.errors}`);
      this.#lose(connection, this.#ended(end));
    } catch (thrown) {
      this.#lose(connection, thrown instanceof Failure ? thrown : this.#ended(undefined));
    }
  }

  #say({ requests, say }: Connection, id: number, request: HelperRequest): void {
    const told = JSON.stringify(request);
    if (Buffer.byteLength(told) > limits.MAX_UPSTREAM_LINE_BYTES) requests.fail(id, this.#tooLarge("what it is asked"));
    else say(told);
  }

  /** A helper whose caller has been answered has a moment to stop, and is killed when it goes on; later calls have another. */
  #stop(connection: Connection, id: number): void {
    if (this.#connection === connection) this.#connection = undefined;
    connection.say(JSON.stringify({ id, cancel: true } satisfies HelperRequest));
    const kill = this.#clock.after(limits.HELPER_GRACE_MS, () => {
      if (connection.requests.find(id)) this.#lose(connection, this.#ended(undefined));
    });
    kill.unref();
  }

  #receive({ requests }: Connection, line: string): void {
    const said = readAnswer(line);
    const call = said && requests.find(said.id);
    if (!said || !call) return;
    const { id, outcome } = said;
    if (line.length > call.answerBytes + ENVELOPE_CHARS && typeof outcome === "object" && "answer" in outcome)
      requests.fail(id, this.#tooLarge("its answer"));
    else if (outcome === "malformed") requests.fail(id, this.#malformed());
    else if ("bug" in outcome) {
      const bug = reportBug(new Error(`the helper of "${this.#order.power}": ${outcome.bug}`));
      requests.fail(id, new Failure("internal", `Cannot finish the call: an internal error (${bug})`));
    } else if ("failure" in outcome) requests.fail(id, outcome.failure);
    else requests.settle({ id, answer: outcome.answer });
  }

  #lose(connection: Connection, failure: Failure): void {
    connection.stop.abort();
    if (this.#connection === connection) this.#connection = undefined;
    connection.requests.failAll(failure);
  }

  #endWhenIdle(connection: Connection): void {
    if (connection.requests.size > 0) return;
    if (connection !== this.#connection) {
      connection.stop.abort();
      return;
    }
    this.#rest?.[Symbol.dispose]();
    this.#rest = this.#clock.after(limits.HELPER_IDLE_MS, () => this.#lose(connection, this.#ended(undefined)));
    this.#rest.unref();
  }

  #stopped(why: "cancelled" | "timed_out"): Failure {
    return why === "cancelled"
      ? new Failure("cancelled", "Cannot finish the call: it was cancelled")
      : new Failure("timed_out", "Cannot finish the call: the time limit was reached");
  }

  #tooLarge(what: string): Failure {
    return new Failure("too_large", `Cannot use "${this.#order.power}": ${what} is larger than its limit`, {
      hint: "Ask for less.",
    });
  }

  #malformed(): Failure {
    return new Failure(
      "command_failed",
      `Cannot use "${this.#order.power}": its helper gave no answer in the right form`,
    );
  }

  #ended(end: UpstreamEnd | undefined): Failure {
    const how = end?.signal ? ` (${end.signal})` : end?.exit_code ? ` (exit code ${end.exit_code})` : "";
    return new Failure("command_failed", `Cannot finish the call: the helper of "${this.#order.power}" ended${how}`, {
      hint: "Call again: that starts a new one.",
      retry: "later",
    });
  }
}

/** The number of the call and the names of the members. */
const ENVELOPE_CHARS = 256;
