/**
 * The bytes of a picture that somebody else wrote: numbers at places that must lie inside. Nothing here trusts a length that
 * the file gives, and whatever a parser cannot follow is the same failure.
 */
import { Failure } from "../base/index.ts";

export class PictureBytes {
  readonly #view: DataView;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** @throws Failure `invalid_input` past the end, as all of these */
  u8(at: number): number {
    return this.#view.getUint8(this.#inside(at, 1));
  }

  u16(at: number, little = false): number {
    return this.#view.getUint16(this.#inside(at, 2), little);
  }

  u24(at: number): number {
    return this.u16(at, true) | (this.u8(at + 2) << 16);
  }

  u32(at: number, little = false): number {
    return this.#view.getUint32(this.#inside(at, 4), little);
  }

  i32(at: number, little = false): number {
    return this.#view.getInt32(this.#inside(at, 4), little);
  }

  /** One character for each byte. What lies past the end is left out. */
  latin(at: number, length: number): string {
    return Buffer.from(this.bytes.subarray(at, at + length)).toString("latin1");
  }

  part(at: number, length: number): PictureBytes {
    return new PictureBytes(this.bytes.subarray(at, at + length));
  }

  #inside(at: number, length: number): number {
    if (at < 0 || at + length > this.length) throw damaged();
    return at;
  }
}

export function damaged(): Failure {
  return new Failure("invalid_input", "Cannot show the picture: it is damaged", {
    hint: "Use read_file with encoding: base64 for its bytes.",
  });
}
