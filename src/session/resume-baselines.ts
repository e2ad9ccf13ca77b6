/**
 * Baselines over a restart of the host: what the client of this process has seen is kept for the next process of the same
 * client on the same roots, and what its last process left is known here again. A client is known by its name; a script has
 * none, and nothing is kept for it.
 *
 * Usual mistake: to let what was kept answer a read. A new conversation has not seen the text; the hashes only let a change
 * of an unchanged file pass.
 */
import type { Config } from "../config/index.ts";
import { BaselineStore } from "../state/index.ts";
import type { Baselines } from "./baselines.ts";

/** A burst of reads is kept at once, and a first answer does not wait for it. */
const KEEP_AFTER_MS = 250;

export class ResumedBaselines implements Disposable {
  readonly #config: Pick<Config, "stateDir" | "roots">;
  readonly #baselines: Baselines;
  #client: string | undefined;
  #store: BaselineStore | undefined;
  #state: "waiting" | "open" | "off" = "waiting";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(config: Pick<Config, "stateDir" | "roots">, baselines: Baselines) {
    this.#config = config;
    this.#baselines = baselines;
  }

  /** Something was seen or changed by this client. */
  noted(client: string | undefined): void {
    if (!this.#belongsTo(client)) return;
    this.#timer ??= setTimeout(() => this.#save(), KEEP_AFTER_MS).unref();
  }

  /** What is known is asked for: from here on it is all that this client has seen. */
  resume(client: string | undefined): void {
    if (this.#belongsTo(client)) this.#open();
  }

  /** Keeps what is not kept yet. */
  [Symbol.dispose](): void {
    if (this.#timer !== undefined) this.#save();
    this.#store?.[Symbol.dispose]();
    this.#store = undefined;
    this.#state = "off";
  }

  #belongsTo(client: string | undefined): boolean {
    if (client === undefined || this.#state === "off") return false;
    this.#client ??= client;
    if (this.#client === client) return true;
    // Who saw what cannot be told apart any more.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#store?.drop();
    this[Symbol.dispose]();
    return false;
  }

  #open(): void {
    if (this.#state !== "waiting") return;
    this.#state = "open";
    const { stateDir, roots } = this.#config;
    const paths = roots.map(({ path }) => path);
    this.#store = BaselineStore.open(stateDir, this.#client ?? "", paths);
    const left = this.#store?.take() ?? [];
    if (left.length === 0) return;
    this.#baselines.restore(left);
    // They are nowhere else now.
    this.#store?.keep(this.#baselines.kept());
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#open();
    this.#store?.keep(this.#baselines.kept());
  }
}
