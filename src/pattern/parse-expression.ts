/**
 * A regular expression of JavaScript (with its `u` flag) as nodes, so that it is matched in linear time. What cannot be is
 * refused by name: references to groups, look-behind, edges of words, and `^` behind anything else. Greed and captures say
 * nothing about whether all of a text matches, and are read over.
 *
 * Usual mistake: to give it what the runtime has not accepted. It tells valid expressions apart, not valid from broken.
 */
import { Failure } from "../base/index.ts";
import { end, type PatternNode } from "./pattern-node.ts";

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
export function parseExpression(source: string): readonly PatternNode[] {
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
  return new Failure(
    "unsupported",
    `Cannot use the expression: it cannot be matched in linear time: ${why}`,
    {
      hint: "Write it without, and say the length with max_length.",
    },
  );
}
