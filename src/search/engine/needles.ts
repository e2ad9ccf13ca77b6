/**
 * Short texts one of which stands in every match of a pattern, read off its syntax tree. Only lines that hold one are
 * shown to the engine, so a search runs at the speed of memory. The rarest texts are taken; `undefined` means that the
 * pattern has none worth looking for, and then every line is shown.
 *
 * A pattern of the backtracking engine is relaxed for this to one that the linear engine has and that matches wherever
 * it does: assertions are left out, and whatever is not known to mean the same in both becomes "anything". Usual
 * mistake: to let something through because both engines take it; `\<` is a sign in one and a boundary in the other.
 */
import type { Hir } from "./hir.ts";
import { NEWLINE } from "./matcher.ts";
import { byteShare, fits, type Needle, sharedScanner } from "../../text/index.ts";

/** With more needles nearly every place is a candidate. */
const MAX_NEEDLES = 64;
/** The share of places where a needle may start; above it, looking for needles costs more than it saves. */
const MAX_SHARE = 0.02;

export function requiredNeedles(hir: Hir): readonly Needle[] | undefined {
  const found = anyOf(hir);
  if (!found || shareOf(found) > MAX_SHARE || !fits(found)) return undefined;
  return found.length === 1 ? found : found.map(fromRarest);
}

/** The scanner looks at so many bytes of each of several needles first. */
const LOOK_BYTES = 3;

/** At least so many bytes of a needle are kept, because what is kept is what is found. */
const FEWEST_BYTES = 6;

/** The needle from its rarest bytes on: what stands before them would only make more places to look at closely. */
function fromRarest({ bytes, folds }: Needle): Needle {
  let best = 0;
  let least = Infinity;
  for (let at = 0; at === 0 || at + FEWEST_BYTES <= bytes.length; at++) {
    const end = at + LOOK_BYTES;
    const share = needleShare({ bytes: bytes.subarray(at, end), folds: folds.slice(at, end) });
    if (share < least) [best, least] = [at, share];
  }
  return { bytes: bytes.subarray(best), folds: folds.slice(best) };
}

/** Whether folding ASCII letters is all that ignoring case means: K and S have relatives outside of ASCII. */
export function foldsInAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text) && !/[ks]/i.test(text);
}

function anyOf(hir: Hir): Needle[] | undefined {
  switch (hir.kind) {
    case "literal":
      return [exact(hir.bytes)];
    case "class":
      return leadBytes(hir.ranges);
    case "repeat":
      return hir.min > 0 ? anyOf(hir.sub) : undefined;
    case "concat":
      return rarest([...runsOf(hir.subs), ...hir.subs.map(anyOf)]);
    case "choice":
      return together(hir.subs.map(anyOf));
    case "empty":
    case "look":
    default:
      return undefined;
  }
}

/** Neighbours that stand for one byte each, a letter of either case among them, make one needle. */
function runsOf(subs: readonly Hir[]): Needle[][] {
  const runs: { bytes: number[]; folds: boolean[] }[] = [{ bytes: [], folds: [] }];
  for (const sub of subs) {
    const run = runs.at(-1);
    const letter = eitherCase(sub);
    if (sub.kind === "literal") {
      run?.bytes.push(...sub.bytes);
      run?.folds.push(...Array.from(sub.bytes, () => false));
    } else if (letter !== undefined) {
      run?.bytes.push(letter);
      run?.folds.push(true);
    } else if (sub.kind !== "look") runs.push({ bytes: [], folds: [] });
  }
  return runs.filter(({ bytes }) => bytes.length > 0).map(({ bytes, folds }) => [{ bytes: Buffer.from(bytes), folds }]);
}

/** The lower-case letter of a class such as [Aa]. */
function eitherCase(hir: Hir): number | undefined {
  if (hir.kind !== "class" || hir.ranges.length !== 2) return undefined;
  const [upper, upperEnd] = hir.ranges[0] ?? [0, 0];
  const [lower, lowerEnd] = hir.ranges[1] ?? [0, 0];
  const isPair = upper === upperEnd && lower === lowerEnd && lower === upper + 0x20;
  return isPair && lower >= 0x61 && lower <= 0x7a ? lower : undefined;
}

/** The bytes that the characters of a class start with; `undefined` for a class with ASCII. */
function leadBytes(ranges: readonly (readonly [number, number])[]): Needle[] | undefined {
  const leads = new Set<number>();
  for (const [from, to] of ranges) {
    if (from < 0x80) return undefined;
    const [first, last] = [leadOf(from), leadOf(to)];
    for (let lead = first; lead <= last; lead++) leads.add(lead);
  }
  return leads.size === 0 ? undefined : [...leads].map((lead) => exact(Buffer.of(lead)));
}

function leadOf(point: number): number {
  return Buffer.from(String.fromCodePoint(point), "utf8")[0] ?? 0;
}

/** The needles of all ways, because a match may take any of them. */
function together(ways: readonly (Needle[] | undefined)[]): Needle[] | undefined {
  const all: Needle[] = [];
  for (const way of ways) {
    if (!way) return undefined;
    all.push(...way);
    if (all.length > MAX_NEEDLES) return undefined;
  }
  return all;
}

function rarest(candidates: readonly (Needle[] | undefined)[]): Needle[] | undefined {
  return candidates.filter((candidate) => candidate !== undefined).sort((a, b) => shareOf(a) - shareOf(b))[0];
}

function shareOf(needles: readonly Needle[]): number {
  return needles.reduce((sum, needle) => sum + needleShare(needle), 0);
}

function needleShare({ bytes, folds }: Needle): number {
  return bytes.reduce((share, byte, at) => share * (byteShare(byte) + (folds[at] ? byteShare(byte - 0x20) : 0)), 1);
}

function exact(bytes: Buffer): Needle {
  return { bytes, folds: Array.from(bytes, () => false) };
}

/** When so many of the bytes are candidates, the whole text is shown: copying would cost more than it saves. */
const MOST_SHARE = 0.5;

export class CandidateLines {
  readonly #needles: readonly Needle[];
  #packed: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(needles: readonly Needle[]) {
    this.#needles = needles;
  }

  /** Whether a text can hold a match at all. */
  mayMatch(bytes: Buffer): boolean {
    const scanner = sharedScanner();
    scanner.load(this.#needles);
    return scanner.find(bytes, 0) >= 0;
  }

  /**
   * @param engine places in the lines that it is given, in pairs, in order
   * @returns the same places in `bytes`; `undefined` when it should be shown the whole text
   */
  search(bytes: Buffer, engine: (lines: Buffer) => number[]): number[] | undefined {
    const scanner = sharedScanner();
    scanner.load(this.#needles);
    /** Where each run of lines starts in the text, and in what is packed. */
    const runs: number[] = [];
    let packed = 0;
    let last = -1;
    for (let at = scanner.find(bytes, 0); at >= 0;) {
      const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
      const feed = bytes.indexOf(NEWLINE, at);
      const end = feed < 0 ? bytes.length : feed + 1;
      if (packed + end - start > bytes.length * MOST_SHARE) return undefined;
      if (start !== last) runs.push(start, packed);
      this.#makeRoom(packed, packed + end - start);
      packed += bytes.copy(this.#packed, packed, start, end);
      last = end;
      at = scanner.find(bytes, end);
    }
    return packed === 0 ? [] : unpack(engine(this.#packed.subarray(0, packed)), runs);
  }

  #makeRoom(used: number, wanted: number): void {
    if (wanted <= this.#packed.length) return;
    const larger = Buffer.allocUnsafeSlow(wanted * 2);
    this.#packed.copy(larger, 0, 0, used);
    this.#packed = larger;
  }
}

function unpack(places: number[], runs: readonly number[]): number[] {
  let run = 0;
  return places.map((place) => {
    while ((runs[run + 3] ?? Infinity) <= place) run += 2;
    return (runs[run] ?? 0) + place - (runs[run + 1] ?? 0);
  });
}

/** `undefined` when the pattern holds something whose extent is not plain. */
export function relaxPattern(pattern: string): string | undefined {
  // Verbs, comments, conditions, calls of groups, quoted text.
  if (/\(\*|\(\?[#(R&+\d]|\\[QE]/.test(pattern)) return undefined;
  let relaxed = "";
  for (let at = 0; at < pattern.length;) {
    const part = partAt(pattern, at);
    if (!part) return undefined;
    relaxed += part.text;
    at = part.end;
  }
  return relaxed;
}

interface Part {
  readonly text: string;
  /** Behind it in the pattern. */
  readonly end: number;
}

const ANY = "[\\s\\S]";
const NOTHING = "(?:)";

function partAt(pattern: string, at: number): Part | undefined {
  const sign = pattern.charAt(at);
  switch (sign) {
    case "\\":
      return escapeAt(pattern, at);
    case "[": {
      const end = classEnd(pattern, at);
      return end === undefined ? undefined : { text: ANY, end };
    }
    case "(":
      return groupAt(pattern, at);
    case "{": {
      // Anything else in braces is text in one of the two.
      const [count] = sticky(/\{\d+(?:,\d*)?\}/y, pattern, at) ?? [];
      return count === undefined ? undefined : { text: count, end: at + count.length };
    }
    default:
      return { text: sign, end: at + 1 };
  }
}

function escapeAt(pattern: string, at: number): Part | undefined {
  const found =
    sticky(/\\(?:[bBAz](?!\{)|[nrtfa]|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]+\})/y, pattern, at) ??
    sticky(/\\(?<nothing>K)/y, pattern, at) ??
    sticky(/\\(?<any>[dDwWsS]|[pP](?:\{[^}]*\}|[A-Z]))/y, pattern, at) ??
    sticky(/\\(?<again>[1-9]\d*|[gk](?:\{[^}]*\}|<[^>]*>|'[^']*'|-?\d+))/y, pattern, at) ??
    sticky(/\\(?<sign>[^a-zA-Z0-9])/uy, pattern, at);
  if (!found) return undefined;
  const { nothing, any, again, sign } = found.groups ?? {};
  const end = at + found[0].length;
  if (nothing !== undefined) return { text: NOTHING, end };
  if (any !== undefined) return { text: ANY, end };
  if (again !== undefined) return { text: `(?:${ANY}*)`, end };
  if (sign !== undefined) return { text: `\\x{${(sign.codePointAt(0) ?? 0).toString(16)}}`, end };
  return { text: found[0], end };
}

function groupAt(pattern: string, at: number): Part | undefined {
  if (sticky(/\(\?<?[=!]/y, pattern, at)) {
    const end = groupEnd(pattern, at);
    return end === undefined ? undefined : { text: NOTHING, end };
  }
  const [other] = sticky(/\(\?(?:[>|:]|P?<\w+>|'\w+')/y, pattern, at) ?? [];
  if (other !== undefined) return { text: "(?:", end: at + other.length };
  const [flags] = sticky(/\(\?[imsU]*(?:-[imsU]+)?[:)]/y, pattern, at) ?? [];
  if (flags !== undefined) return { text: flags, end: at + flags.length };
  return pattern[at + 1] === "?" ? undefined : { text: "(?:", end: at + 1 };
}

/** Behind the parenthesis that ends the group. */
function groupEnd(pattern: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === "\\") at++;
    else if (sign === "[") {
      const end = classEnd(pattern, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0) return at + 1;
  }
  return undefined;
}

function classEnd(pattern: string, at: number): number | undefined {
  const [found] = sticky(/\[\^?\]?(?:\\.|\[[:.=][^\]]*[:.=]\]|[^\]\\])*\]/suy, pattern, at) ?? [];
  return found === undefined ? undefined : at + found.length;
}

function sticky(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
