/**
 * Bodies that cross the pipe in pieces: those of requests, which come ahead of them, and the rests of answers, which are fetched.
 *
 * Invariant: a body is whole or it is a failure. Each piece says where it belongs, so one that follows a lost piece, or that
 * comes to another process than the first, begins no new body. What is being sent or fetched is never dropped for want of room:
 * what comes then is refused.
 */
import { Failure, newId, type Clock } from "../../base/index.ts";
import { PIECE_BYTES } from "../broker-calls.ts";

/** Three of the longest bodies of requests. */
const MAX_SENT_BYTES: number = 192 * 1024 * 1024;
const MAX_RESTS_BYTES: number = 128 * 1024 * 1024;
/** Whoever sends or fetches has 30 seconds for each piece; after this time it has left. */
const LEFT_AFTER_MS = 60_000;
/** Whoever fetches asks for the second piece when it has the first, also on a busy machine; after this time nobody does. */
const UNFETCHED_AFTER_MS = 20_000;

interface Sent {
  readonly pieces: Buffer[];
  bytes: number;
  lastMs: number;
}

interface Rest {
  readonly bytes: Buffer;
  /** When nobody will come for it any more. */
  readonly leftMs: number;
}

/** The first piece of an answer, and the handle of what is left. */
interface Begun {
  readonly body: string;
  readonly more: string | undefined;
}

export class HeldBodies {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #sent = new Map<string, Sent>();
  readonly #rests = new Map<string, Rest>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** @param at where the piece begins; 0 begins a body @throws Failure `command_failed` after a lost piece, `busy` without room */
  put(handle: string | undefined, at: number, piece: Buffer): string {
    const now = this.#clock.monotonicMs();
    const name = handle ?? newId("body");
    const body = at === 0 ? { pieces: [], bytes: 0, lastMs: now } : this.#sent.get(name);
    if (body?.bytes !== at) throw lost("send the request: a part of its body");
    this.#refuseWithoutRoom(name, piece.length, now);
    body.pieces.push(piece);
    body.bytes += piece.length;
    body.lastMs = now;
    this.#sent.set(name, body);
    return name;
  }

  /** The body of a request, which is forgotten. @throws Failure `command_failed` when it is not here */
  take(handle: string): Buffer {
    const body = this.#sent.get(handle);
    this.#sent.delete(handle);
    if (!body) throw lost("send the request: its body");
    return Buffer.concat(body.pieces);
  }

  /** @returns `undefined` without room for what is left */
  keep(whole: Uint8Array): Begun | undefined {
    const left = whole.length - PIECE_BYTES;
    return left > 0 && !this.#hasRoomFor(left) ? undefined : this.#begin(whole, UNFETCHED_AFTER_MS);
  }

  /** @throws Failure `command_failed` when it is not here */
  next(handle: string): Begun {
    const rest = this.#rests.get(handle);
    this.#rests.delete(handle);
    if (!rest) throw lost("take the answer: a part of it");
    return this.#begin(rest.bytes, LEFT_AFTER_MS);
  }

  #begin(whole: Uint8Array, keptMs: number): Begun {
    const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.length);
    const body = bytes.toString("base64", 0, PIECE_BYTES);
    if (bytes.length <= PIECE_BYTES) return { body, more: undefined };
    const more = newId("body");
    this.#rests.set(more, { bytes: bytes.subarray(PIECE_BYTES), leftMs: this.#clock.monotonicMs() + keptMs });
    return { body, more };
  }

  #refuseWithoutRoom(name: string, bytes: number, now: number): void {
    const isFull = (): boolean => this.#sentBytes() + bytes > MAX_SENT_BYTES;
    if (!isFull()) return;
    for (const [other, { lastMs }] of this.#sent) if (now - lastMs > LEFT_AFTER_MS) this.#sent.delete(other);
    if (!isFull()) return;
    this.#sent.delete(name);
    throw new Failure("busy", "Cannot send the request: too many long bodies are being sent at once");
  }

  #sentBytes(): number {
    return [...this.#sent.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #restBytes(): number {
    return [...this.#rests.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  #hasRoomFor(left: number): boolean {
    const now = this.#clock.monotonicMs();
    for (const [handle, { leftMs }] of this.#rests) if (now > leftMs) this.#rests.delete(handle);
    return this.#restBytes() + left <= MAX_RESTS_BYTES;
  }
}

function lost(what: string): Failure {
  return new Failure("command_failed", `Cannot ${what} was lost on the way`, { hint: "Call again.", retry: "later" });
}
