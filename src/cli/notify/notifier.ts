/**
 * Sees what waits in a state folder, and tells its channels of it. It looks when a name in the folder of proposals comes or goes,
 * and every second besides, because some file systems tell nobody; proposals are read only when the names are others.
 *
 * Usual mistake: to read every proposal at every look, which costs a core where hundreds wait.
 */
import { readdirSync, watch } from "node:fs";
import { CLOCK, nowMs, type Clock } from "../../base/index.ts";
import { NoticeManners, type Notice, type WaitingAsk } from "./notice-manners.ts";

/** A way in which a person is told. It never fails and never waits. */
export interface NoticeChannel extends Disposable {
  tell(notice: Notice): void;
  /** Told of every change of how much waits, before any notice of it. */
  count?(waiting: number): void;
}

interface NotifierOptions {
  /** `proposals` in the state folder. */
  readonly folder: string;
  readonly list: () => Promise<readonly WaitingAsk[]>;
  readonly channels: readonly NoticeChannel[];
  readonly clock?: Clock;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const LOOK_EVERY_MS = 1000;

/** Goes on until it is disposed of, which ends its channels too. */
export class Notifier implements Disposable {
  readonly #options: NotifierOptions;
  readonly #manners = new NoticeManners();
  readonly #stopped = Promise.withResolvers<void>();
  #isStopped = false;
  #wake: () => void = () => undefined;
  #names: string | undefined;
  #waiting: readonly WaitingAsk[] = [];

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** @returns when it is disposed of */
  async run(): Promise<void> {
    const { folder, clock = CLOCK } = this.#options;
    const watcher = watch(folder, () => this.#wake()).on("error", () => undefined);
    try {
      while (!this.#isStopped) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await this.look();
        using _ = clock.after(LOOK_EVERY_MS, resolve);
        await Promise.race([promise, this.#stopped.promise]);
      }
    } finally {
      watcher.close();
    }
  }

  async look(): Promise<void> {
    const { folder, list, channels, now = nowMs } = this.#options;
    const names = waitingNames(folder);
    if (names !== this.#names) {
      const before = this.#waiting.length;
      // One that ended between the two looks is missed here and seen at the next.
      this.#waiting = await list().catch(() => this.#waiting);
      this.#names = names;
      if (this.#waiting.length !== before) for (const channel of channels) channel.count?.(this.#waiting.length);
    }
    const notice = this.#manners.look(now(), this.#waiting);
    if (notice && !this.#isStopped) for (const channel of channels) channel.tell(notice);
  }

  [Symbol.dispose](): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopped.resolve();
    for (const channel of this.#options.channels) channel[Symbol.dispose]();
  }
}

function waitingNames(folder: string): string {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(?:json|done)$/.test(name))
      .sort()
      .join("/");
  } catch {
    return "";
  }
}
