/**
 * Every text in the sources that names a command of this program, a tool or an argument as the next step, found by its
 * words: so no hint can be left out of the tests that obey them.
 *
 * Not looked at are the descriptions of tools, parameters, flags and keys, and messages, which begin with "Cannot".
 */
import { parseSync, Visitor } from "oxc-parser";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parametersOf } from "../../src/contract/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";

const TOP = join(import.meta.dir, "..", "..");
const TOOLS = [...builtinTools, ...commandTools({}, true)];
const NAMES = TOOLS.map(({ name }) => name).filter((name) => name.includes("_"));
const ARGUMENTS = TOOLS.flatMap((tool) => Object.keys(parametersOf(tool)));

/** `pass literal: true`, `give its hash as if_hash`, `use read_file`, `or use glob`. */
const CALLS: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:${ARGUMENTS.join("|")}): (?:true|false|"|\[|base64|auto|utf-8)`),
  new RegExp(String.raw`\b(?:${NAMES.join("|")}|if_hash|if_hashes)\b`),
  /\b(?:with|as|[Uu]se|out|smaller) (?:include|exclude|cursor|offset|path|glob|grep|delete)\b/,
  /\bold_text and new_text\b/,
];
const COMMAND =
  /\bringfence (?:audit|call|check|completions|doctor|explain|grants|help|history|proposals|serve|tools|undo|upstream)\b/;
/** These make a command as it is printed. */
const MAKERS: ReadonlySet<string> = new Set(["terminalCommand", "grantCommand", "reviewCommand"]);
/** What a description is called, and the examples of the help, which are for a directory of one's own. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(["summary", "description", "about", "examples"]);
/** Tables of names, the descriptions of options, and the help. */
const LEFT_OUT = /^src\/(?:dialects\/tables|calls\/tools)\/|^src\/(?:config\/options|cli\/commands\/help)\.ts$/;

export interface SourceHint {
  readonly at: string;
  readonly text: string;
}

export function findCallHints(): SourceHint[] {
  return find(({ texts }) => texts.filter(({ text }) => CALLS.some((call) => call.test(text))));
}

/** Commands that are written out, and the code that makes others. */
export function findCommandHints(): SourceHint[] {
  return find(({ texts, made }) => [...texts.filter(({ text }) => COMMAND.test(text)), ...made]);
}

interface Piece {
  readonly start: number;
  readonly text: string;
}

interface Pieces {
  readonly texts: readonly Piece[];
  readonly made: readonly Piece[];
}

function find(choose: (pieces: Pieces) => readonly Piece[]): SourceHint[] {
  const paths = [...new Glob("src/**/*.ts").scanSync(TOP)].filter((path) => !LEFT_OUT.test(path)).sort();
  return paths.flatMap((path) => {
    const source = readFileSync(join(TOP, path), "utf8");
    return choose(piecesOf(path, source)).map(({ start, text }) => ({
      at: `${path}:${source.slice(0, start).split("\n").length}`,
      text,
    }));
  });
}

function piecesOf(path: string, source: string): Pieces {
  const texts: Piece[] = [];
  const made: Piece[] = [];
  const described: { readonly start: number; readonly end: number }[] = [];
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }): string => source.slice(start, end);
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") texts.push({ start: node.start, text: node.value });
    },
    TemplateLiteral: (node) => void texts.push({ start: node.start, text: textOf(node).slice(1, -1) }),
    CallExpression(node) {
      const { callee } = node;
      const name = callee.type === "MemberExpression" ? callee.property : callee;
      if (name.type !== "Identifier") return;
      if (name.name === "describe") described.push({ start: name.start, end: node.end });
      if (MAKERS.has(name.name)) made.push({ start: node.start, text: textOf(node) });
    },
    Property(node) {
      if (node.key.type === "Identifier" && DESCRIPTIONS.has(node.key.name)) described.push(node);
    },
  }).visit(parseSync(path, source).program);
  const isDescription = ({ start }: Piece): boolean => described.some((one) => one.start <= start && start < one.end);
  const isWords = ({ text }: Piece): boolean => text.includes(" ") && !text.startsWith("Cannot ");
  return { texts: texts.filter((one) => isWords(one) && !isDescription(one)), made };
}
