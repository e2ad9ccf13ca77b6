/**
 * One connection to a browser in the Chrome DevTools Protocol: calls with an answer each, and events. Every call ends: with its
 * answer, after its time, or with the browser. https://chromedevtools.github.io/devtools-protocol/
 *
 * Invariant: nothing that comes is believed to have a form. Who reads a member asks what it is.
 */
import { CLOCK, Failure, isObject } from "../../base/index.ts";
import type { ProgramApi, ProgramLink } from "../../contract/index.ts";

/** An object of the protocol, of which nothing is known. */
export type CdpObject = Readonly<Record<string, unknown>>;

export type CdpListener = (method: string, params: CdpObject, session: string) => void;

interface PendingCall {
  readonly resolve: (result: CdpObject) => void;
  readonly reject: (failure: Failure) => void;
}

export class Cdp {
  readonly #link: ProgramLink;
  readonly #waiting = new Map<number, PendingCall>();
  #lastId = 0;
  #failure: Failure | undefined;
  #isStuck = false;
  readonly #ended = Promise.withResolvers<Failure>();
  /** Hears every event. */
  onEvent: CdpListener = () => undefined;

  /** @throws Failure `unsupported` where nothing can be started */
  constructor(program: ProgramApi) {
    this.#link = program.open({ onMessage: (text) => this.#receive(text), onEnd: (failure) => this.#lose(failure) });
  }

  /** What calls fail with once it is gone. */
  get ended(): Promise<Failure> {
    return this.#ended.promise;
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  /** A call was not answered in its time, so nobody knows what state the browser is in. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** @throws Failure `timed_out`, `command_failed` for what the browser refuses and when it has ended */
  async send(method: string, params: object, ms: number, session?: string): Promise<CdpObject> {
    if (this.#failure) throw this.#failure;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<CdpObject>();
    this.#waiting.set(id, { resolve, reject });
    using _ = CLOCK.after(ms, () => {
      this.#isStuck = true;
      reject(new Failure("timed_out", `Cannot finish the call: the browser did not answer ${method} in time`));
    });
    try {
      this.#link.say(JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) }));
      return await promise;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** For what nobody waits for: its answer says nothing. */
  tell(method: string, params: object, session?: string): void {
    if (this.#failure) return;
    this.#link.say(
      JSON.stringify({ id: ++this.#lastId, method, params, ...(session === undefined ? {} : { sessionId: session }) }),
    );
  }

  /** Ends the browser with everything that it has started. */
  close(): void {
    this.#lose(
      new Failure("command_failed", "Cannot finish the call: the browser was ended", {
        hint: "Call again: another one is started.",
        retry: "later",
      }),
    );
    this.#link.close();
  }

  #receive(text: string): void {
    const said = parsed(text);
    const { id, method } = said;
    if (typeof id === "number") {
      const call = this.#waiting.get(id);
      const error = objectOf(said["error"]);
      if (said["error"] === undefined) call?.resolve(objectOf(said["result"]));
      else
        call?.reject(
          new Failure("command_failed", `Cannot finish the call: the browser says ${textOf(error["message"], 200)}`, {
            hint: "Navigate to the page again.",
          }),
        );
    } else if (typeof method === "string")
      this.onEvent(method, objectOf(said["params"]), textOf(said["sessionId"], 100));
  }

  #lose(failure: Failure): void {
    this.#failure ??= failure;
    this.#ended.resolve(this.#failure);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

function parsed(text: string): CdpObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** An empty one in the place of anything else. */
export function objectOf(value: unknown): CdpObject {
  return isObject(value) ? value : {};
}

export function textOf(value: unknown, most: number): string {
  return typeof value === "string" ? value.slice(0, most) : "";
}

export function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
