/**
 * The name in the greeting of TLS (ClientHello, RFC 8446 section 4.1.2, server_name of RFC 6066): what a program really asks for
 * when it has asked the broker for a host. Whatever has another form than the one that every client sends is refused, and nothing
 * is decrypted.
 */
import { parseHost } from "../authority.ts";

export type Greeting =
  /** Too few bytes to tell. */
  | { readonly is: "begun" }
  /** The bytes are of another protocol. */
  | { readonly is: "other" }
  | { readonly is: "malformed" }
  /** @property name canonical; absent where the client sends none */
  | { readonly is: "tls"; readonly name: string | undefined };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const RECORD_HEADER_BYTES = 5;
const MESSAGE_HEADER_BYTES = 4;
/** Clients send one, and some cut it into a few. */
const MAX_RECORDS = 64;
const MAX_RECORD_BYTES: number = 16 * 1024 + 256;
/** With a few keys of the largest kinds a greeting has some four thousand bytes. */
const MAX_GREETING_BYTES: number = 64 * 1024;
const MALFORMED: Greeting = { is: "malformed" };

/** @param bytes all that the client has sent so far */
export function readGreeting(bytes: Buffer): Greeting {
  if (bytes.length === 0) return { is: "begun" };
  if (bytes[0] !== HANDSHAKE) return { is: "other" };
  const hello = handshakeOf(bytes);
  if (hello === undefined) return bytes.length > MAX_GREETING_BYTES ? MALFORMED : { is: "begun" };
  if (hello === "malformed") return MALFORMED;
  try {
    return nameIn(hello);
  } catch {
    return MALFORMED;
  }
}

/** The first handshake message, which may be cut into several records. */
function handshakeOf(bytes: Buffer): Buffer | "malformed" | undefined {
  const parts: Buffer[] = [];
  let [at, size, wanted] = [0, 0, Infinity];
  while (at + RECORD_HEADER_BYTES <= bytes.length) {
    if (parts.length >= MAX_RECORDS) return "malformed";
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3 || length === 0 || length > MAX_RECORD_BYTES) return "malformed";
    const start = at + RECORD_HEADER_BYTES;
    parts.push(bytes.subarray(start, start + length));
    size += Math.min(length, bytes.length - start);
    at = start + length;
    if (wanted === Infinity && size >= MESSAGE_HEADER_BYTES) {
      const head = Buffer.concat(parts, MESSAGE_HEADER_BYTES);
      if (head[0] !== CLIENT_HELLO) return "malformed";
      wanted = MESSAGE_HEADER_BYTES + head.readUIntBE(1, 3);
      if (wanted > MAX_GREETING_BYTES) return "malformed";
    }
    if (size >= wanted) return Buffer.concat(parts).subarray(MESSAGE_HEADER_BYTES, wanted);
  }
  return undefined;
}

/** A part of a message that is read from its beginning. @throws RangeError past its end */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  number(size: 1 | 2): number {
    this.#at += size;
    return this.#bytes.readUIntBE(this.#at - size, size);
  }

  /** As many bytes as the number before them says. */
  list(sizeOfNumber: 1 | 2): Buffer {
    return this.take(this.number(sizeOfNumber));
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError("cut");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

const VERSION_AND_RANDOM_BYTES = 34;

function nameIn(hello: Buffer): Greeting {
  const reader = new Reader(hello);
  reader.take(VERSION_AND_RANDOM_BYTES);
  reader.list(1);
  reader.list(2);
  reader.list(1);
  if (reader.isAtEnd) return { is: "tls", name: undefined };
  const extensions = new Reader(reader.list(2));
  let name: string | undefined;
  while (!extensions.isAtEnd) {
    const kind = extensions.number(2);
    const data = extensions.list(2);
    if (kind !== SERVER_NAME) continue;
    // Two names would be a name for us and one for the server.
    if (name !== undefined) return MALFORMED;
    name = parseHost(onlyName(data)?.toString("latin1") ?? "");
    if (name === undefined) return MALFORMED;
  }
  return { is: "tls", name };
}

function onlyName(data: Buffer): Buffer | undefined {
  const outer = new Reader(data);
  const names = new Reader(outer.list(2));
  const kind = names.number(1);
  const name = names.list(2);
  return kind === HOST_NAME && names.isAtEnd && outer.isAtEnd ? name : undefined;
}
