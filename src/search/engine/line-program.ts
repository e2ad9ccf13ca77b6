/**
 * A pattern as a nondeterministic automaton over the bytes of ASCII text, made from its syntax tree: what `LineAutomaton`
 * makes its rows of. Only whether a line holds a match is asked, so greed is of no matter, nor which branch comes first.
 *
 * Usual mistake: to forget what is not ASCII. A class is cut down to ASCII, and a literal with other bytes can never match;
 * both are true only because the automaton gives up on a line when it comes to such a byte.
 */
import type { Hir } from "./hir.ts";

export type ProgramNode =
  | { readonly kind: "byte"; readonly set: ByteSet; readonly next: number }
  | { readonly kind: "look"; readonly name: string; readonly next: number }
  | { readonly kind: "split"; readonly nexts: number[] }
  | { readonly kind: "match" };

/** By byte, below 128. */
export type ByteSet = readonly boolean[];

export interface LineProgram {
  readonly nodes: readonly ProgramNode[];
  readonly start: number;
  readonly hasLooks: boolean;
}

/** Beyond that the automaton would take longer to make than it saves. */
const MAX_NODES = 2000;
const ASCII_BYTES = 128;
const LF = 10;

/** `undefined`: it is too large, or holds something that an automaton over single lines does not know. */
export function lineProgram(hir: Hir): LineProgram | undefined {
  const builder = new Builder();
  const start = builder.add(hir, MATCH);
  return builder.isRefused ? undefined : { nodes: builder.nodes, start, hasLooks: builder.hasLooks };
}

const MATCH = 0;
/**
 * Waits for a byte that is not ASCII. It is a place like any other, so that a row in which a match has begun is not taken for
 * the start, from which the scanner would jump over that byte.
 */
const NEVER = 1;
const NOTHING: ByteSet = Array.from({ length: ASCII_BYTES }, () => false);

/** Every part is added with the node that comes behind it, so that parts are built from the end on. */
class Builder {
  readonly nodes: ProgramNode[] = [{ kind: "match" }, { kind: "byte", set: NOTHING, next: NEVER }];
  hasLooks = false;
  isRefused = false;

  add(hir: Hir, next: number): number {
    if (this.isRefused) return NEVER;
    switch (hir.kind) {
      case "literal":
        return this.#addLiteral(hir.bytes, next);
      case "class":
        return this.#addSet(setOf(hir.ranges), next);
      case "look":
        if (!LOOKS.has(hir.name)) this.isRefused = true;
        this.hasLooks = true;
        return this.#push({ kind: "look", name: hir.name, next });
      case "repeat":
        return this.#addRepeat(hir, next);
      case "concat":
        return hir.subs.reduceRight((behind, sub) => this.add(sub, behind), next);
      case "choice":
        return this.#push({ kind: "split", nexts: hir.subs.map((sub) => this.add(sub, next)) });
      case "empty":
      default:
        return next;
    }
  }

  #addLiteral(bytes: Buffer, next: number): number {
    if (bytes.some((byte) => byte >= ASCII_BYTES)) return NEVER;
    return bytes.reduceRight((behind, byte) => this.#addSet(setOf([[byte, byte]]), behind), next);
  }

  #addSet(set: ByteSet, next: number): number {
    // What can match a line feed is searched otherwise.
    if (set[LF]) this.isRefused = true;
    return set.includes(true) ? this.#push({ kind: "byte", set, next }) : NEVER;
  }

  #addRepeat({ min, max, sub }: Extract<Hir, { kind: "repeat" }>, next: number): number {
    let start = next;
    if (max === undefined) {
      const nexts = [next];
      start = this.#push({ kind: "split", nexts });
      nexts.unshift(this.add(sub, start));
    } else
      for (let count = min; count < max && !this.isRefused; count++)
        start = this.#push({ kind: "split", nexts: [this.add(sub, start), next] });
    for (let count = 0; count < min && !this.isRefused; count++) start = this.add(sub, start);
    return start;
  }

  #push(node: ProgramNode): number {
    if (this.nodes.length >= MAX_NODES) this.isRefused = true;
    return this.nodes.push(node) - 1;
  }
}

function setOf(ranges: readonly (readonly [number, number])[]): ByteSet {
  // A class of Unicode has hundreds of others.
  const own = ranges.filter(([from]) => from < ASCII_BYTES);
  return Array.from({ length: ASCII_BYTES }, (_, byte) => own.some(([from, to]) => from <= byte && byte <= to));
}

/** What stands beside a place between two bytes: the start of the line or its line feed, the end of the text, a byte. */
export type Beside = "line" | "end" | "cr" | "word" | "other";

export function besideOf(byte: number): Beside {
  if (byte === LF) return "line";
  if (byte === 0x0d) return "cr";
  return WORD[byte] ? "word" : "other";
}

const WORD: ByteSet = setOf([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);

/** Whether an assertion holds between two neighbours; what is Unicode in a name is the same in ASCII text. */
export function holdsLook(name: string, before: Beside, behind: Beside): boolean {
  return LOOKS.get(name)?.(before, behind) ?? false;
}

type Holds = (before: Beside, behind: Beside) => boolean;

/** As the crate has it: with CRLF a CR ends a line too, but for the one in front of a line feed, which ends it with it. */
const LINE_LOOKS: readonly (readonly [string, Holds])[] = [
  ["StartLF", (before) => before === "line"],
  ["EndLF", (_, behind) => behind === "line" || behind === "end"],
  ["StartCRLF", (before, behind) => before === "line" || (before === "cr" && behind !== "line")],
  ["EndCRLF", (before, behind) => behind === "end" || behind === "cr" || (behind === "line" && before !== "cr")],
];

const WORD_LOOKS: readonly (readonly [string, Holds])[] = [
  ["Word#", (before, behind) => (before === "word") !== (behind === "word")],
  ["Word#Negate", (before, behind) => (before === "word") === (behind === "word")],
  ["WordStart#", (before, behind) => before !== "word" && behind === "word"],
  ["WordEnd#", (before, behind) => before === "word" && behind !== "word"],
  ["WordStartHalf#", (before) => before !== "word"],
  ["WordEndHalf#", (_, behind) => behind !== "word"],
];

const LOOKS: ReadonlyMap<string, Holds> = new Map([
  ...LINE_LOOKS,
  ...["Ascii", "Unicode"].flatMap((form) =>
    WORD_LOOKS.map(([name, holds]): [string, Holds] => [name.replace("#", form), holds]),
  ),
]);
