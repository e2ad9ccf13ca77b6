/**
 * The host's end of a helper: a process of its own for the code of one power. It is started with the first call, and ends by
 * itself when nobody has called it for a while. A call is answered, failed, cancelled or out of time. A helper that was told to
 * stop gets no more calls, and is killed when it does not; the next call starts a new one. One that is kept goes on with the
 * calls of others, and is killed only when it does not stop the one. A call that is given up before its helper runs costs nothing.
 *
 * Nothing that a helper says is believed: its lines are bounded by the launcher, and its answers by the caller's schema.
 */
import {
  Failure,
  limits,
  logLine,
  reportBug,
  stoppedCall,
  StopSource,
  type Clock,
  type StopSignal,
  type Timer,
} from "../../base/index.ts";
import type { HelperRequest, HelperStart, UpstreamEnd } from "../launcher-protocol.ts";
import type { Launch } from "./ask-launcher.ts";
import * as failures from "./helper-failures.ts";
import { OpenRequests } from "./open-requests.ts";
import { readAnswer } from "./read-answer.ts";

export interface HelperCall {
  readonly signal: StopSignal;
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

/** The process that a piece of work begins with, for all of its calls: what one call left there, the next one finds. */
export interface HeldProcess extends Disposable {
  readonly call: (name: string, ask: unknown, call: HelperCall) => Promise<unknown>;
  /**
   * What begins later has another process, which is told everything anew; this one ends when nobody holds it and it has answered.
   * @returns whether that is so by now. A process that was started for this work knows nothing newer, so it is left to later work;
   *   and where the one before was renewed a moment ago, later work waits until that is `HELPER_RENEW_MS` ago.
   */
  readonly renew: () => boolean;
}

/** One process, from its start to its end. */
interface Connection {
  readonly requests: OpenRequests<HelperCall>;
  readonly stop: StopSource;
  say: (text: string) => boolean;
  /** What was asked before it ran, by the numbers: whoever is not waiting any more by then has asked nothing. */
  waiting: Map<number, string> | undefined;
  /** The size of what was asked and is not answered. */
  bytes: number;
  /** Whose work goes on with it. */
  holders: number;
  /** What it was told does not hold any more. */
  isOutdated: boolean;
}

/** One power may have so many: one that works, and those that were told to stop and have not ended. */
const MAX_PROCESSES = 3;
/** What waits for a process that does not read yet, with room for what is no question. */
const MAX_ASKED_BYTES = limits.MAX_UPSTREAM_QUEUE_BYTES - 256 * 1024;

export class Helper implements Disposable {
  readonly #launch: Launch;
  readonly #order: HelperStart;
  readonly #clock: Clock;
  readonly #isKept: boolean;
  #connection: Connection | undefined;
  #rest: Timer | undefined;
  #mayRenewMs = 0;
  #processes = 0;
  /** The fence around it, in words, once it has run. */
  fence: string | undefined;

  /**
   * @param order what it is told first, unless the launcher does so: then it has no settings
   * @param isKept it waits rather than computes and holds what several calls need, so a call that is stopped leaves it its others
   */
  constructor(launch: Launch, order: HelperStart, clock: Clock, isKept = false) {
    this.#launch = launch;
    this.#order = order;
    this.#clock = clock;
    this.#isKept = isKept;
  }

  get isRunning(): boolean {
    return this.#connection !== undefined;
  }

  /**
   * @throws Failure of the code; `cancelled`, `timed_out`, `too_large`; `busy` when too much is under way;
   *   `command_failed` when its process was lost
   */
  async call(name: string, ask: unknown, call: HelperCall): Promise<unknown> {
    return await this.#ask(() => this.#current(), name, ask, call);
  }

  /** Nothing is started before the first call. */
  hold(): HeldProcess {
    let held: Connection | undefined;
    let isNew = false;
    const take = (): Connection => {
      if (held) return held;
      const before = this.#connection;
      held = this.#current();
      isNew = held !== before;
      held.holders++;
      return held;
    };
    return {
      call: async (name, ask, call) => await this.#ask(take, name, ask, call),
      renew: () => {
        if (held) held.isOutdated = true;
        if (!isNew) this.#replaceOutdated();
        return held !== this.#connection;
      },
      [Symbol.dispose]: () => {
        if (!held) return;
        held.holders--;
        this.#endWhenIdle(held);
      },
    };
  }

  /** @throws Failure `busy` */
  #current(): Connection {
    this.#replaceOutdated();
    return (this.#connection ??= this.#connect());
  }

  /** To be told anew may take a program that somebody else has to answer, so what is refused all the time does not ask for it so often. */
  #replaceOutdated(): void {
    const connection = this.#connection;
    const now = this.#clock.monotonicMs();
    // Without room for another process the outdated one is better than none.
    if (!connection?.isOutdated || now < this.#mayRenewMs || this.#processes >= MAX_PROCESSES) return;
    this.#mayRenewMs = now + limits.HELPER_RENEW_MS;
    this.#connection = undefined;
    this.#endWhenIdle(connection);
  }

  async #ask(connectionOf: () => Connection, name: string, ask: unknown, call: HelperCall): Promise<unknown> {
    if (call.signal.aborted) throw stoppedCall("cancelled");
    // What cannot be written is thrown before anything waits for its answer.
    const asked = JSON.stringify({ call: name, ask, answerBytes: call.answerBytes });
    const bytes = Buffer.byteLength(asked);
    if (bytes + ENVELOPE_CHARS > limits.MAX_UPSTREAM_LINE_BYTES)
      throw failures.tooLarge(this.#order.power, "what it is asked");
    const connection = connectionOf();
    if (connection.stop.aborted) throw failures.ended(this.#order.power);
    if (connection.bytes + bytes > MAX_ASKED_BYTES)
      throw failures.busy(this.#order.power, "it has not answered what it was asked before, which is much");
    // An outdated process that somebody holds leaves the newer one its end.
    if (connection === this.#connection) this.#rest?.[Symbol.dispose]();
    const { requests } = connection;
    const { id, answer } = requests.open(call);
    connection.bytes += bytes;
    const settle = (): void => {
      connection.bytes -= bytes;
      this.#endWhenIdle(connection);
    };
    void answer.then(settle, settle);
    const line = `{"id":${id},${asked.slice(1)}`;
    if (connection.waiting) connection.waiting.set(id, line);
    else connection.say(line);
    const stopped = Promise.withResolvers<never>();
    const stop = (why: "cancelled" | "timed_out"): void => {
      if (requests.find(id) === undefined) return;
      if (connection.waiting?.delete(id)) return requests.fail(id, stoppedCall(why));
      stopped.reject(stoppedCall(why));
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

  /** @throws Failure `busy` */
  #connect(): Connection {
    if (this.#processes >= MAX_PROCESSES)
      throw failures.busy(this.#order.power, `${MAX_PROCESSES} processes that were told to stop have not ended`);
    this.#processes++;
    const stop = new StopSource();
    const connection: Connection = {
      requests: new OpenRequests(),
      stop,
      say: () => false,
      waiting: new Map(),
      bytes: 0,
      holders: 0,
      isOutdated: false,
    };
    const running = this.#launch(
      "connect",
      { helper: this.#order.power },
      {
        signal: stop,
        onStarted: (fence) => {
          this.fence = fence;
          for (const line of connection.waiting?.values() ?? []) connection.say(line);
          connection.waiting = undefined;
        },
        onSay: (say) => (connection.say = say),
        onLine: (line) => this.#receive(connection, line),
      },
    );
    if ("settings" in this.#order) connection.say(JSON.stringify(this.#order));
    void this.#watch(connection, running);
    return connection;
  }

  async #watch(connection: Connection, running: Promise<UpstreamEnd>): Promise<void> {
    try {
      const end = await running;
      if (!connection.stop.aborted && end.errors !== "")
        logLine(`the helper of "${this.#order.power}" said: ${end.errors}`);
      this.#processes--;
      this.#lose(connection, failures.ended(this.#order.power, end));
    } catch (thrown) {
      this.#processes--;
      this.#lose(connection, thrown instanceof Failure ? thrown : failures.ended(this.#order.power));
    }
  }

  /** A helper whose caller has been answered has a moment to stop, and is killed when it goes on; later calls have another. */
  #stop(connection: Connection, id: number): void {
    if (!this.#isKept && this.#connection === connection) this.#connection = undefined;
    connection.say(JSON.stringify({ id, cancel: true } satisfies HelperRequest));
    const kill = this.#clock.after(limits.HELPER_GRACE_MS, () => {
      if (connection.requests.find(id)) this.#lose(connection, failures.ended(this.#order.power));
    });
    kill.unref();
  }

  #receive({ requests }: Connection, line: string): void {
    const said = readAnswer(line);
    const call = said && requests.find(said.id);
    if (!said || !call) return;
    const { id, outcome } = said;
    if (line.length > call.answerBytes + ENVELOPE_CHARS && typeof outcome === "object" && "answer" in outcome)
      requests.fail(id, failures.tooLarge(this.#order.power, "its answer"));
    else if (outcome === "malformed") requests.fail(id, failures.malformed(this.#order.power));
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
    if (connection.requests.size > 0 || connection.holders > 0) return;
    if (connection !== this.#connection) {
      connection.stop.abort();
      return;
    }
    this.#rest?.[Symbol.dispose]();
    this.#rest = this.#clock.after(limits.HELPER_IDLE_MS, () =>
      this.#lose(connection, failures.ended(this.#order.power)),
    );
    this.#rest.unref();
  }
}

/** The number of the call and the names of the members. */
const ENVELOPE_CHARS = 256;
