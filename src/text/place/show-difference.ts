/**
 * The first line in which an old text differs from the place that is most like it, so that it can be repaired in one step: a
 * line that is other there, one that the old text lacks, or one that only the old text has. The lines above are equal, however
 * many they are. Signs stand for what cannot be seen, and characters that are easily taken for others are named.
 *
 * Usual mistake: comparing the two line by line, so that one line more makes every line below it the difference.
 */
import { alignLines } from "../lines/align-lines.ts";
import { makeVisible, truncateUtf8 } from "../show-text.ts";
import { linesFrom, MAX_LINES_COMPARED, MAX_LINES_MORE } from "./nearest-text.ts";

/** @param place its first line, by its start in the text and by its number */
export function showDifference(
  flat: string,
  place: { readonly start: number; readonly line: number },
  flatOld: string,
): string {
  const sent = flatOld.split("\n");
  let [index, at] = [0, place.start];
  for (; index < sent.length && at < flat.length; index++) {
    const [own = ""] = linesFrom(flat, at, 1).texts;
    if (sent[index] !== own && !isPartOf(sent[index] ?? "", own, index, sent.length)) break;
    at += own.length + 1;
  }
  if (index === sent.length || (index === sent.length - 1 && sent[index] === "")) return "";
  const line = place.line + index;
  const there = linesFrom(flat, at, MAX_LINES_COMPARED + MAX_LINES_MORE).texts;
  if (there.length === 0) return `The file ends before line ${index + 1} of the old text.`;
  return showFirst(sent.slice(index, index + MAX_LINES_COMPARED), there, { sent: index + 1, there: line });
}

/** The first line of an old text may begin inside its line, the last may end inside. */
function isPartOf(line: string, there: string, index: number, count: number): boolean {
  if (count === 1) return there.includes(line);
  return index === 0 ? there.endsWith(line) : index === count - 1 && there.startsWith(line);
}

/** The first of the lines differ; `first` are their numbers. */
function showFirst(
  sent: readonly string[],
  there: readonly string[],
  first: { readonly sent: number; readonly there: number },
): string {
  const { partners } = alignLines(sent, there, 0);
  const next = partners.findIndex((partner) => partner !== undefined);
  const partner = partners[next] ?? -1;
  if (next === 0 && partner > 0)
    return `${nameLines(there, first.there, partner, "the file")} missing in the old text.`;
  if (next > 0 && partner === 0) return `${nameLines(sent, first.sent, next, "the old text")} not in the file there.`;
  const [own = "", old = ""] = [there[0], sent[0]];
  // An old text that begins inside its line says nothing about the blanks before.
  const names = nameCharacters(/^\s/.test(old) ? own : own.trimStart(), old);
  const [shown, sentLine] = quoteBoth(own, old);
  return `Line ${first.there} is ${shown}; the old text has ${sentLine}.${names === "" ? "" : ` ${names}`}`;
}

function nameLines([line = ""]: readonly string[], first: number, count: number, where: string): string {
  const quoted = quoteLine(line, MAX_BYTES_QUOTED);
  if (count === 1) return `Line ${first} of ${where}, ${quoted}, is`;
  return `Lines ${first} to ${first + count - 1} of ${where}, from ${quoted} on, are`;
}

export function quoteLine(line: string, maxBytes = 160): string {
  const cut = truncateUtf8(line, maxBytes);
  return `«${makeVisible(cut.text)}${cut.truncated ? " …" : ""}»`;
}

const MAX_BYTES_QUOTED = 200;
/** So much of two long lines is shown before the first difference. */
const UNITS_BEFORE = 40;

/** Two lines so that their first difference can be seen, wherever it stands. */
function quoteBoth(own: string, old: string): readonly [string, string] {
  const isShort = [own, old].every((line) => Buffer.byteLength(line) <= MAX_BYTES_QUOTED);
  let differs = 0;
  while (differs < old.length && own[differs] === old[differs]) differs++;
  const from = isShort ? 0 : wholeCharacter(old, differs - UNITS_BEFORE);
  const quote = (line: string): string => {
    const quoted = quoteLine(line.slice(from, from + 2 * MAX_BYTES_QUOTED), MAX_BYTES_QUOTED);
    return from === 0 ? quoted : quoted.replace("«", () => "«… ");
  };
  return [quote(own), quote(old)];
}

/** The index itself, or the one before it where it lies in the middle of a pair; never below 0. */
function wholeCharacter(text: string, index: number): number {
  const isInside = index > 0 && /^[\udc00-\udfff]/.test(text.slice(index, index + 1));
  return Math.max(0, isInside ? index - 1 : index);
}

const NAMED: readonly (readonly [string, string])[] = [
  ["\t", "a tab (→)"],
  ["\u00a0", "a no-break space (⍽)"],
  ["\u202f", "a narrow no-break space (⍽)"],
  ["\u2018", "a left single quote (‘)"],
  ["\u2019", "a right single quote (’)"],
  ["\u201c", "a left double quote (“)"],
  ["\u201d", "a right double quote (”)"],
  ["\u2013", "an en dash (–)"],
  ["\u2014", "an em dash (—)"],
  ["\u2026", "an ellipsis (…)"],
  ["\u200b", "a zero-width space"],
  ["\ufeff", "a byte order mark (U+FEFF)"],
];

function namedOnlyIn(text: string, other: string): string {
  return NAMED.flatMap(([sign, name]) => (text.includes(sign) && !other.includes(sign) ? name : [])).join(", ");
}

/** Names the characters that only one side has and that are easily taken for others. */
function nameCharacters(own: string, old: string): string {
  const [inFile, inOld] = [namedOnlyIn(own, old), namedOnlyIn(old, own)];
  const isComposed = own !== old && own.normalize() === old.normalize();
  return [
    inFile && `The file has ${inFile}.`,
    inOld && `The old text has ${inOld}.`,
    isComposed && "The same letters are composed differently (NFC and NFD).",
  ]
    .filter(Boolean)
    .join(" ");
}
