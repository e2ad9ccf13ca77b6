/**
 * Gives inserted lines the indentation of the place, when the old lines of a hunk were found there with other blanks. A
 * line takes what the nearest old line of its depth has; deeper or shallower ones go on from there in the file's unit.
 *
 * Usual mistake: also rewriting the context lines, which nobody asked for.
 */
import { indentOf } from "../fold-line.ts";
import type { HunkLine } from "./patch-model.ts";

/** The blanks before an old line, in the hunk and in the file. */
interface Pair {
  readonly sent: string;
  readonly own: string;
  /** Index among the lines of the hunk. */
  readonly at: number;
}

/** `own` are the lines of the file that the old lines of the hunk stand on. */
export function reindent(lines: readonly HunkLine[], own: readonly string[]): HunkLine[] {
  const pairs = findPairs(lines, own);
  if (pairs.every((pair) => pair.sent === pair.own)) return [...lines];
  const bySent = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const same = bySent.get(pair.sent) ?? [];
    same.push(pair);
    bySent.set(pair.sent, same);
  }
  const unit = findUnit(pairs);
  let next = 0;
  return lines.map((line, at) => {
    while (next < pairs.length && (pairs[next]?.at ?? 0) < at) next++;
    if (line.kind !== "insert" || line.text.trim() === "") return line;
    const indent = indentOf(line.text);
    const near = pairs[next - 1] ?? pairs[next];
    const same = bySent.get(indent)?.findLast((pair) => pair.at < at) ?? bySent.get(indent)?.[0];
    const fitted = same?.own ?? (near ? derive(indent, near, unit) : indent);
    return { ...line, text: fitted + line.text.slice(indent.length) };
  });
}

function findPairs(lines: readonly HunkLine[], own: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  let offset = 0;
  for (const [at, { kind, text }] of lines.entries()) {
    if (kind === "insert") continue;
    const there = own[offset++] ?? "";
    if (text.trim() !== "") pairs.push({ sent: indentOf(text), own: indentOf(there), at });
  }
  return pairs;
}

/** How many blanks the one side writes for a tab of the other. */
interface Unit {
  readonly from: string;
  readonly to: string;
}

function findUnit(pairs: readonly Pair[]): Unit | undefined {
  for (const { sent, own } of pairs) {
    if (isAll(own, "\t") && isAll(sent, " ") && sent.length % own.length === 0) {
      return { from: " ".repeat(sent.length / own.length), to: "\t" };
    }
    if (isAll(sent, "\t") && isAll(own, " ") && own.length % sent.length === 0) {
      return { from: "\t", to: " ".repeat(own.length / sent.length) };
    }
  }
  return undefined;
}

function isAll(text: string, sign: string): boolean {
  return text !== "" && text.replaceAll(sign, "") === "";
}

function derive(indent: string, near: Pair, unit: Unit | undefined): string {
  if (indent.startsWith(near.sent)) return near.own + convert(indent.slice(near.sent.length), unit);
  if (near.sent.startsWith(indent)) {
    const less = convert(near.sent.slice(indent.length), unit);
    return near.own.slice(0, Math.max(0, near.own.length - less.length));
  }
  return indent;
}

function convert(blanks: string, unit: Unit | undefined): string {
  return unit ? blanks.replaceAll(unit.from, () => unit.to) : blanks;
}
