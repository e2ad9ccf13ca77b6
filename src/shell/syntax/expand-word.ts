/**
 * A word of the tree as the arguments that bash would make of it, as far as the text alone tells. What only running can
 * tell becomes `UNKNOWN`, never a guess that reads better than the truth: everything expanded is asked about anyway, so
 * a value that is found here can only make a verdict stricter.
 */
import { UNKNOWN, unwrap, type Arg, type Command } from "../model.ts";
import { cellsOf, toFields, type Cell, decodeAnsiC, decodeDoubleQuoted } from "./cells.ts";
import type { SyntaxNode } from "./grammar.ts";

export interface Variable {
  readonly text: string;
  /** A list or a loop variable: several words, whatever the quotes say. */
  readonly splits: boolean;
  /** What its value comes from. */
  readonly commands: readonly Command[];
}

export interface Surroundings {
  readonly home: string;
  readonly cwd: string;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Asked before so many characters of a variable are put in; false when the line has grown too much. */
  readonly spend: (length: number) => boolean;
  /** Reads what stands in a substitution, and gives its commands. */
  readonly enter: (node: SyntaxNode) => readonly Command[];
}

export function expandWord(node: SyntaxNode, around: Surroundings): Arg[] {
  const state: State = { around, commands: [], dynamic: false };
  const cells = expand(node, state, false);
  const fields = toFields(cells, around.home);
  const { commands } = state;
  if (fields === undefined) {
    around.spend(Infinity);
    return [{ text: UNKNOWN, glob: false, literal: false, raw: node.text, commands }];
  }
  const [first, ...more] = fields;
  const isAsWritten = !state.dynamic && !node.text.startsWith("~") && more.length === 0 && first?.glob === false;
  const literal = isAsWritten && first.text === cells.map(({ char }) => char).join("");
  return fields.map(({ text, glob }) => ({ text, glob, literal, raw: node.text, commands }));
}

/** Without splitting: the value of an assignment, the target of a redirection, a here-string. */
export function expandToText(node: SyntaxNode, around: Surroundings): Arg {
  const args = expandWord(node, around);
  const [only] = args;
  if (only !== undefined && args.length === 1) return only;
  return {
    // Without a word there are only blanks, which stay here.
    text: args.map(({ text }) => text).join(" ") || " ",
    glob: args.some(({ glob }) => glob),
    literal: false,
    raw: node.text,
    commands: only?.commands ?? [],
  };
}

interface State {
  readonly around: Surroundings;
  commands: readonly Command[];
  dynamic: boolean;
}

function expand(node: SyntaxNode, state: State, quoted: boolean): Cell[] {
  switch (node.type) {
    case "word":
    case "number":
    case "variable_name":
    case "file_descriptor":
    case "test_operator":
      return node.children.some(({ named }) => named)
        ? expandAll(node, state, quoted)
        : readPlainWord(node.text, state);
    case "raw_string":
      return cellsOf(node.text.slice(1, -1), "quoted");
    case "ansi_c_string":
    case "ansii_c_string":
      state.dynamic = true;
      return cellsOf(decodeAnsiC(node.text.slice(2, -1)), "quoted");
    case "string":
      return expandString(node, state);
    case "translated_string":
      return expandString(node.children.find(({ type }) => type === "string") ?? node, state);
    case "concatenation":
    case "command_name":
    case "brace_expression":
      return expandAll(node, state, quoted);
    case "simple_expansion":
    case "expansion":
      return expandVariable(node, state, quoted);
    case "command_substitution":
      return expandSubstitution(node, state, quoted);
    default:
      return unknown(node, state);
  }
}

function unknown(node: SyntaxNode, state: State): Cell[] {
  state.dynamic = true;
  state.commands = [...state.commands, ...state.around.enter(node)];
  return cellsOf(UNKNOWN, "quoted");
}

function expandAll(node: SyntaxNode, state: State, quoted: boolean): Cell[] {
  if (node.children.length === 0) return readPlainWord(node.text, state);
  return node.children.flatMap((child) => (child.named ? expand(child, state, quoted) : cellsOf(child.text, "plain")));
}

function readPlainWord(text: string, state: State): Cell[] {
  const cells: Cell[] = [];
  const chars = Array.from(text);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (char !== "\\") cells.push({ char, kind: "plain" });
    else if (chars[++at] === "\n") state.dynamic = true;
    else cells.push({ char: chars[at] ?? "\\", kind: "quoted" });
  }
  return cells;
}

/** By positions: the grammar leaves some of the blanks inside a string without a node. */
function expandString(node: SyntaxNode, state: State): Cell[] {
  const open = node.text.indexOf('"') + 1;
  const cells: Cell[] = [];
  let at = node.start + open;
  const take = (to: number): void => {
    const text = node.text.slice(at - node.start, to - node.start);
    cells.push(...cellsOf(decodeDoubleQuoted(text), "quoted"));
  };
  for (const child of node.children) {
    if (!child.named || child.type === "string_content" || child.start < at) continue;
    take(child.start);
    cells.push(...expand(child, state, true));
    at = child.end;
  }
  take(Math.max(at, node.end - 1));
  return cells;
}

function expandVariable(node: SyntaxNode, state: State, quoted: boolean): Cell[] {
  state.dynamic = true;
  const nested = state.around.enter(node);
  state.commands = [...state.commands, ...nested];
  const form = /^\$(?:\{(?<braced>[A-Za-z_]\w*)(?:\[[@*]\])?\}|(?<bare>[A-Za-z_]\w*))$/.exec(node.text)?.groups;
  const name = form?.["braced"] ?? form?.["bare"];
  if (name !== undefined) return valueOf(name, state, quoted) ?? cellsOf(UNKNOWN, "quoted");
  // `${HOME:?}` is the value, or an error.
  const needed = /^\$\{([A-Za-z_]\w*):?\?/.exec(node.text)?.[1];
  if (needed !== undefined) return valueOf(needed, state, quoted) ?? cellsOf(UNKNOWN, "quoted");
  const fallback = /^\$\{(\w+):?[-=+]/.exec(node.text)?.[1];
  const word = node.children.filter(({ named }) => named).at(-1);
  if (fallback === undefined || word === undefined || word.type === "variable_name") return cellsOf(UNKNOWN, "quoted");
  const known = valueOf(fallback, state, quoted);
  return known ?? (nested.length > 0 ? cellsOf(UNKNOWN, "quoted") : expand(word, state, quoted));
}

function valueOf(name: string, state: State, quoted: boolean): Cell[] | undefined {
  const { around } = state;
  const own = around.variables.get(name);
  if (own !== undefined && own.commands.length > 0) state.commands = [...state.commands, ...own.commands];
  if (own !== undefined && !around.spend(own.text.length)) return undefined;
  if (own !== undefined) return cellsOf(own.text, own.splits || !quoted ? "expanded" : "quoted");
  if (name === "HOME") return cellsOf(around.home, "quoted");
  if (name === "PWD") return cellsOf(around.cwd, "quoted");
  if (name === "IFS") return cellsOf(" ", quoted ? "quoted" : "expanded");
  return undefined;
}

/** The builtin `read` gives variables what is piped into it. What was known of them still counts: it may not run. */
export function noteRead({ args, fedBy, redirects }: Command, variables: Map<string, Variable>): void {
  if (args[0]?.text !== "read") return;
  const sources = [...fedBy, ...redirects.flatMap(({ target }) => target?.commands ?? [])];
  for (const { text: name } of args.slice(1)) {
    const { text, commands } = variables.get(name) ?? { text: UNKNOWN, commands: [] };
    variables.set(name, { text, splits: true, commands: [...new Set([...commands, ...sources])] });
  }
}

/** `$(printf rm)` is `rm`; anything else has to run first. */
function expandSubstitution(node: SyntaxNode, state: State, quoted: boolean): Cell[] {
  state.dynamic = true;
  const commands = state.around.enter(node);
  state.commands = [...state.commands, ...commands];
  const [only] = commands;
  const text = commands.length === 1 && only !== undefined ? printedText(only) : undefined;
  return text === undefined ? cellsOf(UNKNOWN, "quoted") : cellsOf(text, quoted ? "quoted" : "expanded");
}

/**
 * What a command certainly prints: the words of `echo`, or of a `printf` whose format asks for nothing else. Where it
 * prints to does not matter: that the text is somewhere is enough to look at it.
 */
export function printedText({ args, redirects }: Command): string | undefined {
  const program = unwrap(args);
  const name = program?.name;
  const rest = program?.args.map(({ text }) => text) ?? [];
  if (rest.some((text) => text.includes(UNKNOWN))) return undefined;
  if (name === "cat" && rest.length === 0) return redirects.find(({ body }) => body !== undefined)?.body;
  if (name === "echo") {
    const words = rest.filter((text, at) => at > 0 || !ECHO_OPTION.test(text)).join(" ");
    return ECHO_OPTION.test(rest[0] ?? "") && rest[0]?.includes("e") === true ? decodeAnsiC(words) : words;
  }
  if (name !== "printf") return undefined;
  const [format = "", ...values] = rest[0] === "--" ? rest.slice(1) : rest;
  if (/%(?![sb%])/.test(format)) return undefined;
  const printed = format.replace(/%[sb%]/g, (sign) => (sign === "%%" ? "%" : (values.shift() ?? "")));
  return decodeAnsiC([printed, ...values].join(" "));
}

const ECHO_OPTION = /^-[neE]+$/;
