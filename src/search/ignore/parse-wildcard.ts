/**
 * One segment of a pattern as nodes.
 *
 *     segment = { text | "*" | "?" | "[" ["!" | "^"] members "]" | sign "(" segment { "|" segment } ")" | "\" char }
 *
 * A backslash takes the next character literally. Two syntaxes differ: in ignore files a broken `[` or a trailing
 * backslash makes the rule match nothing (as git); in a caller's glob they are plain characters, and groups exist.
 */
export interface SegmentSyntax {
  /** `@(a|b)` and its like. */
  readonly groups: boolean;
}

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "star" }
  | { readonly kind: "one"; readonly holds: (codePoint: number) => boolean }
  | { readonly kind: "group"; readonly sign: string; readonly choices: Node[][] };

export function parseSegment(segment: string, syntax: SegmentSyntax): Node[] | undefined {
  const closed = syntax.groups ? findClosed(segment, syntax) : new Set<number>();
  return parseSequence({ text: segment, at: 0, syntax, depth: 0, closed });
}

/** Where groups begin that are closed too, known before they are read: each reading of one that is not would be for nothing. */
function findClosed(text: string, syntax: SegmentSyntax): ReadonlySet<number> {
  const closed = new Set<number>();
  const open: number[] = [];
  let hasClasses = true;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === "\\") at++;
    else if (sign === "[" && hasClasses) {
      const reader: Reader = { text, at: at + 1, syntax, depth: 0, closed };
      // Where one finds no end none behind it does.
      if (parseClass(reader)) at = reader.at - 1;
      else hasClasses = false;
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
  if (!reader.syntax.groups || !"@?*+!".includes(sign) || reader.text[reader.at + 1] !== "(")
    return undefined;
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

function parseClass(reader: Reader): Node | undefined {
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
      ranges.push(...(POSIX_RANGES[named[1] ?? ""] ?? []));
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

function classMember(reader: Reader): number {
  if (reader.text[reader.at] === "\\" && reader.at + 1 < reader.text.length) reader.at++;
  const point = reader.text.codePointAt(reader.at) ?? 0;
  reader.at += point > 0xffff ? 2 : 1;
  return point;
}

const DIGIT: [number, number] = [0x30, 0x39];
const UPPER: [number, number] = [0x41, 0x5a];
const LOWER: [number, number] = [0x61, 0x7a];
const POSIX_RANGES: Readonly<Record<string, [number, number][]>> = {
  alnum: [DIGIT, UPPER, LOWER],
  alpha: [UPPER, LOWER],
  blank: [
    [0x20, 0x20],
    [0x09, 0x09],
  ],
  cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: [DIGIT],
  graph: [[0x21, 0x7e]],
  lower: [LOWER],
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x20, 0x20],
    [0x09, 0x0d],
  ],
  upper: [UPPER],
  xdigit: [DIGIT, [0x41, 0x46], [0x61, 0x66]],
};
