/**
 * How a file name looks to callers, who speak JSON text, and the addresses of resources that are made of names. A caller's
 * string never holds lone surrogates (they are refused), so it can only mean what it says.
 *
 * A name that is not UTF-8, or that holds characters which command a terminal or cannot be seen (control, direction,
 * zero-width and tag characters), is shown as `bytes:` and percent escapes, for the whole path:
 * `bytes:dir/bad%FFname%0A`. A real name that begins with `bytes:` is shown as `./bytes:...`, and one that is `~` as `./~`.
 */
import { nameFromBytes, nameToBytes } from "../sys/index.ts";

const ESCAPED_PREFIX = "bytes:";
const NEEDS_ESCAPE =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\udc80-\udcff]|\p{Default_Ignorable_Code_Point}/u;
/** Most names, which are told without looking for what they do not hold. */
const PLAIN = /^[ -~]*$/;

/** A path in the form that is shown to callers and that they can give back. */
export function showName(path: string): string {
  // A path that begins like a home directory is refused.
  return showAsked(path === "~" || path.startsWith("~/") ? `./${path}` : path);
}

/** What a caller has sent, for messages: in the same form, but as they wrote it. */
export function showAsked(path: string): string {
  if (PLAIN.test(path) || !NEEDS_ESCAPE.test(path)) return path.startsWith(ESCAPED_PREFIX) ? `./${path}` : path;
  return ESCAPED_PREFIX + percentEscaped(path, /[!-$&-~]/);
}

/** Undoes `showName`; `undefined` when the escapes are broken. */
export function readName(shown: string): string | undefined {
  return shown.startsWith(ESCAPED_PREFIX) ? readEscapes(shown.slice(ESCAPED_PREFIX.length)) : shown;
}

/** @param unescaped the characters that stay as they are */
function percentEscaped(path: string, unescaped: RegExp): string {
  let out = "";
  for (const byte of nameToBytes(path)) {
    const sign = String.fromCharCode(byte);
    out += unescaped.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/**
 * Where a resource is: `ringfence://root/N/path` for what lies in root N (a slash at the end: a directory), and
 * `ringfence://spill/ID` for an output that was cut. Names are bytes, so a path stands there with percent escapes.
 *
 * Strict, like every address that decides what is read: `.`, `..`, empty names, an escaped slash or NUL and broken escapes
 * make it unusable. Whether it may be read is the scope's to say, never decided here.
 */
export type ResourceAddress =
  | { readonly kind: "file" | "directory"; readonly root: number; readonly rel: string; readonly from: From }
  | { readonly kind: "spill"; readonly id: string; readonly from: From };

/** Where a part begins: a line or byte of a file, a byte of an output, or what a listing gave as the place to go on. */
export interface From {
  readonly offset?: number;
  readonly cursor?: string;
}

const SPILL = /^ringfence:\/\/spill\/([\w-]{1,100})(?:\?offset=(\d{1,15}))?$/;
const ROOT = /^ringfence:\/\/root\/(\d{1,4})\/([^?#]*)(?:\?(?:offset=(\d{1,15})|cursor=([\w%.~-]{1,20000})))?$/;
/** Characters that need no escape in a path. */
const UNESCAPED = /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/;
const MAX_URI_CHARS = 32_768;

export function parseResourceUri(uri: unknown): ResourceAddress | undefined {
  if (typeof uri !== "string" || uri.length > MAX_URI_CHARS || !uri.isWellFormed()) return undefined;
  const spill = SPILL.exec(uri);
  if (spill) return { kind: "spill", id: spill[1] ?? "", from: { offset: Number(spill[2] ?? 0) } };
  const [, root, path, offset, cursor] = ROOT.exec(uri) ?? [];
  const rel = path === undefined ? undefined : readPath(path);
  if (rel === undefined) return undefined;
  const isDirectory = rel === "" || rel.endsWith("/");
  if (isDirectory ? offset !== undefined : cursor !== undefined) return undefined;
  const place = cursor === undefined ? undefined : readEscapes(cursor);
  const from = {
    ...(offset === undefined ? {} : { offset: Number(offset) }),
    ...(place === undefined ? {} : { cursor: place }),
  };
  return { kind: isDirectory ? "directory" : "file", root: Number(root), rel: rel.replace(/\/$/, ""), from };
}

/** @param rel as the scope holds it; a slash at its end says that it is a directory */
export function rootUri(root: number, rel: string): string {
  return `ringfence://root/${root}/${percentEscaped(rel, UNESCAPED)}`;
}

export function spillUri(id: string): string {
  return `ringfence://spill/${id}`;
}

/** The address of a later part of what `uri` names. */
export function continuedUri(uri: string, from: From): string {
  const base = uri.split("?")[0] ?? uri;
  if (from.cursor !== undefined) return `${base}?cursor=${encodeURIComponent(from.cursor)}`;
  return from.offset === undefined ? base : `${base}?offset=${from.offset}`;
}

/** As the value of a variable: what an expansion would leave alone, and would mean something else, is escaped. */
export function templateValue(rel: string): string {
  return showName(rel).startsWith("bytes:")
    ? percentEscaped(rel, UNESCAPED)
    : rel.replaceAll(/[%?#]/g, encodeURIComponent);
}

/** The path that such a value, or a part of one, means; `undefined` for broken escapes. */
export function readEscapes(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  const parts: Buffer[] = [];
  for (const piece of text.split(/(%[0-9a-f]{2})/i))
    parts.push(piece.startsWith("%") ? Buffer.from(piece.slice(1), "hex") : Buffer.from(piece));
  return nameFromBytes(Buffer.concat(parts));
}

function readPath(path: string): string | undefined {
  if (/%2f|%00|\0/i.test(path)) return undefined;
  const rel = readEscapes(path);
  const names = rel?.replace(/\/$/, "").split("/");
  if (rel === "" || !names) return rel;
  return names.some((name) => name === "" || name === "." || name === "..") ? undefined : rel;
}
