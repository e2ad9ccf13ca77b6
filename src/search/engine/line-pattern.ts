/**
 * From a pattern that may match across lines to one that means "within one line", as ripgrep does it: line ends are
 * taken out of every class, and the anchors of the whole text become those of the line. So a whole window can be searched
 * at once and every match stays in its line.
 */
import { nodesOf, type Hir } from "./hir.ts";

/** Whether a literal part of the pattern asks for a line feed, which no line holds. */
export function asksForLineFeed(hir: Hir): boolean {
  for (const node of nodesOf(hir)) {
    if (node.kind === "literal" && node.bytes.includes(LF)) return true;
    if (
      node.kind === "class" &&
      node.ranges.length === 1 &&
      node.ranges[0]?.[0] === LF &&
      node.ranges[0][1] === LF
    )
      return true;
  }
  return false;
}

/**
 * Whether matches can reach over a line end, as ripgrep decides it: anchors of lines and of the text count as if they
 * did. A pattern that cannot is searched line by line even with `multiline`.
 */
export function canSpanLines(hir: Hir): boolean {
  for (const node of nodesOf(hir)) {
    if (node.kind === "literal" && node.bytes.includes(LF)) return true;
    if (node.kind === "class" && node.ranges.some(([from, to]) => holds(from, to, LF))) return true;
    if (node.kind === "look" && /^(?:Start|End)/.test(node.name)) return true;
  }
  return false;
}

/** `undefined` when the pattern stays within lines as it is. */
export function withinLines(hir: Hir, isCrLf: boolean): Hir | undefined {
  for (const node of nodesOf(hir)) {
    const crosses =
      node.kind === "class" &&
      node.ranges.some(([from, to]) => holds(from, to, LF) || (isCrLf && holds(from, to, CR)));
    if (crosses || (node.kind === "look" && (node.name === "Start" || node.name === "End")))
      return rewrite(hir, isCrLf);
  }
  return undefined;
}

function rewrite(hir: Hir, isCrLf: boolean): Hir {
  switch (hir.kind) {
    case "class": {
      const ranges = hir.ranges.flatMap((range) => without(range, LF));
      return { kind: "class", ranges: isCrLf ? ranges.flatMap((range) => without(range, CR)) : ranges };
    }
    case "look":
      if (hir.name === "Start") return { kind: "look", name: isCrLf ? "StartCRLF" : "StartLF" };
      if (hir.name === "End") return { kind: "look", name: isCrLf ? "EndCRLF" : "EndLF" };
      return hir;
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
