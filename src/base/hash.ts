/**
 * SHA-256 by the runtime itself. `node:crypto` is only loaded where a key signs: it takes more than a millisecond of the
 * start of a process, and of every worker.
 */

/** In hex. */
export function sha256(content: string | Uint8Array): string {
  return Bun.CryptoHasher.hash("sha256", content, "hex");
}

/** In hex. It proves nothing against whoever means harm: object stores name content by it. */
export function md5(content: Uint8Array): string {
  return Bun.CryptoHasher.hash("md5", content, "hex");
}

/** For content that comes in parts: `update` each, then `digest("hex")` once. */
export function createSha256(): Bun.CryptoHasher {
  return new Bun.CryptoHasher("sha256");
}

/** In hex; who does not know `key` can neither make it nor tell from it what the text was. */
export function hmacSha256(key: Uint8Array, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
}
