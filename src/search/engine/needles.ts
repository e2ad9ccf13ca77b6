/**
 * Short texts one of which stands in every match of a pattern, read off its syntax tree. Only lines that hold one are
 * shown to the engine, so a search runs at the speed of memory. The rarest texts are taken; `undefined` means that the
 * pattern has none worth looking for, and then every line is shown.
 */
import type { Hir } from "./hir.ts";
import { NEWLINE } from "./matcher.ts";
import { byteShare, fits, type Needle, sharedScanner } from "../../text/index.ts";

/** With more needles nearly every place is a candidate. */
const MAX_NEEDLES = 64;
/** The share of places where a needle may start; above it, looking for needles costs more than it saves. */
const MAX_SHARE = 0.02;

/** Texts one of which stands in every match. */
export interface RequiredNeedles {
  readonly needles: readonly Needle[];
  /** So many characters of a match stand before the first of them at most; Infinity when that is not known. */
  readonly lead: number;
}

export function requiredNeedles(hir: Hir): RequiredNeedles | undefined {
  const found = anyOf(hir);
  if (!found || shareOf(found) > MAX_SHARE || !fits(found.needles)) return undefined;
  const { needles, lead } = found;
  if (needles.length === 1) return found;
  const cut = needles.map(fromRarest);
  const lost = needles.map(({ bytes }, at) => bytes.length - (cut[at]?.bytes.length ?? 0));
  return { needles: cut, lead: lead + Math.max(...lost) };
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

function anyOf(hir: Hir): RequiredNeedles | undefined {
  switch (hir.kind) {
    case "literal":
      return { needles: [exact(hir.bytes)], lead: 0 };
    case "class":
      return leadBytes(hir.ranges);
    case "repeat":
      return hir.min > 0 ? anyOf(hir.sub) : undefined;
    case "concat":
      return rarest([...runsOf(hir.subs), ...inSubs(hir.subs)]);
    case "choice":
      return together(hir.subs.map(anyOf));
    case "empty":
    case "look":
    default:
      return undefined;
  }
}

/** The most characters that a match takes. */
function widthOf(hir: Hir): number {
  switch (hir.kind) {
    case "literal":
      return hir.bytes.length;
    case "class":
      return 1;
    case "repeat":
      return hir.max === 0 ? 0 : widthOf(hir.sub) * (hir.max ?? Infinity) || 0;
    case "concat":
      return hir.subs.reduce((sum, sub) => sum + widthOf(sub), 0);
    case "choice":
      return Math.max(0, ...hir.subs.map(widthOf));
    case "empty":
    case "look":
    default:
      return 0;
  }
}

function inSubs(subs: readonly Hir[]): (RequiredNeedles | undefined)[] {
  let before = 0;
  return subs.map((sub) => {
    const found = anyOf(sub);
    const required = found && { needles: found.needles, lead: before + found.lead };
    before += widthOf(sub);
    return required;
  });
}

/**
 * Neighbours that stand for one byte each, a letter of either case among them, make one needle. K and S have a relative
 * each outside of ASCII: a match that has it in place of the letter is found by the relative, which hardly any text holds.
 */
function runsOf(subs: readonly Hir[]): RequiredNeedles[] {
  const runs: { bytes: number[]; folds: boolean[]; relatives: Set<number>; lead: number }[] = [];
  let isOpen = false;
  let before = 0;
  for (const sub of subs) {
    if (sub.kind === "look") continue;
    const letter = eitherCase(sub);
    const bytes = letter ? [letter.lower] : sub.kind === "literal" ? [...sub.bytes] : undefined;
    if (bytes) {
      if (!isOpen) runs.push({ bytes: [], folds: [], relatives: new Set(), lead: before });
      const run = runs.at(-1);
      run?.bytes.push(...bytes);
      run?.folds.push(...bytes.map(() => letter !== undefined));
      if (letter?.relative !== undefined) run?.relatives.add(letter.relative);
    }
    isOpen = bytes !== undefined;
    before += widthOf(sub);
  }
  return runs.map(({ bytes, folds, relatives, lead }) => {
    const others = [...relatives].map((point) => exact(Buffer.from(String.fromCodePoint(point), "utf8")));
    // A relative may stand at the end of the run.
    return { needles: [{ bytes: Buffer.from(bytes), folds }, ...others], lead: lead + (others.length && bytes.length) };
  });
}

interface EitherCase {
  readonly lower: number;
  /** The third sign of the class, outside of ASCII. */
  readonly relative?: number | undefined;
}

/** The letter of a class such as [Aa], or [Kk\u{212a}]. */
function eitherCase(hir: Hir): EitherCase | undefined {
  if (hir.kind !== "class" || hir.ranges.length < 2 || hir.ranges.length > 3) return undefined;
  if (hir.ranges.some(([from, to]) => from !== to)) return undefined;
  const [upper = 0, lower = 0, relative] = hir.ranges.map(([from]) => from);
  const isPair = lower === upper + 0x20 && lower >= 0x61 && lower <= 0x7a;
  return isPair && (relative === undefined || relative >= 0x80) ? { lower, relative } : undefined;
}

/** The bytes that the characters of a class start with; `undefined` for a class with ASCII. */
function leadBytes(ranges: readonly (readonly [number, number])[]): RequiredNeedles | undefined {
  const leads = new Set<number>();
  for (const [from, to] of ranges) {
    if (from < 0x80) return undefined;
    const [first, last] = [leadOf(from), leadOf(to)];
    for (let lead = first; lead <= last; lead++) leads.add(lead);
  }
  return leads.size === 0 ? undefined : { needles: [...leads].map((lead) => exact(Buffer.of(lead))), lead: 0 };
}

function leadOf(point: number): number {
  return Buffer.from(String.fromCodePoint(point), "utf8")[0] ?? 0;
}

/** The needles of all ways, because a match may take any of them. */
function together(ways: readonly (RequiredNeedles | undefined)[]): RequiredNeedles | undefined {
  const needles: Needle[] = [];
  let lead = 0;
  for (const way of ways) {
    if (!way) return undefined;
    needles.push(...way.needles);
    lead = Math.max(lead, way.lead);
    if (needles.length > MAX_NEEDLES) return undefined;
  }
  return { needles, lead };
}

function rarest(candidates: readonly (RequiredNeedles | undefined)[]): RequiredNeedles | undefined {
  return candidates.filter((candidate) => candidate !== undefined).sort((a, b) => shareOf(a) - shareOf(b))[0];
}

function shareOf({ needles }: RequiredNeedles): number {
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
