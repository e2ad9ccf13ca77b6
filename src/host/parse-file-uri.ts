/**
 * The path of a `file:` URI (RFC 8089), byte for byte. Strict, because what is taken here decides what can be reached: a
 * host of another machine, a query, a fragment, `.` and `..`, a broken escape, an escaped slash or NUL make it unusable.
 *
 * Usual mistake: `new URL` and `fileURLToPath`, which fold `..`, accept what they cannot mean, and cannot hold names
 * that are not UTF-8.
 */
import { nameFromBytes } from "../sys/index.ts";

/** Scheme, an authority that may be there, and the path. */
const FILE_URI = /^file:(?:\/\/(?<host>[^/?#]*))?(?<path>\/[^?#]*)$/i;
const ESCAPE = /%([0-9a-f]{2})/gi;

/** The absolute path, names as the scope holds them; `undefined` for what is not the URI of a local file. */
export function parseFileUri(uri: string): string | undefined {
  const { host = "", path } = FILE_URI.exec(uri)?.groups ?? {};
  if (path === undefined || path.startsWith("//") || !uri.isWellFormed()) return undefined;
  if (host !== "" && host.toLowerCase() !== "localhost") return undefined;
  if (/%(?![0-9a-f]{2})|%2f|%00|\0/i.test(path)) return undefined;
  const decoded = nameFromBytes(decode(path));
  if (decoded.split("/").some((name) => name === "." || name === "..")) return undefined;
  if (process.platform !== "win32") return decoded;
  return /^\/[a-z]:(?:\/|$)/i.test(decoded) && !decoded.includes("\\") ? decoded.slice(1) : undefined;
}

function decode(path: string): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  for (const found of path.matchAll(ESCAPE)) {
    parts.push(Buffer.from(path.slice(end, found.index)), Buffer.from(found[1] ?? "", "hex"));
    end = found.index + found[0].length;
  }
  return Buffer.concat([...parts, Buffer.from(path.slice(end))]);
}
