/**
 * The tree of a command line as a flat list of simple commands, wherever they stand: in lists, pipes, groups, loops,
 * functions, substitutions, here-documents. A kind of node that is not known here is walked through and asked about, so
 * that a new version of the grammar cannot hide a command.
 */
import {
  UNKNOWN,
  ask,
  askOpaque,
  deny,
  textsOf,
  type Arg,
  type Assignment,
  type Command,
  type Finding,
  type Redirect,
  type Script,
} from "../model.ts";
import { evaluatesUntold, isNumber, noteAssigned, noteEvaluated, type Evaluation } from "./arithmetic.ts";
import { decodeBackquoted } from "./cells.ts";
import { expandToText, expandWord, noteRead, type Surroundings, type Variable } from "./expand-word.ts";
import { isVerbatim, losesCommands } from "./lost-commands.ts";
import { SILENT, STRUCTURES, type Grammar, type SyntaxNode } from "./grammar.ts";

export function readScript(text: string, grammar: Grammar, at: Reading["at"]): Script {
  const noted: Evaluation = { texts: [], values: [] };
  const reading: Reading = { grammar, at, commands: [], findings: [], variables: new Map(), growth: MAX_GROWTH, noted };
  readText(text, [], reading);
  if (evaluatesUntold(noted, reading.commands, at.isInner))
    reading.findings.push(askOpaque("it evaluates a variable whose value is not known before"));
  const commands = reading.commands.toSorted((a, b) => a.start - b.start);
  return { commands, findings: reading.findings };
}

/** A command while it is read: what is found behind it on the line is still added. */
interface Draft extends Command {
  readonly args: Arg[];
  readonly redirects: Redirect[];
}

interface Reading {
  readonly grammar: Grammar;
  readonly at: { readonly home: string; readonly cwd: string; readonly isInner: boolean };
  readonly commands: Draft[];
  readonly findings: Finding[];
  readonly variables: Map<string, Variable>;
  /** Characters that variables may still put into words: `a=$a$a` doubles. */
  growth: number;
  /** What is evaluated, and what variables are given. */
  readonly noted: Evaluation;
}

type Feeds = readonly Command[];

/** Nobody writes this many by hand, and what is compared with what would grow without end. */
const MAX_COMMANDS = 1000;
const MAX_GROWTH = 100_000;
const TOO_MANY = deny("it would run more commands than can be read");
const TOO_BIG = deny("its words would grow beyond what can be read");

/** Not an `ask`: what is not read may be what is refused. */
function refuse(finding: Finding, { findings }: Reading): void {
  if (!findings.includes(finding)) findings.push(finding);
}

/** Every function below gives the commands whose output is the output of its node. */
function readText(text: string, fedBy: Feeds, reading: Reading): Draft[] {
  const root = reading.grammar(text);
  if (root === undefined) {
    reading.findings.push(askOpaque("it is nested too deeply to be read"));
    return [];
  }
  if (losesCommands(root)) reading.findings.push(askOpaque("it has a part that cannot be read"));
  return walk(root, fedBy, reading);
}

function walk(node: SyntaxNode, fedBy: Feeds, reading: Reading): Draft[] {
  if (reading.commands.length >= MAX_COMMANDS) {
    refuse(TOO_MANY, reading);
    return [];
  }
  const structure = STRUCTURES[node.type];
  if (structure !== undefined) reading.findings.push(structure);
  else if (node.named && !SILENT.has(node.type))
    reading.findings.push(ask(`it has a part of kind "${node.type}", which is not read further`));
  if (node.missing) reading.findings.push(askOpaque("it is not complete bash"));
  noteEvaluated(node, reading.noted);
  switch (node.type) {
    case "command":
    case "declaration_command":
    case "unset_command":
    case "test_command":
      return [readCommand(node, fedBy, reading)];
    case "variable_assignment":
      return [addBare(node, [readAssignment(node, reading)], [], reading)];
    case "pipeline":
      return readPipeline(node.children, fedBy, reading);
    case "redirected_statement":
      return readRedirected(node, fedBy, reading);
    case "for_statement":
      setLoopVariable(node, reading);
      return walkAll(node.children, fedBy, reading);
    case "function_definition":
      return readFunction(node, fedBy, reading);
    case "expansion":
      // The grammar sees no command in the words of many operators.
      if (/[`@]|\$\(|[<>]\(/.test(node.text)) reading.findings.push(askOpaque("it expands a variable by what may run"));
      for (const { type, text } of node.children) if (type === "word") readBackquotesIn(text, reading);
      return walkAll(node.children, fedBy, reading);
    case "command_substitution":
      // The grammar takes the escaped backquotes in it for text.
      return /^`.*\\/s.test(node.text)
        ? readBackquoted(node.text.slice(1, -1), reading)
        : walkAll(node.children, fedBy, reading);
    case "file_redirect":
    case "herestring_redirect":
    case "heredoc_redirect":
      // A statement without a body: of a function, or all that a substitution has, `$(> file)`.
      return readRedirected({ ...node, children: [node] }, fedBy, reading);
    case "simple_expansion":
      return walkAll(node.children.slice(1), fedBy, reading);
    default:
      return walkAll(node.children, fedBy, reading);
  }
}

/** For what the grammar takes for a text. Inside of backquotes a backslash hides a further pair. */
function readBackquotesIn(text: string, reading: Reading): void {
  for (const [, inner] of text.matchAll(/\\.|`((?:[^`\\]|\\.)*)`/gs))
    if (inner !== undefined) readBackquoted(inner, reading);
}

function readBackquoted(inner: string, reading: Reading): Draft[] {
  return decodeBackquoted(inner).flatMap((text) => readText(text, [], reading));
}

function walkAll(nodes: readonly SyntaxNode[], fedBy: Feeds, reading: Reading): Draft[] {
  return nodes.flatMap((child) => walk(child, fedBy, reading));
}

function readPipeline(nodes: readonly SyntaxNode[], fedBy: Feeds, reading: Reading): Draft[] {
  const stages: Draft[] = [];
  for (const node of nodes.filter(({ named }) => named)) stages.push(...walk(node, [...fedBy, ...stages], reading));
  // All of them may write to what follows: `curl x | tee y | sh`.
  return stages;
}

function readCommand(node: SyntaxNode, fedBy: Feeds, reading: Reading): Draft {
  const assignments: Assignment[] = [];
  const draft: Draft = { args: [], assignments, redirects: [], fedBy, text: node.text, start: node.start };
  for (const child of node.children) {
    if (REDIRECTS.has(child.type)) readRedirect(child, [draft], fedBy, reading);
    else if (child.type === "variable_assignment" && node.type !== "declaration_command")
      assignments.push(readAssignment(child, reading));
    else draft.args.push(...readArgs(child, [...fedBy, draft], reading));
    if (child.type === "ERROR" || child.missing) walk(child, fedBy, reading);
  }
  noteRead(draft, reading.variables);
  reading.commands.push(draft);
  return draft;
}

/** Parts of a test in brackets, whose words are those of the test. */
const TESTS: ReadonlySet<string> = new Set(["unary_expression", "binary_expression", "parenthesized_expression"]);

function readArgs(node: SyntaxNode, feeds: Feeds, reading: Reading): Arg[] {
  if (TESTS.has(node.type)) return node.children.flatMap((child) => readArgs(child, feeds, reading));
  // A lone `$` stands before a translated string, `$"..."`, and adds nothing to it.
  if (!node.named) return node.text === "$" ? [] : expandWord({ ...node, type: "word" }, surround(reading, feeds));
  if (node.type !== "variable_assignment") return expandWord(node, surround(reading, feeds));
  readAssignment(node, reading);
  const children = node.children.map((child) => (child.type === "variable_name" ? { ...child, type: "word" } : child));
  return [expandToText({ ...node, type: "concatenation", children }, surround(reading, feeds))];
}

const REDIRECTS: ReadonlySet<string> = new Set(["file_redirect", "herestring_redirect", "heredoc_redirect"]);

function addBare(node: SyntaxNode, assignments: readonly Assignment[], fedBy: Feeds, reading: Reading): Draft {
  const draft: Draft = { args: [], assignments, redirects: [], fedBy, text: node.text, start: node.start };
  reading.commands.push(draft);
  return draft;
}

/** @param feeds what an output substitution, `tee >(sh)`, reads */
function surround(reading: Reading, feeds: Feeds = []): Surroundings {
  return {
    ...reading.at,
    variables: reading.variables,
    spend: (length) => {
      reading.growth -= length + 1;
      if (reading.growth < 0) refuse(TOO_BIG, reading);
      return reading.growth >= 0;
    },
    enter: (node) => walk(node, node.text.startsWith(">(") ? feeds : [], reading),
  };
}

/** The value is kept for later words. A second assignment to the name replaces the first. */
function readAssignment(node: SyntaxNode, reading: Reading): Assignment {
  const [target, ...others] = node.children;
  const name = target?.text.replace(/\[.*/s, "") ?? "";
  if (target?.type === "subscript") walk(target, [], reading);
  const value = others.findLast(({ named }) => named);
  const isArray = value?.type === "array";
  const { text, commands } = readValue(isArray ? value.children : value === undefined ? [] : [value], reading);
  const isMore = value !== undefined && node.text.includes("+=");
  const before = isMore ? (reading.variables.get(name)?.text ?? UNKNOWN) : "";
  reading.variables.set(name, { text: before + text, splits: isArray, commands });
  noteAssigned(name, isNumber(value) ? "" : text, reading.noted, isArray ? value.children : []);
  return { name, value: text };
}

function setLoopVariable(node: SyntaxNode, reading: Reading): void {
  const [name, ...values] = node.children.filter(({ named, type }) => named && type !== "do_group");
  if (name === undefined) return;
  const { text, commands } = readValue(values, reading);
  reading.variables.set(name.text, { text: text || UNKNOWN, splits: true, commands });
  noteAssigned(name.text, text || UNKNOWN, reading.noted);
}

function readValue(nodes: readonly SyntaxNode[], reading: Reading): Pick<Variable, "text" | "commands"> {
  const read = nodes.filter(({ named }) => named).map((node) => expandToText(node, surround(reading)));
  return { text: textsOf(read).join(" "), commands: [...new Set(read.flatMap(({ commands }) => commands))] };
}

/** A redirection holds for every command of its body; without a body it is a command of its own. */
function readRedirected(node: SyntaxNode, fedBy: Feeds, reading: Reading): Draft[] {
  const inner = node.children.filter((child) => !isRedirect(child));
  const body = walkAll(inner, fedBy, reading);
  const redirected = body.length > 0 ? body : [addBare(node, [], fedBy, reading)];
  const after = node.children.filter(isRedirect).flatMap((child) => readRedirect(child, redirected, fedBy, reading));
  return [...redirected, ...after];
}

function isRedirect({ type }: SyntaxNode): boolean {
  return REDIRECTS.has(type);
}

/** Adds to the commands, and gives those that stand behind on the line of a here-document. */
function readRedirect(node: SyntaxNode, into: readonly Draft[], fedBy: Feeds, reading: Reading): Draft[] {
  const marks = node.children.filter(({ named, text }) => !named && /^(?:&>|[<>])/.test(text));
  // The grammar does not know `<>`, and takes the second sign for an error.
  const operator = /^\d*<>/.test(node.text) ? "<>" : (marks[0]?.text ?? "?");
  if (node.children.some(({ type, missing }) => type === "ERROR" || missing))
    reading.findings.push(askOpaque("a redirection cannot be read"));
  if (node.type === "heredoc_redirect") return readHereDocument(node, operator, into, fedBy, reading);
  const values = node.children.filter(({ named, type }) => named && type !== "file_descriptor" && type !== "ERROR");
  const [first, ...others] = values;
  const target = first === undefined ? undefined : expandToText(first, surround(reading, [...fedBy, ...into]));
  const isText = node.type === "herestring_redirect";
  if (isText) reading.findings.push(ask("it has a here-string"));
  for (const { redirects } of into) redirects.push({ operator, target, body: isText ? target?.text : undefined });
  // The grammar gives what follows, `> out -la`, to the redirection; to bash it is an argument.
  into.at(-1)?.args.push(...others.flatMap((other) => expandWord(other, surround(reading))));
  return [];
}

function readHereDocument(
  node: SyntaxNode,
  operator: string,
  into: readonly Draft[],
  fedBy: Feeds,
  reading: Reading,
): Draft[] {
  reading.findings.push(ask("it has a here-document"));
  // Another end than bash sees, as of `<<E"F"`: what follows it is not read.
  if (!node.children.some(({ type, text }) => type === "heredoc_end" && text !== ""))
    reading.findings.push(askOpaque("a here-document has no end that can be read"));
  const body = node.children.find(({ type }) => type === "heredoc_body");
  if (body !== undefined && !isVerbatim(node)) {
    walkAll(body.children, [], reading);
    readBackquotesIn(body.text, reading);
  }
  const isExpanded = !isVerbatim(node) && EXPANDS.test(body?.text ?? "");
  const text = body === undefined ? UNKNOWN : isExpanded ? `${body.text}\n${UNKNOWN}` : body.text;
  for (const { redirects } of into) redirects.push({ operator, target: undefined, body: text });
  const feeds = [...fedBy, ...into];
  return node.children
    .filter(({ type }) => !type.startsWith("heredoc_") && type !== "file_descriptor")
    .flatMap((child) => {
      if (REDIRECTS.has(child.type)) return readRedirect(child, into, fedBy, reading);
      return child.type === "pipeline" ? readPipeline(child.children, feeds, reading) : walk(child, feeds, reading);
    });
}

/** In an unquoted here-document: the text is not what is read. */
const EXPANDS = /\$[\w({@*#?!$-]|`/;

/** A function that starts itself twice, or in the background, fills the table of processes: `:(){ :|:& };:`. */
function readFunction(node: SyntaxNode, fedBy: Feeds, reading: Reading): Draft[] {
  const name = node.children.find(({ type }) => type === "word")?.text ?? "";
  const body = node.children.filter(({ type }) => type !== "word");
  const before = reading.commands.length;
  walkAll(body, fedBy, reading);
  const own = reading.commands.slice(before).filter(({ args }) => args[0]?.text === name);
  const isBackground = body.some(({ text }) => /(?<![&>])&(?![&>])/.test(text));
  if (own.length > 1 || (own.length > 0 && isBackground))
    reading.findings.push(deny(`the function "${name}" starts itself again and again (a fork bomb)`));
  return [];
}
