/**
 * The signed head of a segment, kept apart from it: how many lines it has and the hash of the last one. A segment that
 * is shorter than its checkpoint, or has another line there, was tampered with.
 *
 * Written over in place, always the same length, by one call: it is whole whenever the process ends.
 */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isoTime, nowMs } from "../base/index.ts";
import { isSignedBy, type SigningKey } from "./signing-key.ts";

export interface Checkpoint {
  readonly segment: string;
  /** Lines. */
  readonly count: number;
  /** Hash of the last of them. */
  readonly head: string;
  readonly at: string;
  readonly signature: string;
}

/** More than any of them has: a name, a number, a hash, a time and a signature. */
const LENGTH = 480;

export class CheckpointWriter {
  readonly #fd: number;
  readonly #segment: string;
  readonly #key: SigningKey;

  constructor(folder: string, segment: string, key: SigningKey) {
    this.#fd = openSync(checkpointPath(folder, segment), "w", 0o600);
    this.#segment = segment;
    this.#key = key;
  }

  write(count: number, head: string): void {
    const segment = this.#segment;
    const unsigned = { segment, count, head, at: isoTime(nowMs()) };
    const signature = this.#key.sign(signedText(unsigned));
    writeSync(this.#fd, `${JSON.stringify({ ...unsigned, signature }).padEnd(LENGTH)}\n`, 0);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export function checkpointPath(folder: string, segment: string): string {
  return join(folder, `${segment}.json`);
}

/** `undefined` when there is none that can be read. */
export function readCheckpoint(folder: string, segment: string): Checkpoint | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(checkpointPath(folder, segment), "utf8"));
    return isCheckpoint(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

export function hasCheckpoint(folder: string, segment: string): boolean {
  return existsSync(checkpointPath(folder, segment));
}

/** Anybody could have written over it. */
function isCheckpoint(read: unknown): read is Checkpoint {
  const { segment, count, head, at, signature } = Object(read) as Record<keyof Checkpoint, unknown>;
  return (
    [segment, head, at, signature].every((one) => typeof one === "string") && Number.isSafeInteger(count)
  );
}

export function isGenuine(checkpoint: Checkpoint, publicKey: string): boolean {
  return isSignedBy(publicKey, signedText(checkpoint), checkpoint.signature);
}

function signedText({ segment, count, head, at }: Omit<Checkpoint, "signature">): string {
  return `ringfence checkpoint\n${segment}\n${count}\n${head}\n${at}`;
}
