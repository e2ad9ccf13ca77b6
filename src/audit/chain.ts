/**
 * One line of the record in its place in the chain, and the signed head of a segment. The hash of a line covers the line, byte
 * for byte, and the hash of the line before, so no line can be edited, removed, added or moved without breaking what follows.
 *
 * A checkpoint stands apart from its segment and says how many lines it has and the hash of the last one, signed with the
 * Ed25519 key of the state folder. It is written over in place, always the same length, by one call, so it is whole whenever
 * the process ends. Whoever holds the key can write a record of their own; SECURITY.md says to ship checkpoints elsewhere.
 *
 * Invariant: the key is made by the first segment, when that is there. A key without any segment means that segments were
 * removed, so nothing else may make one.
 */
import type * as nodeCrypto from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Failure, isoTime, nowMs, sha256 } from "../base/index.ts";
import { hasKey, loadKey } from "../state/index.ts";

/** The hash before the first line comes from the name of the segment, so that no segment can pass for another. */
export function firstHash(segment: string): string {
  return sha256(`ringfence segment ${segment}`);
}

/** @param body a JSON object as text, with at least one member */
export function chainLine(before: string, body: string): { readonly text: string; readonly hash: string } {
  const hash = sha256(before + body);
  return { text: `${body.slice(0, -1)}${SEAL}${hash}"}`, hash };
}

/** Body and hash of a line; `undefined` for what is no line of a record. */
export function splitLine(line: string): { readonly body: string; readonly hash: string } | undefined {
  const [, body, hash] = LINE.exec(line) ?? [];
  return body === undefined || hash === undefined ? undefined : { body: `${body}}`, hash };
}

export function hashOf(before: string, body: string): string {
  return sha256(before + body);
}

const SEAL = ',"hash":"';
const LINE = /^(\{"seq":\d+,[^]*),"hash":"([0-9a-f]{64})"\}$/;

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

/** A checkpoint that is there and has nothing in it. */
export function isBlank(folder: string, segment: string): boolean {
  return statSync(checkpointPath(folder, segment), { throwIfNoEntry: false })?.size === 0;
}

export function hasCheckpoint(folder: string, segment: string): boolean {
  return existsSync(checkpointPath(folder, segment));
}

/** Anybody could have written over it. */
export function isCheckpoint(read: unknown): read is Checkpoint {
  const { segment, count, head, at, signature } = Object(read) as Record<keyof Checkpoint, unknown>;
  return [segment, head, at, signature].every((one) => typeof one === "string") && Number.isSafeInteger(count);
}

export function isGenuine(checkpoint: Checkpoint, publicKey: string): boolean {
  return isSignedBy(publicKey, signedText(checkpoint), checkpoint.signature);
}

function signedText({ segment, count, head, at }: Omit<Checkpoint, "signature">): string {
  return `ringfence checkpoint\n${segment}\n${count}\n${head}\n${at}`;
}

export interface SigningKey {
  sign(text: string): string;
  /** PEM, for those who check elsewhere. */
  readonly publicKey: string;
}

/** Loaded when the first line is signed: it takes longer than all else that a start loads. */
function crypto(): typeof nodeCrypto {
  return process.getBuiltinModule("node:crypto");
}

const NAME = "audit.pem";

/** Whether a record was ever begun. */
export function hasSigningKey(folder: string): boolean {
  return hasKey(folder, NAME);
}

/** Made when there is none. */
export function openSigningKey(folder: string): SigningKey {
  const pem = loadKey(folder, NAME, makeKey);
  let key: nodeCrypto.KeyObject | undefined;
  const own = (): nodeCrypto.KeyObject => (key ??= readKey(pem, folder));
  return {
    sign: (text) => crypto().sign(null, Buffer.from(text), own()).toString("base64"),
    get publicKey() {
      return crypto().createPublicKey(own()).export({ type: "spki", format: "pem" });
    },
  };
}

/** @throws Failure `conflict` for a file that a full disk has left empty, or somebody else has written */
function readKey(pem: string, folder: string): nodeCrypto.KeyObject {
  try {
    return crypto().createPrivateKey(pem);
  } catch {
    throw new Failure(
      "conflict",
      `Cannot use "${join(folder, NAME)}": it is not the key with which the record is signed`,
      {
        hint: "Put back the file as it was. Without it, move the state folder away: a new one begins a new record.",
      },
    );
  }
}

function makeKey(): string {
  return crypto().generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const { createPublicKey, verify } = crypto();
    return verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
