/**
 * First answers by idempotency key, so that a call which is sent again because its answer was lost is answered as the
 * first was, also after a restart. The key is the caller's; the digest says what it was for.
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Cancel, Failure, limits, monotonicMs, newId, nowMs, sha256, throwIfStopped } from "../base/index.ts";
import { tryLockFile, writeWhole } from "./small-file.ts";

/** How long a call waits for another process that makes the same call, as long as for a directory. */
const WAIT_MS = 5000;
const RETRY_MS = 5;

export interface KeptAnswer {
  readonly key: string;
  /** The digest of the tool and its arguments. */
  readonly digest: string;
  readonly payload: string;
  readonly facts: string;
}

export class AnswerStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Only one caller of all hosts makes the change of a key: it holds this from before `find` until after `put`.
   *
   * @returns with whether another had it first. @throws Failure `busy`, `cancelled`
   */
  hold(key: string, cancel: Cancel): Disposable & { readonly hasWaited: boolean } {
    const deadline = monotonicMs() + WAIT_MS;
    for (let hasWaited = false; ; hasWaited = true) {
      const lock = tryLockFile(`${this.#path(key)}.lock`);
      if (lock) return { hasWaited, [Symbol.dispose]: () => lock[Symbol.dispose]() };
      throwIfStopped(cancel, "the change");
      if (monotonicMs() > deadline)
        throw new Failure("busy", "Cannot make the change: another process is making it, with the same key");
      Bun.sleepSync(RETRY_MS);
    }
  }

  /** @throws Failure `conflict` when the key was used for something else */
  find(key: string, digest: string): KeptAnswer | undefined {
    const path = this.#path(key);
    let kept: KeptAnswer;
    try {
      if (nowMs() - statSync(path).mtimeMs > limits.IDEMPOTENCY_TTL_MS) return undefined;
      kept = JSON.parse(readFileSync(path, "utf8")) as KeptAnswer;
    } catch {
      return undefined;
    }
    if (kept.digest === digest) return kept;
    throw new Failure("conflict", "Cannot make the change: its idempotency key was used for another call", {
      hint: "Use a new key for each change, and the same only to send that change again.",
    });
  }

  put(answer: KeptAnswer): void {
    const path = this.#path(answer.key);
    // Who applies a proposal, or recovers, does not hold the key.
    writeWhole(path, JSON.stringify(answer), `${path}.${newId("n")}`);
  }

  /** Drops answers that are too old. Never fails. */
  sweep(): void {
    try {
      for (const name of readdirSync(this.#folder)) {
        const path = join(this.#folder, name);
        if (nowMs() - statSync(path).mtimeMs > limits.IDEMPOTENCY_TTL_MS) rmSync(path, { force: true });
      }
    } catch {
      // The next start tries again.
    }
  }

  /** A key may be anything, so its hash is the name. */
  #path(key: string): string {
    return join(this.#folder, `${sha256(key)}.json`);
  }
}
