/**
 * The order of every answer: names by the bytes of their UTF-8, paths name by name, so that a directory's content
 * follows it and a cursor can go on anywhere.
 *
 * Usual mistake: to compare whole paths as strings; "a.b" would then stand between "a" and "a/c".
 */
import { fsName } from "../scope/index.ts";

/** UTF-16 order is UTF-8 order below the surrogates; names above are rare and compared as bytes. */
const ABOVE_SIMPLE = /[\ud800-\uffff]/;

export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  // A byte below 0x80 comes before all that stands for other bytes.
  const isSimple = (left < SURROGATES && right < SURROGATES) || left < 0x80 || right < 0x80;
  return isSimple ? left - right : Buffer.compare(bytesOf(a), bytesOf(b));
}

const SURROGATES = 0xd800;

export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  if (!ABOVE_SIMPLE.test(a) && !ABOVE_SIMPLE.test(b)) return compareSimple(a, b);
  const left = a.split("/");
  const right = b.split("/");
  for (let at = 0; at < left.length && at < right.length; at++) {
    const order = compareNames(left[at] ?? "", right[at] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Sign by sign, a slash before every other: then a directory's content follows it. */
function compareSimple(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (left === SLASH || right === SLASH) return left === SLASH ? -1 : 1;
  return left - right;
}

const SLASH = 0x2f;

export function sortByName<Named extends { readonly name: string }>(entries: Named[]): Named[] {
  return entries.some((entry) => ABOVE_SIMPLE.test(entry.name))
    ? entries.sort((a, b) => compareNames(a.name, b.name))
    : entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function bytesOf(name: string): Buffer {
  const exact = fsName(name);
  return typeof exact === "string" ? Buffer.from(exact, "utf8") : exact;
}
