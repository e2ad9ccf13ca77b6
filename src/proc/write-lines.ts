/**
 * Lines onto a connection, one after the other and whole, also when the other side reads slowly.
 */
import { writeSync } from "node:fs";
import { encodeLine } from "./launcher-protocol.ts";

const AGAIN_MS = 2;

export class LineWriter {
  readonly #fd: number;
  #last: Promise<void> | undefined;
  #isBroken = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** @returns false when nobody reads any more */
  write(message: Parameters<typeof encodeLine>[0]): boolean {
    const bytes = encodeLine(message);
    const at = this.#last ? 0 : this.#writeSome(bytes, 0);
    if (at < bytes.length && !this.#isBroken) {
      const before = this.#last;
      const rest = this.#writeRest(before, bytes, at).finally(() => {
        if (this.#last === rest) this.#last = undefined;
      });
      this.#last = rest;
    }
    return !this.#isBroken;
  }

  async #writeRest(before: Promise<void> | undefined, bytes: Buffer, from: number): Promise<void> {
    await before;
    for (let at = from; at < bytes.length && !this.#isBroken;) {
      const next = this.#writeSome(bytes, at);
      if (next === at) await Bun.sleep(AGAIN_MS);
      at = next;
    }
  }

  /** Where it got to. */
  #writeSome(bytes: Buffer, from: number): number {
    let at = from;
    try {
      while (at < bytes.length) at += writeSync(this.#fd, bytes, at);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") this.#isBroken = true;
    }
    return at;
  }
}
