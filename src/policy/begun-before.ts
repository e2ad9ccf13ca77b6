/**
 * A secret of which a range of a text shows only the rest: a private key that began above it, a value whose name stands in
 * the line before. What lies inside the range is found in it as ever.
 */
import type { Redactor } from "./redact.ts";

export interface BegunBefore {
  /** In what is shown. */
  readonly start: number;
  readonly end: number;
  readonly placeholder: string;
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const HIDDEN = /\[secret:[0-9a-f]{6}\]/;
/** A name that is given its value in the next line. */
const OPEN_NAME = /(?:=|:|\b(?:basic|bearer|token))\s{0,4}\\?["']?\s{0,4}$/i;
/** The longest value that is looked for behind a name, and the longest name. */
const MAX_VALUE = 4200;
const MAX_NAME = 200;

/** @param before what stands before the range, as much of it as is known */
export function findBegun(before: string, shown: string, redact: Redactor): BegunBefore | undefined {
  return (
    (before.includes("PRIVATE KEY") ? restOfKey(before, shown, redact) : undefined) ??
    restOfValue(before, shown, redact)
  );
}

function restOfKey(before: string, shown: string, redact: Redactor): BegunBefore | undefined {
  const begin = [...before.matchAll(BEGIN)].at(-1)?.index;
  if (begin === undefined || END.test(before.slice(begin))) return undefined;
  const last = END.exec(shown);
  const end = last ? last.index + last[0].length : shown.length;
  return { start: 0, end, placeholder: placeholderOf(before.slice(begin) + shown.slice(0, end), redact) };
}

function restOfValue(before: string, shown: string, redact: Redactor): BegunBefore | undefined {
  const name = before.slice(-MAX_NAME);
  if (!OPEN_NAME.test(name)) return undefined;
  const value = /^\s{0,4}\\?["']?([^\s"'\\]{8,})/.exec(shown.slice(0, MAX_VALUE));
  if (!value?.[1]) return undefined;
  const { text, count } = redact(name + value[0]);
  // Found together, and neither in the one nor in the other.
  if (count === 0 || count === redact(name).count + redact(value[0]).count) return undefined;
  const end = value[0].length;
  return { start: end - value[1].length, end, placeholder: HIDDEN.exec(text.slice(-40))?.[0] ?? UNKNOWN };
}

function placeholderOf(secret: string, redact: Redactor): string {
  return HIDDEN.exec(redact(secret).text)?.[0] ?? UNKNOWN;
}

const UNKNOWN = "[secret:000000]";
