/**
 * One name against one segment of a pattern:
 *
 *     segment = { text | "*" | "?" | "[" ["!" | "^"] members "]" | sign "(" segment { "|" segment } ")" | "\" char }
 *
 * In ignore files a broken `[` or a trailing backslash makes the rule match nothing (as git); in a caller's glob they are plain
 * characters, and there are groups with the signs `@?*+!`, as Bash has them.
 *
 * Invariant: polynomial time whatever the pattern, because patterns also come from the files of a repository: the set of
 * reachable positions is computed node by node, a group is asked once for each place, and nothing backtracks.
 */
import { POSIX_CLASSES } from "../../pattern/index.ts";

export type NameTest = (name: string) => boolean;

export interface WildcardOptions extends SegmentSyntax {
  /** Whether `*` and `?` may match a leading dot that the pattern does not spell. */
  readonly dot: boolean;
}

/** The test for one segment (no `/`), or `undefined` when the segment is malformed and can match nothing. */
export function compileSegment(segment: string, options: WildcardOptions): NameTest | undefined {
  const nodes = parseSegment(segment, options);
  if (!nodes) return undefined;
  const test = simpleTest(nodes) ?? withWord(nodes);
  const first = nodes[0];
  if (options.dot || (first?.kind === "text" && first.text.startsWith("."))) return test;
  return (name) => !name.startsWith(".") && test(name);
}

/** Most patterns are a word, `*`, `word*`, `*word` or `word*word`; they need no machine. */
function simpleTest(nodes: readonly Node[]): NameTest | undefined {
  if (nodes.length > 3 || nodes.some((node) => node.kind !== "text" && node.kind !== "star")) return undefined;
  const stars = nodes.filter((node) => node.kind === "star").length;
  const head = nodes[0]?.kind === "text" ? nodes[0].text : "";
  if (stars === 0) return (name) => name === head;
  if (stars > 1) return undefined;
  const last = nodes.at(-1);
  const tail = last?.kind === "text" && nodes.length > 1 ? last.text : "";
  if (head === "" && tail === "") return () => true;
  if (head === "") return (name) => name.endsWith(tail);
  const least = head.length + tail.length;
  return (name) => name.length >= least && name.startsWith(head) && name.endsWith(tail);
}

/** The machine, only for names that hold the longest word of the pattern. */
function withWord(nodes: readonly Node[]): NameTest {
  const words = nodes.map((node) => (node.kind === "text" ? node.text : ""));
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), "");
  return (name) => name.includes(longest) && matchesWhole(nodes, name);
}

function matchesWhole(nodes: readonly Node[], name: string): boolean {
  const from = new Uint8Array(name.length + 1);
  from[0] = 1;
  return reach(nodes, { name, ends: new Map() }, from)[name.length] === 1;
}

type Group = Extract<Node, { kind: "group" }>;

/** A name, and what is known of it: of each group where it can end that begins at a place, found out once. */
interface Reading {
  readonly name: string;
  readonly ends: Map<Group, (Uint8Array | undefined)[]>;
}

/** Marks every position where a match of all `nodes` can end that starts at a marked position. */
function reach(nodes: readonly Node[], reading: Reading, from: Uint8Array): Uint8Array {
  let positions = from;
  for (const node of nodes) {
    positions = step(node, reading, positions);
    if (!positions.includes(1)) return positions;
  }
  return positions;
}

function step(node: Node, reading: Reading, from: Uint8Array): Uint8Array {
  const to = new Uint8Array(from.length);
  const { name } = reading;
  switch (node.kind) {
    case "star":
      return to.fill(1, from.indexOf(1));
    case "text":
      for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1))
        if (name.startsWith(node.text, at)) to[at + node.text.length] = 1;
      return to;
    case "group":
      if (isFlat(node)) return stepFlat(node, reading, from);
      for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) mark(to, endsOf(node, reading, at));
      return to;
    case "one":
    default:
      for (let at = from.indexOf(1); at >= 0 && at < name.length; at = from.indexOf(1, at + 1)) {
        const point = name.codePointAt(at) ?? 0;
        if (node.holds(point)) to[at + (point > 0xffff ? 2 : 1)] = 1;
      }
      return to;
  }
}

/** No group lies in it, and nothing is excluded: all beginnings can be followed together, in quadratic time. */
function isFlat({ sign, choices }: Group): boolean {
  return sign !== "!" && choices.every((nodes) => nodes.every(({ kind }) => kind !== "group"));
}

function stepFlat({ sign, choices }: Group, reading: Reading, from: Uint8Array): Uint8Array {
  const to = sign === "?" || sign === "*" ? from.slice() : new Uint8Array(from.length);
  for (let wave = from; wave.includes(1);) {
    const fresh = new Uint8Array(from.length);
    for (const choice of choices) {
      reach(choice, reading, wave).forEach((marked, at) => {
        if (marked && !to[at]) fresh[at] = to[at] = 1;
      });
    }
    if (sign !== "*" && sign !== "+") break;
    wave = fresh;
  }
  return to;
}

/** Where the group can end that begins there. Groups lie in groups, and each would ask the ones in it again and again. */
function endsOf(group: Group, reading: Reading, start: number): Uint8Array {
  const known = reading.ends.get(group) ?? [];
  reading.ends.set(group, known);
  return (known[start] ??= groupFrom(group, reading, start));
}

function groupFrom({ sign, choices }: Group, reading: Reading, start: number): Uint8Array {
  const to = new Uint8Array(reading.name.length + 1);
  const open = [start];
  const begun = new Uint8Array(to.length);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    begun[at] = 1;
    const from = new Uint8Array(to.length);
    from[at] = 1;
    for (const choice of choices) mark(to, reach(choice, reading, from));
    if (sign !== "*" && sign !== "+") break;
    to.forEach((marked, end) => {
      if (marked && !begun[end] && !open.includes(end)) open.push(end);
    });
  }
  // Every end that no choice reaches.
  if (sign === "!") return to.map((taken, at) => (at < start || taken ? 0 : 1));
  if (sign === "?" || sign === "*") to[start] = 1;
  return to;
}

function mark(to: Uint8Array, ends: Uint8Array): void {
  ends.forEach((marked, at) => {
    if (marked) to[at] = 1;
  });
}

interface SegmentSyntax {
  /** `@(a|b)` and its like. */
  readonly groups: boolean;
}

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "star" }
  | { readonly kind: "one"; readonly holds: (codePoint: number) => boolean }
  | { readonly kind: "group"; readonly sign: string; readonly choices: Node[][] };

export function parseSegment(segment: string, syntax: SegmentSyntax): Node[] | undefined {
  const closed = syntax.groups ? findClosed(segment) : new Set<number>();
  return parseSequence({ text: segment, at: 0, syntax, depth: 0, closed });
}

/** Where groups begin that are closed too, known before they are read: each reading of one that is not would be for nothing. */
function findClosed(text: string): ReadonlySet<number> {
  const closed = new Set<number>();
  const open: number[] = [];
  let hasClasses = true;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === "\\") at++;
    else if (sign === "[" && hasClasses) {
      // Where one finds no end none behind it does.
      const end = endOfClass(text, at);
      if (end === undefined) hasClasses = false;
      else at = end - 1;
    } else if ("@?*+!".includes(sign) && text[at + 1] === "(") open.push(at++);
    else if (sign === ")") {
      const from = open.pop();
      if (from !== undefined) closed.add(from);
    }
  }
  return closed;
}

interface Reader {
  readonly text: string;
  readonly syntax: SegmentSyntax;
  readonly closed: ReadonlySet<number>;
  at: number;
  depth: number;
}

/** Groups within groups beyond this are taken as plain text: nobody writes them. */
const MAX_GROUP_DEPTH = 16;

function parseSequence(reader: Reader): Node[] | undefined {
  const nodes: Node[] = [];
  const addText = (text: string): void => {
    const last = nodes.at(-1);
    if (last?.kind === "text") nodes[nodes.length - 1] = { kind: "text", text: last.text + text };
    else nodes.push({ kind: "text", text });
  };
  while (reader.at < reader.text.length) {
    const sign = reader.text[reader.at] ?? "";
    if (reader.depth > 0 && (sign === "|" || sign === ")")) break;
    const group = parseGroup(reader, sign);
    if (group) {
      nodes.push(group);
      continue;
    }
    reader.at++;
    if (sign === "*") {
      if (nodes.at(-1)?.kind !== "star") nodes.push({ kind: "star" });
    } else if (sign === "?") nodes.push({ kind: "one", holds: () => true });
    else if (sign === "[") {
      const found = parseClass(reader);
      if (found) nodes.push(found);
      else if (!reader.syntax.groups) return undefined;
      else addText("[");
    } else if (sign === "\\") {
      if (reader.at >= reader.text.length && !reader.syntax.groups) return undefined;
      addText(reader.text[reader.at++] ?? "\\");
    } else addText(sign);
  }
  return nodes;
}

function parseGroup(reader: Reader, sign: string): Node | undefined {
  if (!reader.syntax.groups || !"@?*+!".includes(sign) || reader.text[reader.at + 1] !== "(") return undefined;
  if (reader.depth >= MAX_GROUP_DEPTH || !reader.closed.has(reader.at)) return undefined;
  const start = reader.at;
  const choices: Node[][] = [];
  reader.depth++;
  reader.at++;
  do {
    reader.at++;
    choices.push(parseSequence(reader) ?? []);
  } while (reader.text[reader.at] === "|");
  reader.depth--;
  if (reader.text[reader.at] === ")") {
    reader.at++;
    return { kind: "group", sign, choices };
  }
  reader.at = start;
  return undefined;
}

/** Behind the bracket that closes the class which opens there; `undefined` where none closes it. */
export function endOfClass(text: string, open: number): number | undefined {
  const reader = { text, at: open + 1 };
  return parseClass(reader) && reader.at;
}

function parseClass(reader: Pick<Reader, "text" | "at">): Node | undefined {
  const start = reader.at;
  const negated = reader.text[reader.at] === "!" || reader.text[reader.at] === "^";
  if (negated) reader.at++;
  const ranges: [number, number][] = [];
  for (let first = true; reader.at < reader.text.length; first = false) {
    if (reader.text[reader.at] === "]" && !first) {
      reader.at++;
      return {
        kind: "one",
        holds: (point) => ranges.some(([low, high]) => point >= low && point <= high) !== negated,
      };
    }
    const named = /^\[:([a-z]+):\]/.exec(reader.text.slice(reader.at, reader.at + 12));
    if (named) {
      ranges.push(...(POSIX_CLASSES.get(named[1] ?? "") ?? []));
      reader.at += named[0].length;
      continue;
    }
    const low = classMember(reader);
    let high = low;
    if (reader.text[reader.at] === "-" && ![undefined, "]"].includes(reader.text[reader.at + 1])) {
      reader.at++;
      high = classMember(reader);
    }
    ranges.push([low, high]);
  }
  reader.at = start;
  return undefined;
}

function classMember(reader: Pick<Reader, "text" | "at">): number {
  if (reader.text[reader.at] === "\\" && reader.at + 1 < reader.text.length) reader.at++;
  const point = reader.text.codePointAt(reader.at) ?? 0;
  reader.at += point > 0xffff ? 2 : 1;
  return point;
}
