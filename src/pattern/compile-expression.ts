/**
 * A regular expression that all of a text must match, in linear time: for the patterns of parameters, which a person wrote, on
 * values, which a model gives. It means what the runtime's own expression with the flag `u` means. What cannot be matched in
 * linear time is refused by name: references to groups, look-behind, edges of words, and `^` behind anything else. Greed and
 * captures say nothing about whether all of a text matches, and are read over.
 *
 * Usual mistakes: to run the runtime's expression on a model's value, because some take exponential time on the main thread;
 * and to give the parser what the runtime has not accepted. It tells valid expressions apart, not valid from broken.
 */
import { Failure } from "../base/index.ts";
import { compileNodes, end, type PatternNode } from "./program.ts";
import { Automaton, type Counter, runProgram } from "./compile-pattern.ts";

export interface Expression {
  /** @returns `undefined` for what would take more than `MAX_EXPRESSION_WORK` */
  matches(text: string): boolean | undefined;
  readonly steps: number;
}

/** A tenth of a second. The longest value takes a thirtieth of it with an expression that anybody writes. */
export const MAX_EXPRESSION_WORK = 2_000_000;

/** @throws Failure `invalid_input` for no expression, `unsupported` for one that cannot be matched in linear time */
export function compileExpression(source: string): Expression {
  checkSyntax(source);
  const programs = compileNodes(parseExpression(source), false);
  const automaton = programs.looks.length === 0 ? new Automaton(programs.main) : undefined;
  const counter: Counter = { left: MAX_EXPRESSION_WORK };
  return {
    matches(text) {
      counter.left = MAX_EXPRESSION_WORK;
      if (text.length > MAX_EXPRESSION_WORK) return undefined;
      const points = Array.from(text, (one) => one.codePointAt(0) ?? 0);
      const found = automaton ? walk(automaton, points, counter) : runProgram(programs, { points, dot: true }, counter);
      return counter.left < 0 ? undefined : found;
    },
    get steps() {
      return MAX_EXPRESSION_WORK - counter.left;
    },
  };
}

function checkSyntax(source: string): void {
  try {
    // As it stands, and in its group: ")(" is an expression in one only.
    void new RegExp(source, "u");
    void new RegExp(`^(?:${source})$`, "u");
  } catch {
    throw new Failure("invalid_input", "Cannot use the expression: it is not a regular expression");
  }
}

function walk(automaton: Automaton, points: readonly number[], counter: Counter): boolean {
  let state = automaton.start(counter);
  for (const point of points) {
    if (counter.left < 0 || state.isDead) return false;
    state = automaton.step(state, point, counter);
  }
  return state.isMatch;
}

/** Steps of the program, with every counted repetition written out. */
const MAX_EXPRESSION_STEPS = 20_000;
const MAX_DEPTH = 100;

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
}

interface Read {
  readonly nodes: readonly PatternNode[];
  readonly steps: number;
}

/** @throws Failure `unsupported` that says what cannot be matched in linear time */
function parseExpression(source: string): readonly PatternNode[] {
  const reader: Reader = { source, at: 0, depth: 0 };
  const { nodes } = readChoice(reader, true);
  if (reader.at < source.length) throw refused(`it has "${source.slice(reader.at, reader.at + 10)}"`);
  return nodes;
}

/** @param isFirst nothing of the text is before it */
function readChoice(reader: Reader, isFirst: boolean): Read {
  if (++reader.depth > MAX_DEPTH) throw refused("its groups are nested too deeply");
  const choices = [readSequence(reader, isFirst)];
  while (take(reader, /\|/y)) choices.push(readSequence(reader, isFirst));
  reader.depth--;
  const [only] = choices;
  if (only && choices.length === 1) return only;
  const steps = choices.reduce((sum, choice) => sum + choice.steps + 1, 0);
  return { nodes: [{ kind: "choice", choices: choices.map(({ nodes }) => nodes) }], steps };
}

function readSequence(reader: Reader, isFirst: boolean): Read {
  const nodes: PatternNode[] = [];
  let steps = 0;
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source.charAt(reader.at))) {
    const read = readRepeated(reader, readAtom(reader, isFirst && nodes.length === 0));
    nodes.push(...read.nodes);
    steps += read.steps;
    if (steps > MAX_EXPRESSION_STEPS) throw refused("it is too long when its repetitions are written out");
  }
  return { nodes, steps };
}

function readRepeated(reader: Reader, { nodes, steps }: Read): Read {
  const sign = take(reader, /[*+?]\??|\{(?<least>\d+)(?<open>,?)(?<most>\d*)\}\??/y);
  if (!sign) return { nodes, steps };
  const { least: from = "", open = "", most: to = "" } = sign.groups ?? {};
  const least = from === "" ? (sign[0].startsWith("+") ? 1 : 0) : Number(from);
  const isOpen = from === "" ? !sign[0].startsWith("?") : open === "," && to === "";
  const most = isOpen ? Infinity : from === "" ? 1 : to === "" ? least : Number(to);
  const times = isOpen ? least + 1 : most;
  return { nodes: [{ kind: "times", nodes, least, most }], steps: (steps + 1) * times + 1 };
}

function readAtom(reader: Reader, isFirst: boolean): Read {
  if (take(reader, /\^/y)) {
    if (isFirst) return { nodes: [], steps: 0 };
    throw refused("it has ^ behind something else");
  }
  if (take(reader, /\$/y)) return { nodes: [end], steps: 1 };
  const group = take(reader, /\((?:\?(?::|(?<look>[=!])|<(?![=!])[^>]*>))?(?!\?)/y);
  if (group) return readGroup(reader, group.groups?.["look"], isFirst);
  for (const [sign, name] of UNFIT) if (take(reader, sign)) throw refused(`it has ${name}`);
  const literal = take(reader, /[^\\[\]{}().*+?^$|]/uy);
  if (literal) return { nodes: [{ kind: "text", text: literal[0] }], steps: 1 };
  const one = take(reader, ONE_CHARACTER);
  if (!one) throw refused(`it has "${reader.source.slice(reader.at, reader.at + 10)}"`);
  // The runtime says itself which character an escape or a class holds: there is one to look at, and no way back.
  const holder = new RegExp(`^${one[0]}$`, "u");
  return { nodes: [{ kind: "one", holds: (point) => holder.test(String.fromCodePoint(point)) }], steps: 1 };
}

function readGroup(reader: Reader, look: string | undefined, isFirst: boolean): Read {
  const { nodes, steps } = readChoice(reader, isFirst);
  if (!take(reader, /\)/y)) throw refused("a group is not closed");
  if (look === undefined) return { nodes, steps };
  const not: PatternNode = { kind: "unless", nodes, whole: false };
  return { nodes: [look === "!" ? not : { kind: "unless", nodes: [not], whole: false }], steps: steps + 4 };
}

/** A class, a dot, or an escape of one character; two escapes that are one character come first. */
const ONE_CHARACTER =
  /\.|\[(?:\\[^]|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/uy;

const UNFIT: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\(\?<[=!]/y, "a look behind ((?<=...) or (?<!...))"],
  [/\\[1-9k]/y, "a reference to a group (\\1 or \\k<name>)"],
  [/\\[bB]/y, "an edge of a word (\\b or \\B)"],
  [/\(\?/y, "flags of a group ((?i:...))"],
];

function take(reader: Reader, sign: RegExp): RegExpExecArray | undefined {
  sign.lastIndex = reader.at;
  const found = sign.exec(reader.source);
  if (!found) return undefined;
  reader.at = sign.lastIndex;
  return found;
}

function refused(why: string): Failure {
  return new Failure("unsupported", `Cannot use the expression: it cannot be matched in linear time: ${why}`, {
    hint: "Write it without, and say the length with max_length.",
  });
}
