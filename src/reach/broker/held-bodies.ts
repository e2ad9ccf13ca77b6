/**
 * Bodies that cross the pipe in pieces. What nobody fetches goes, the oldest first, when there is too much of it.
 */
import { Failure, newId } from "../../base/index.ts";
import { PIECE_BYTES } from "../broker-calls.ts";

const MAX_HELD_BYTES: number = 128 * 1024 * 1024;

export class HeldBodies {
  readonly #bodies = new Map<string, Buffer>();

  add(handle: string, piece: Buffer): string {
    this.#bodies.set(handle, Buffer.concat([this.#bodies.get(handle) ?? Buffer.alloc(0), piece]));
    this.#forget();
    return handle;
  }

  take(handle: string): Buffer {
    const body = this.#bodies.get(handle);
    this.#bodies.delete(handle);
    if (!body)
      throw new Failure("command_failed", "Cannot finish the exchange: the rest of it is gone", {
        hint: "The broker was started anew meanwhile, or had too much to hold. Call again.",
        retry: "later",
      });
    return body;
  }

  /** @returns the first piece, and the handle of what is left */
  keep(whole: Uint8Array): readonly [first: string, more: string | undefined] {
    const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.length);
    const first = bytes.subarray(0, PIECE_BYTES).toString("base64");
    if (bytes.length <= PIECE_BYTES) return [first, undefined];
    return [first, this.add(newId("body"), bytes.subarray(PIECE_BYTES))];
  }

  next(handle: string): { readonly body: string; readonly more: string | undefined } {
    const [body, more] = this.keep(this.take(handle));
    return { body, more };
  }

  #forget(): void {
    let size = [...this.#bodies.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [handle, { length }] of this.#bodies) {
      if (size <= MAX_HELD_BYTES) return;
      this.#bodies.delete(handle);
      size -= length;
    }
  }
}
