/**
 * Secrets in what a tool answers, replaced by placeholders that are the same for the same secret in every answer of this
 * host (`[secret:1a2b3c]`, a keyed HMAC), so that a model can still see that two places hold the same one.
 *
 * The rules know the forms that issuers document, private keys, passwords in URLs, and long random values that are
 * assigned to a name that says what they are. A net, not a wall: what looks like ordinary text passes.
 */
import { failureFromData, hmacSha256, type Failure, type FailureData } from "../base/index.ts";
import { redactData } from "../text/index.ts";
import { hideBehindEscapes, mayHaveEscapes } from "./secrets/behind-escapes.ts";

export interface Redacted {
  readonly text: string;
  /** How many were replaced. */
  readonly count: number;
}

export type Redactor = (text: string) => Redacted;

/** Forms of issuers, as they document them; each begins with letters that hardly anything else begins with. */
const TOKENS: readonly string[] = [
  "(?:AKIA|ASIA)[0-9A-Z]{16}",
  "gh[pousr]_[A-Za-z0-9]{36,255}",
  "github_pat_[A-Za-z0-9_]{50,255}",
  "glpat-[A-Za-z0-9_-]{20,64}",
  "xox[abeoprs]-[A-Za-z0-9-]{10,255}",
  "(?:sk|rk)_live_[A-Za-z0-9]{16,255}",
  "sk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,255}",
  "AIza[0-9A-Za-z_-]{35}",
  "ya29\\.[0-9A-Za-z_-]{20,512}",
  "npm_[A-Za-z0-9]{36}",
  "pypi-[A-Za-z0-9_-]{50,512}",
  "hf_[A-Za-z0-9]{30,64}",
  "dop_v1_[a-f0-9]{64}",
  "SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}",
  "eyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,2000}",
];

/** Also behind an escape, as in JSON inside of a text: its letter does not belong to the token. */
const TOKEN = new RegExp(`(?:(?<![A-Za-z0-9_])|(?<=\\\\[bfnrt]))(?:${TOKENS.join("|")})(?![A-Za-z0-9])`, "g");
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|$)/g;
/** `scheme://user:password@host` */
const IN_URL = /(:\/\/[^\s/:@"'\\]{1,64}:)([^\s/:@"'\\]{3,128})(?=@[A-Za-z0-9.[-])/g;
/** `scheme://token@host`, as programs that fetch write it into `.git/config`. */
const USER_IN_URL = /(:\/\/)([A-Za-z0-9_.~-]{16,255})(?=@[A-Za-z0-9[])/g;
/** `AUTHORIZATION: basic eHg...`, as it stands in a request, and in `http.extraheader` of a `.git/config`. */
const HEADER =
  /((?:proxy-)?authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:basic|bearer|token)\s{1,4})([A-Za-z0-9+/_.~=-]{8,4096})/gi;
/** A name that says so, an assignment, and a value without spaces. */
const ASSIGNED =
  /((?:passw(?:or)?d|passphrase|secret|token|(?:api|access|private|auth|secret|signing|encryption|account)_?key|credential)[A-Za-z0-9_-]{0,24}\\?["']?\s{0,4}(?:=>|:=|=|:)\s{0,4}\\?["']?)([A-Za-z0-9+/_.~=-]{16,512})/gi;

/** What every match of `ASSIGNED` has, and most texts have not: found in a tenth of its time. */
const ASSIGNED_VALUE = /[=:>]\s{0,4}\\?["']?[A-Za-z0-9+/_.~=-]{16}/;

export function createRedactor(key: Uint8Array): Redactor {
  const known = new Map<string, string>();
  const placeholder = (secret: string): string => {
    let found = known.get(secret);
    if (found === undefined) {
      found = `[secret:${hmacSha256(key, secret).slice(0, 6)}]`;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(secret, found);
    }
    return found;
  };
  return (text) => {
    let count = 0;
    const replace = (secret: string): string => {
      count++;
      return placeholder(secret);
    };
    return { text: replaceSecrets(text, replace), count };
  };
}

/** @param replace is told each secret, and gives what stands in its place: no part of another secret */
export function replaceSecrets(text: string, replace: (secret: string) => string): string {
  const shown = mayHaveEscapes(text) ? hideBehindEscapes(text, replaceSeen, replace) : text;
  return replaceSeen(shown, replace);
}

function replaceSeen(text: string, replace: (secret: string) => string): string {
  let out = text;
  // Looked for first by what is quick to find: nearly every text has none of it.
  if (out.includes("PRIVATE KEY")) out = out.replace(PRIVATE_KEY, replace);
  out = out.replace(TOKEN, replace);
  if (out.includes("://")) {
    out = out.replace(IN_URL, (all, before: string, value: string) =>
      isReference(value) ? all : before + replace(value),
    );
    out = out.replace(USER_IN_URL, (all, before: string, value: string) =>
      isRandom(value) ? before + replace(value) : all,
    );
  }
  if (out.includes("uthorization") || out.includes("UTHORIZATION")) {
    out = out.replace(HEADER, (all, before: string, value: string) =>
      isReference(value) ? all : before + replace(value),
    );
  }
  if (ASSIGNED_VALUE.test(out)) {
    out = out.replace(ASSIGNED, (all, before: string, value: string) =>
      isRandom(value) ? before + replace(value) : all,
    );
  }
  return out;
}

/** As the redactor itself, for a text whose lines are counted: what stands for a key is followed by the line ends of the key. */
export function redactInPlace(text: string, redact: Redactor): string {
  return redact(hideKeys(text, redact)).text;
}

/** Only what is longer than a line, of which a part looks like any text. No line moves. */
export function hideKeys(text: string, redact: Redactor): string {
  if (!text.includes("PRIVATE KEY")) return text;
  return text.replace(PRIVATE_KEY, (key) => redact(key).text + "\n".repeat(key.split("\n").length - 1));
}

/** A part of a text, judged with what stands before and behind it: a secret across a border shows neither half. */
export function redactPart(redact: Redactor, before: string, part: string, after: string): string {
  const whole = redact(before + part + after).text;
  const lead = commonLength(whole, redact(before).text, (text, at) => text[at]);
  const rest = whole.slice(lead);
  const tail = commonLength(rest, redact(after).text, (text, at) => text[text.length - 1 - at]);
  return rest.slice(0, rest.length - tail);
}

function commonLength(a: string, b: string, signAt: (text: string, at: number) => string | undefined): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && signAt(a, at) === signAt(b, at)) at++;
  return at;
}

const MAX_KNOWN = 4096;

/** What a failure says and quotes, without its secrets; one that has none stays what it is. */
export function redactFailure(failure: Failure, redact: Redactor): Failure {
  const { json, count } = redactData(failure.data, redact);
  return count === 0 ? failure : failureFromData(JSON.parse(json) as FailureData);
}

/** `${PASSWORD}`, `$PASSWORD`, `<password>`, `****`: where a value will be put. */
function isReference(value: string): boolean {
  return /^(?:\$|<|%|\*+$|\[secret:|x+$)/i.test(value);
}

/** Digits and letters mixed, few repetitions: what people type as names is neither. */
function isRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  const isWords = /^[a-z]+(?:[._-][a-z0-9]+)*$/i.test(value);
  return entropy(value) >= (isWords ? 3.5 : 3);
}

/** Bits a character, by the characters of the value itself. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

const PLACEHOLDER = /\[secret:[0-9a-f]{6}\]/;

/** A placeholder in a text that would be written: it stands for something that the caller has never seen. */
export function findPlaceholder(text: string): string | undefined {
  return text.includes("[secret:") ? PLACEHOLDER.exec(text)?.[0] : undefined;
}

/** A text that may leave the machine: nothing in it is a secret, or tells one secret from another. */
export function withoutSecrets(text: string, redact: Redactor | undefined): string {
  return redact ? redact(text).text.replaceAll(new RegExp(PLACEHOLDER, "g"), "(secret)") : text;
}

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
  const value = /^\s{0,4}\\?["']?((?:[^\s"'\\]|\\+(?:\/|u00[2-7][0-9a-fA-F])){8,})/.exec(shown.slice(0, MAX_VALUE));
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
