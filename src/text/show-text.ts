/**
 * Text for people: differences that cannot be seen become signs, characters that command a terminal or reorder a line
 * become escapes, long text is cut between code points, and numbers, lists and commands are said in words. For messages
 * and screens only; never for what is written to a file.
 *
 * Usual mistakes: escaping twice; cutting the encoded bytes and decoding what is left, which ends in U+FFFD; a path in
 * a command that becomes a second command when it is copied.
 */

/** Tab as `→`, CR as `␍`, no-break spaces as `⍽`, blanks before a line's end as `·`. Line feeds stay. */
export function makeVisible(text: string): string {
  return text
    .split("\n")
    .map(dotTrailing)
    .join("\n")
    .replace(/\t/g, "→")
    .replace(/\r/g, "␍")
    .replace(/[\u00a0\u202f\u2007]/g, "⍽");
}

/**
 * What commands a terminal, reorders a line, ends one unseen or cannot be seen at all, as `\x1b`, `\u202e` and `\u{e0041}`:
 * C0 (but LF and tab), DEL, C1, the bidi characters of Unicode TR #36 / CVE-2021-42574, and all that Unicode calls ignorable
 * (zero-width characters, tags, variation selectors, fillers), which a model reads and a person does not.
 */
export function escapeControls(text: string): string {
  return text.replace(COMMANDING, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xffff) return `\\u{${code.toString(16)}}`;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Does what `escapeControls` does for names and arguments, which have to stay on one line: a line feed is escaped too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll("\n", "\\x0a");
}

/** Does what `escapeControls` does for JSON text, whose meaning stays the same. */
export function escapeJson(text: string): string {
  return text.replace(COMMANDING, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Lone surrogates are among them: they are no characters, and other programs would show them as something else. */
const COMMANDING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\ud800-\udfff]|\p{Default_Ignorable_Code_Point}/gu;

/** A loop, because a regular expression with a look-ahead is quadratic in a long run of blanks. */
function dotTrailing(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line.charAt(end - 1))) end--;
  return line.slice(0, end) + line.slice(end).replaceAll(" ", () => "·");
}

export interface Truncated {
  readonly text: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
}

export function truncateUtf8(text: string, maxBytes: number): Truncated {
  const totalBytes = Buffer.byteLength(text);
  if (totalBytes <= maxBytes) return { text, truncated: false, totalBytes };
  return { text: text.slice(0, unitsThatFit(text, maxBytes)), truncated: true, totalBytes };
}

function unitsThatFit(text: string, maxBytes: number): number {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    bytes += utf8Length(point);
    if (bytes > maxBytes) return at;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

/** A lone surrogate counts as the three bytes of U+FFFD, as `Buffer.byteLength` counts it. */
function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** `3 files`, `1 file`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return count(bytes, "byte");
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${UNITS[unit] ?? ""}`;
}

const UNITS = ["kB", "MB", "GB", "TB", "PB"] as const;

/** @param what what is counted and what is done with it, as `bytes hashed`; anything else is the words of its author */
export function sayProgress(done: number, total: number | undefined, what: string): string {
  const [unit = "", ...rest] = what.split(" ");
  const withCommas = String(done).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  if (unit === "bytes") return [sayBytes(done, total), ...rest].join(" ");
  if (unit === "entries") return [`${withCommas} ${done === 1 ? "entry" : "entries"}`, ...rest].join(" ");
  return what || [done, total].filter((one) => one !== undefined).join(" of ");
}

function sayBytes(done: number, total: number | undefined): string {
  if (total === undefined) return short(done);
  const [all, some] = [short(total), short(done)];
  const unit = all.slice(all.indexOf(" "));
  return `${some.endsWith(unit) ? some.slice(0, -unit.length) : some} of ${all}`;
}

function short(bytes: number): string {
  return formatBytes(bytes).replace(".0 ", " ");
}

/** `a, b and c`. `Intl.ListFormat` does the same after a millisecond of loading, which a first call would wait for. */
export function joinWords(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  const first = words.slice(0, -1).join(", ");
  const last = words.at(-1) ?? "";
  return first === "" ? last : `${first} ${conjunction} ${last}`;
}

/** @param stateDir that of the process that says this: no other has its proposals and grants */
export function terminalCommand(words: readonly string[], stateDir: string): string {
  return ["ringfence", ...words, "--state-dir", stateDir].map(wordOf).join(" ");
}

function wordOf(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function nearestNames(wanted: string, names: Iterable<string>, limit: number): string[] {
  const target = fold(wanted);
  const maxSlips = Math.max(1, Math.floor(target.length / 3));
  const ranked: { name: string; rank: number }[] = [];
  let seen = 0;
  for (const name of names) {
    if (++seen > MAX_NAMES) break;
    const rank = rankOf(target, fold(name), maxSlips);
    if (rank !== undefined) ranked.push({ name, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Math.max(0, limit))
    .map((entry) => entry.name);
}

/** Names looked at: more than any listing that a person reads, few enough to stay within some milliseconds. */
const MAX_NAMES = 10_000;
/** NAME_MAX; longer strings are no names and would make the distance slow. */
const MAX_NAME_UNITS = 255;
const RANK_SHARED = 1000;

/** 0 for the same name, then the number of slips, then shared parts; `undefined` when nothing is alike. */
function rankOf(target: string, name: string, maxSlips: number): number | undefined {
  if (name === target) return 0;
  if (name.length === 0 || target.length === 0 || name.length > MAX_NAME_UNITS) return undefined;
  const slips = editDistance(target, name, maxSlips);
  if (slips <= maxSlips && slips < Math.max(target.length, name.length)) return slips;
  if (name.includes(target) || (name.length >= 3 && target.includes(name))) return RANK_SHARED;
  const shared = sharedPrefix(target, name);
  return shared >= 3 && shared * 2 >= target.length ? RANK_SHARED * 2 - shared : undefined;
}

function fold(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[\u00a0\u202f]/g, " ")
    .toLowerCase();
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours (Damerau-Levenshtein, optimal string alignment) from one
 * string to the other; `max + 1` as soon as it must be more than `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const value = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
        swapped ? cell(beforeLast, column - 2) + 1 : Infinity,
      );
      current.push(value);
      least = Math.min(least, value);
    }
    // A swap reaches two rows back, but at the price of one: it cannot come back under a row that is all above.
    if (least > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(cell(last, b.length), max + 1);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
