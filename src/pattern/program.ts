/**
 * What patterns are made of, and their nodes as a program of small steps (Thompson's construction): forwards for the pattern
 * itself and backwards for what must not begin at a place. Read from the end, "begins here" is known for all places at once.
 *
 * Invariant: a program has as many steps as the pattern has signs, but for a constant, so that every question takes at most
 * steps times characters. Nothing backtracks.
 */
import { foldCase } from "./pattern-text.ts";

export type CharacterTest = (point: number) => boolean;

/**
 * `end`, `more`: whether anything follows · `named`: the name here is neither "." nor ".." · `undotted`: it begins with no
 * dot · `through`: the next character is no way into a name that a globstar leaves out
 */
export type Condition = "end" | "more" | "named" | "undotted" | "through";

export type PatternNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "one"; readonly holds: CharacterTest }
  /** `isOfOneSign`: nobody wrote these choices; they are what one sign can stand for. */
  | {
      readonly kind: "choice";
      readonly choices: readonly (readonly PatternNode[])[];
      readonly isOfOneSign?: true;
    }
  | { readonly kind: "repeat"; readonly nodes: readonly PatternNode[]; readonly least: 0 | 1 }
  /** Written out: as many steps as `most`, or one more than `least` where that is infinite. */
  | {
      readonly kind: "times";
      readonly nodes: readonly PatternNode[];
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: "when"; readonly condition: Condition }
  /** Nothing of `nodes` begins here; `whole`: and ends where the name ends. */
  | { readonly kind: "unless"; readonly nodes: readonly PatternNode[]; readonly whole: boolean };

export const SLASH = 0x2f;
export const DOT = 0x2e;
const anything: PatternNode = { kind: "one", holds: () => true };
export const notSlash: PatternNode = { kind: "one", holds: (point) => point !== SLASH };
export const slash: PatternNode = { kind: "text", text: "/" };
export const star: PatternNode = { kind: "repeat", nodes: [notSlash], least: 0 };
export const globstar: PatternNode = {
  kind: "repeat",
  nodes: [{ kind: "when", condition: "through" }, anything],
  least: 0,
};
export const end: PatternNode = { kind: "when", condition: "end" };
export const more: PatternNode = { kind: "when", condition: "more" };
export const named: PatternNode = { kind: "when", condition: "named" };

type ProgramStep =
  | { readonly kind: "one"; readonly holds: CharacterTest; next: number }
  | { readonly kind: "fork"; next: number; other: number }
  | { readonly kind: "when"; readonly condition: Condition; next: number }
  /** Only where the look with this number finds nothing. */
  | { readonly kind: "unless"; readonly look: number; next: number }
  | { readonly kind: "match" };

export interface PatternProgram {
  readonly steps: readonly ProgramStep[];
  readonly start: number;
}

/** Whether something begins at a place, asked from the right. Those in it come before it. */
export interface LookAround {
  readonly program: PatternProgram;
  readonly whole: boolean;
}

export interface Programs {
  readonly main: PatternProgram;
  readonly looks: readonly LookAround[];
}

export function compileNodes(nodes: readonly PatternNode[], ignoreCase: boolean): Programs {
  const looks: LookAround[] = [];
  const builder = (isBackward: boolean): Builder => ({ steps: [], looks, isBackward, ignoreCase });
  return { main: programOf(nodes, builder(false)), looks };
}

interface Builder {
  readonly steps: ProgramStep[];
  readonly looks: LookAround[];
  readonly isBackward: boolean;
  readonly ignoreCase: boolean;
}

function programOf(nodes: readonly PatternNode[], into: Builder): PatternProgram {
  const last = add(into, { kind: "match" });
  return { start: sequence(nodes, last, into), steps: into.steps };
}

function add({ steps }: Builder, step: ProgramStep): number {
  return steps.push(step) - 1;
}

/** From the last to the first, so that each knows what comes next. @returns where it begins */
function sequence(nodes: readonly PatternNode[], next: number, into: Builder): number {
  const ordered = into.isBackward ? nodes.toReversed() : nodes;
  return ordered.reduceRight((after, node) => begin(node, after, into), next);
}

function begin(node: PatternNode, next: number, into: Builder): number {
  switch (node.kind) {
    case "text": {
      const points = Array.from(node.text, (one) => one.codePointAt(0) ?? 0);
      const ordered = into.isBackward ? points.toReversed() : points;
      return ordered.reduceRight((after, point) => add(into, literal(point, after, into.ignoreCase)), next);
    }
    case "one":
      return add(into, { kind: "one", holds: node.holds, next });
    case "choice":
      return node.choices
        .map((choice) => sequence(choice, next, into))
        .reduceRight((other, start) => add(into, { kind: "fork", next: start, other }));
    case "repeat": {
      const fork = { kind: "fork" as const, next, other: next };
      const again = add(into, fork);
      const start = sequence(node.nodes, again, into);
      fork.next = start;
      return node.least === 1 ? start : again;
    }
    case "times":
      return times(node, next, into);
    case "when":
      return add(into, { kind: "when", condition: node.condition, next });
    case "unless": {
      const program = programOf(node.nodes, { ...into, steps: [], isBackward: true });
      const look = into.looks.push({ program, whole: node.whole }) - 1;
      return add(into, { kind: "unless", look, next });
    }
  }
}

/** What may be left out leads to the end at once, so that few steps wait for a character. */
function times({ nodes, least, most }: Extract<PatternNode, { kind: "times" }>, next: number, into: Builder): number {
  let start = next;
  if (most === Infinity) start = begin({ kind: "repeat", nodes, least: 0 }, next, into);
  else
    for (let at = least; at < most; at++)
      start = add(into, { kind: "fork", next: sequence(nodes, start, into), other: next });
  for (let at = 0; at < least; at++) start = sequence(nodes, start, into);
  return start;
}

function literal(point: number, next: number, ignoreCase: boolean): ProgramStep {
  if (!ignoreCase) return { kind: "one", holds: (other) => other === point, next };
  const folded = foldCase(point);
  return { kind: "one", holds: (other) => other === point || foldCase(other) === folded, next };
}
