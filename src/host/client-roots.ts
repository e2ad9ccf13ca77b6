/**
 * The roots of a client that declared some: asked for after the handshake and again when the client says that they
 * changed. They can only narrow the roots of this host. Calls that come before the answer wait for it, within a bound, so
 * that none is carried out in wider roots than the client meant.
 *
 * No answer, an error or an empty list leaves the roots as they are, and `client_roots: ignore` means that nobody is
 * asked. What costs time to load is loaded when there is an answer.
 */
import { loadNarrowRoots } from "./lazy.ts";
import { logLine, type Timer, reportBug } from "../base/index.ts";
import type { Peer } from "../mcp/index.ts";
import type { Response } from "../wire/index.ts";
import type { Host } from "./host.ts";

/** How long a client may take to answer; it asks nobody, it only looks up what it has open. */
const ANSWER_MS = 5000;

export class ClientRoots {
  readonly #host: Host;
  readonly #peer: Peer;
  #declared: "no" | "fixed" | "changing" = "no";
  #isReady = false;
  #isAsking = false;
  #isOutdated = false;
  #hasComplained = false;
  #timer: Timer | undefined;
  #held: PromiseWithResolvers<void> | undefined;
  #known: Promise<void> | undefined;

  constructor(host: Host, peer: Peer) {
    this.#host = host;
    this.#peer = peer;
  }

  /** What a call has to wait for; `undefined` when there is nothing to wait for. */
  get known(): Promise<void> | undefined {
    return this.#known;
  }

  /** `initialize` came with these capabilities. A client may shake hands again. */
  declare(capabilities: unknown): void {
    const roots = memberOf(capabilities, "roots");
    const isDeclared = typeof roots === "object" && roots !== null && this.#host.config.clientRoots === "narrow";
    this.#declared = !isDeclared ? "no" : memberOf(roots, "listChanged") === true ? "changing" : "fixed";
    this.#isReady = false;
    this.#timer?.[Symbol.dispose]();
    if (!isDeclared) {
      this.close();
      return;
    }
    this.#hold();
    // A client that never says `notifications/initialized` is never asked.
    this.#timer = this.#host.clock.after(ANSWER_MS, () => {
      if (!this.#isReady) this.#giveUp("it did not finish the handshake");
    });
    this.#timer.unref();
  }

  notice(method: string): void {
    if (this.#declared === "no") return;
    if (method === "notifications/initialized") this.#isReady = true;
    else if (method !== "notifications/roots/list_changed" || this.#declared !== "changing") return;
    if (this.#isReady) void this.#ask();
  }

  /** Nobody will be asked any more: nothing waits for that. */
  close(): void {
    if (!this.#isAsking) this.#release();
  }

  async #ask(): Promise<void> {
    this.#hold();
    this.#isOutdated = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const late = (response: Response): void => void this.#takeLate(response);
      await this.#take(await this.#peer.ask({ method: "roots/list", timeoutMs: ANSWER_MS, late }));
    }
    this.#isAsking = false;
    this.#release();
  }

  /** Calls that come after a late answer are held to it like those after an early one. */
  async #takeLate(response: Response): Promise<void> {
    this.#hold();
    await this.#take(response);
    this.close();
  }

  async #take(response: Response | undefined): Promise<void> {
    const offered = memberOf(response?.result, "roots");
    if (!Array.isArray(offered)) {
      this.#complain(whyNot(response));
      return;
    }
    try {
      const { narrowAndTell } = await loadNarrowRoots();
      this.#host.narrow(narrowAndTell(offered, this.#host.config.roots));
    } catch (thrown) {
      reportBug(thrown);
    }
  }

  #hold(): void {
    if (this.#held) return;
    const held = Promise.withResolvers<void>();
    this.#held = held;
    this.#known = held.promise;
    void this.#forget(held.promise);
  }

  /** First of those that wait, and not at once: a call that comes before the others went on must wait with them. */
  async #forget(known: Promise<void>): Promise<void> {
    await known;
    if (this.#known === known) this.#known = undefined;
  }

  #release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  #giveUp(why: string): void {
    this.#complain(why);
    this.#release();
  }

  /** Complains only the first time: a client that cannot answer will not answer the next time either. */
  #complain(why: string): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    logLine(`the roots of the client are not known, the roots stay as they are: ${why}`);
  }
}

function whyNot(response: Response | undefined): string {
  if (!response) return "it did not answer roots/list";
  if (response.error) return `it answered roots/list with the error ${response.error.code}`;
  return "its answer to roots/list has no list of roots";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
