/**
 * The syntax tree of a compiled pattern, as rregex gives it (regex_syntax::hir), in a shape that is easy to walk; back to a
 * pattern; and to one that means "within one line", as ripgrep does it: line ends are taken out of every class, and the
 * anchors of the whole text become those of the line. A whole window can then be searched at once, and every match stays in
 * its line. Everything that names a JavaScript object of rregex stands here.
 */
import type { Class as RawClass, Hir as RawHir } from "../../../node_modules/rregex/lib/web.js";

export type Hir =
  | { readonly kind: "empty" }
  | { readonly kind: "literal"; readonly bytes: Buffer }
  /** Inclusive ranges of code points. */
  | { readonly kind: "class"; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly kind: "look"; readonly name: string }
  | {
      readonly kind: "repeat";
      readonly min: number;
      readonly max: number | undefined;
      readonly greedy: boolean;
      readonly sub: Hir;
    }
  | { readonly kind: "concat" | "choice"; readonly subs: readonly Hir[] };

export function readHir({ kind: node }: RawHir): Hir {
  switch (node["@variant"]) {
    case "Literal":
      return { kind: "literal", bytes: Buffer.from(node["@values"][0]["@values"][0]) };
    case "Class":
      return { kind: "class", ranges: readRanges(node["@values"][0]) };
    case "Look":
      return { kind: "look", name: node["@values"][0]["@variant"] };
    case "Repetition": {
      const { min, max, greedy, sub } = node["@values"][0];
      return { kind: "repeat", min, max, greedy, sub: readHir(sub) };
    }
    case "Capture":
      return readHir(node["@values"][0].sub);
    case "Concat":
      return { kind: "concat", subs: node["@values"][0].map(readHir) };
    case "Alternation":
      return { kind: "choice", subs: node["@values"][0].map(readHir) };
    case "Empty":
    default:
      return { kind: "empty" };
  }
}

function readRanges(node: RawClass): [number, number][] {
  const ranges: readonly { readonly start: string | number; readonly end: string | number }[] =
    node["@values"][0].ranges;
  return ranges.map(({ start, end }) => [codePoint(start), codePoint(end)]);
}

function codePoint(bound: string | number): number {
  return typeof bound === "number" ? bound : (bound.codePointAt(0) ?? 0);
}

/** Every node, parents first. */
function nodesOf(hir: Hir): Hir[] {
  const subs = hir.kind === "repeat" ? [hir.sub] : hir.kind === "concat" || hir.kind === "choice" ? hir.subs : [];
  return [hir, ...subs.flatMap(nodesOf)];
}

/** The pattern that has this tree; flags are written out in it, so it must stand without any. */
export function writePattern(hir: Hir): string {
  switch (hir.kind) {
    case "literal":
      return Array.from(hir.bytes.toString("utf8"), (char) => escapePoint(char.codePointAt(0) ?? 0)).join("");
    case "class":
      return hir.ranges.length === 0
        ? NEVER
        : `[${hir.ranges.map(([from, to]) => (from === to ? escapePoint(from) : `${escapePoint(from)}-${escapePoint(to)}`)).join("")}]`;
    case "look":
      return LOOKS[hir.name] ?? unknownLook(hir.name);
    case "repeat":
      return `(?:${writePattern(hir.sub)}){${hir.min},${hir.max ?? ""}}${hir.greedy ? "" : "?"}`;
    case "concat":
      return hir.subs.map((sub) => `(?:${writePattern(sub)})`).join("");
    case "choice":
      return hir.subs.map((sub) => `(?:${writePattern(sub)})`).join("|");
    case "empty":
    default:
      return "(?:)";
  }
}

const NEVER = "[a&&b]";

function escapePoint(point: number): string {
  const isPlain =
    (point >= 0x30 && point <= 0x39) || (point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a);
  return isPlain ? String.fromCodePoint(point) : `\\x{${point.toString(16)}}`;
}

function unknownLook(name: string): never {
  throw new Error(`rregex gave an unknown look ${name}`);
}

const LOOKS: Readonly<Record<string, string>> = {
  Start: "\\A",
  End: "\\z",
  StartLF: "(?m:^)",
  EndLF: "(?m:$)",
  StartCRLF: "(?Rm:^)",
  EndCRLF: "(?Rm:$)",
  WordAscii: "(?-u:\\b)",
  WordAsciiNegate: "(?-u:\\B)",
  WordUnicode: "\\b",
  WordUnicodeNegate: "\\B",
  WordStartAscii: "(?-u:\\b{start})",
  WordEndAscii: "(?-u:\\b{end})",
  WordStartUnicode: "\\b{start}",
  WordEndUnicode: "\\b{end}",
  WordStartHalfAscii: "(?-u:\\b{start-half})",
  WordEndHalfAscii: "(?-u:\\b{end-half})",
  WordStartHalfUnicode: "\\b{start-half}",
  WordEndHalfUnicode: "\\b{end-half}",
};

/** Whether a literal part of the pattern asks for a line feed, which no line holds. */
export function asksForLineFeed(hir: Hir): boolean {
  return nodesOf(hir).some((node) => {
    if (node.kind === "literal") return node.bytes.includes(LF);
    return node.kind === "class" && node.ranges.length === 1 && node.ranges[0]?.[0] === LF && node.ranges[0][1] === LF;
  });
}

/**
 * Whether matches can reach over a line end, as ripgrep decides it: anchors of lines and of the text count as if they
 * did. A pattern that cannot is searched line by line even with `multiline`.
 */
export function canSpanLines(hir: Hir): boolean {
  return nodesOf(hir).some((node) => {
    if (node.kind === "literal") return node.bytes.includes(LF);
    if (node.kind === "class") return node.ranges.some(([from, to]) => holds(from, to, LF));
    return node.kind === "look" && /^(?:Start|End)/.test(node.name);
  });
}

/** `undefined` when the pattern stays within lines as it is. */
export function withinLines(hir: Hir, isCrLf: boolean): Hir | undefined {
  const crosses = nodesOf(hir).some((node) => {
    if (node.kind === "look") return node.name === "Start" || node.name === "End";
    if (node.kind !== "class") return false;
    return node.ranges.some(([from, to]) => holds(from, to, LF) || (isCrLf && holds(from, to, CR)));
  });
  return crosses ? rewrite(hir, isCrLf) : undefined;
}

function rewrite(hir: Hir, isCrLf: boolean): Hir {
  switch (hir.kind) {
    case "class": {
      const ranges = hir.ranges.flatMap((range) => without(range, LF));
      return { kind: "class", ranges: isCrLf ? ranges.flatMap((range) => without(range, CR)) : ranges };
    }
    case "look":
      return hir.name === "Start" || hir.name === "End"
        ? { kind: "look", name: hir.name + (isCrLf ? "CRLF" : "LF") }
        : hir;
    case "repeat":
      return { ...hir, sub: rewrite(hir.sub, isCrLf) };
    case "concat":
    case "choice":
      return { kind: hir.kind, subs: hir.subs.map((sub) => rewrite(sub, isCrLf)) };
    case "empty":
    case "literal":
    default:
      return hir;
  }
}

/**
 * A pattern with fewer matches that still has one in every text in which the given one has: at its beginning, repetitions
 * beyond the fewest are left out, because a match can as well begin behind them.
 */
export function withoutLeadingRepeats(hir: Hir): Hir {
  switch (hir.kind) {
    case "repeat":
      if (hir.min === 0) return { kind: "empty" };
      return hir.min === 1 ? withoutLeadingRepeats(hir.sub) : { ...hir, max: hir.min };
    case "choice":
      return { kind: "choice", subs: hir.subs.map(withoutLeadingRepeats) };
    case "concat": {
      const [first, ...rest] = hir.subs;
      if (!first) return hir;
      const shortest = withoutLeadingRepeats(first);
      if (shortest.kind === "empty") return withoutLeadingRepeats({ kind: "concat", subs: rest });
      return { kind: "concat", subs: [...(shortest.kind === "concat" ? shortest.subs : [shortest]), ...rest] };
    }
    case "empty":
    case "literal":
    case "class":
    case "look":
    default:
      return hir;
  }
}

const LF = 10;
const CR = 13;

function holds(from: number, to: number, point: number): boolean {
  return from <= point && point <= to;
}

function without([from, to]: readonly [number, number], point: number): (readonly [number, number])[] {
  if (!holds(from, to, point)) return [[from, to]];
  const parts: [number, number][] = [];
  if (from < point) parts.push([from, point - 1]);
  if (to > point) parts.push([point + 1, to]);
  return parts;
}
