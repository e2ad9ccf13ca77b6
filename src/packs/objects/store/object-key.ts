/**
 * Keys of objects. A key is any text of up to 1,024 bytes, and no path: `a/../../etc/x` is a legal one. Only those are used that
 * mean one thing to everybody on the way (the rules, the URL, the store); what becomes of the others is said by name.
 *
 * Usual mistake: to join a key to a folder, or to make a name of it by leaving something out. Two keys would become one.
 */
import { Failure } from "../../../base/index.ts";

export const MAX_KEY_BYTES = 1024;

/** Why a key cannot be used; `undefined` for one that can. */
export function whyNoKey(key: string): string | undefined {
  if (key === "") return "it is empty";
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `it has more than ${MAX_KEY_BYTES} bytes`;
  if (!key.isWellFormed()) return "it is no Unicode";
  if (/[\u0000-\u001f\u007f]/.test(key)) return "it has a control character in it";
  if (key.includes("\\") || /%(?:25)*(?:2f|5c|2e|[01][0-9a-f]|7f)/i.test(key)) return "servers read it in two ways";
  const names = key.split("/");
  if (names.includes("")) return "it begins or ends with a slash, or has two in a row";
  if (names.some((name) => /^\.{1,2}(?:;|$)/.test(name))) return 'it has "." or ".." for a name';
  return undefined;
}

/** @throws Failure `invalid_input` */
export function checkKey(key: string): string {
  const why = whyNoKey(key);
  if (why === undefined) return key;
  throw new Failure("invalid_input", `Cannot use the key ${JSON.stringify(key.slice(0, 200))}: ${why}`, {
    hint: "Only keys that rules, URLs and stores read alike are used: names with single slashes between them.",
  });
}

/** A key as it stands in the path of a URL and is signed. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodeName).join("/");
}

/** Everything but what RFC 3986 leaves alone. */
export function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The part of a prefix that ends with a whole name: what a listing of it can show lies below. */
export function folderOfPrefix(prefix: string): string | undefined {
  const end = prefix.lastIndexOf("/");
  return end <= 0 ? undefined : prefix.slice(0, end);
}

/** A name of a note: no folder above or beside it can come of one. */
const NOTE_NAME = /^[a-z0-9_](?:[a-z0-9._-]{0,62}[a-z0-9_-])?$/;

/** The note that an object becomes, or why it becomes none. @param below the rest of the key behind the prefix */
export function noteOfKey(base: string, below: string): { readonly namespace: string } | { readonly why: string } {
  const why = whyNoKey(below);
  if (why !== undefined) return { why };
  const names = [...base.split("/"), ...below.replace(/\.(?:md|markdown|txt)$/i, "").split("/")];
  const bad = names.find((name) => !NOTE_NAME.test(name) || name.endsWith(".md"));
  if (bad !== undefined) return { why: "its name can be none of a note (a-z, 0-9 and ._-)" };
  return names.length > MAX_LEVELS
    ? { why: `it lies deeper than ${MAX_LEVELS} names` }
    : { namespace: names.join("/") };
}

/** A namespace has no more names. */
const MAX_LEVELS = 8;

/** The file that an object becomes, or why it becomes none. @param below the rest of the key behind the prefix */
export function fileOfKey(directory: string, below: string): { readonly path: string } | { readonly why: string } {
  const why = whyNoKey(below);
  if (why !== undefined) return { why };
  if (below.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    return { why: `a name in it has more than ${MAX_NAME_BYTES} bytes` };
  return { path: `${directory.replace(/\/+$/, "")}/${below}` };
}

/** No usual file system has longer names. */
const MAX_NAME_BYTES = 255;
