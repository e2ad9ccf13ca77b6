/**
 * The bash grammar (tree-sitter-bash) in WebAssembly, loaded when the first command line has to be read: 15 ms in the
 * executable, nothing for a host whose shell is off. The tree is copied into plain objects at once, so that nobody else
 * holds memory of the module.
 *
 * Usual mistake: to trust the tree alone. The parser recovers from errors and differs from bash in corners (a
 * continued line inside a word, backquotes in a here-document), so `plain-reader.ts` has to agree before anything is allowed.
 */
import { readFileSync } from "node:fs";
import type { Node as ForeignNode } from "web-tree-sitter";
import { ask, askOpaque, words, type Finding } from "../model.ts";
// @ts-expect-error: TypeScript has no module here; Bun gives the path of the file.
import bashPath from "../../../node_modules/tree-sitter-bash/tree-sitter-bash.wasm" with { type: "file" };
// @ts-expect-error: the same.
import corePath from "../../../node_modules/web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };

export interface SyntaxNode {
  readonly type: string;
  /** False for the grammar's own marks, such as `;` and `&&`. */
  readonly named: boolean;
  /** Set on a token that the parser made up in order to go on. */
  readonly missing: boolean;
  /** In UTF-16 units of the whole text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly children: readonly SyntaxNode[];
}

/** Text to tree; undefined when it is nested deeper than anybody writes. */
export type Grammar = (text: string) => SyntaxNode | undefined;

let loaded: Promise<Grammar> | undefined;

export async function loadGrammar(): Promise<Grammar> {
  loaded ??= load();
  return await loaded;
}

async function load(): Promise<Grammar> {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init({ wasmBinary: readFileSync(String(corePath)) });
  const language = await Language.load(readFileSync(String(bashPath)));
  const parser = new Parser();
  parser.setLanguage(language);
  return (text) => {
    if (opensTooMany(text)) return undefined;
    const tree = parser.parse(text);
    try {
      return tree === null ? undefined : copy(tree.rootNode, text, 0);
    } finally {
      tree?.delete();
    }
  };
}

/** A person's line has a depth below 30; recursion in the readers is bounded by this. */
const MAX_DEPTH = 200;

/** The parser's recovery from an error takes time by the square of what is open: seconds for what a line can hold. */
const MAX_OPEN = 1000;

/** Whether brackets are open in such numbers, quoted or not. */
function opensTooMany(text: string): boolean {
  let open = 0;
  for (const [sign] of text.matchAll(/[()[\]{}]/g)) {
    open = "([{".includes(sign) ? open + 1 : Math.max(0, open - 1);
    if (open > MAX_OPEN) return true;
  }
  return false;
}

function copy(node: ForeignNode, text: string, depth: number): SyntaxNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const children: SyntaxNode[] = [];
  for (const child of node.children) {
    const copied = copy(child, text, depth + 1);
    if (copied === undefined) return undefined;
    children.push(copied);
  }
  const { type, isNamed: named, isMissing: missing, startIndex: start, endIndex: end } = node;
  return { type, named, missing, start, end, text: text.slice(start, end), children };
}

/**
 * Constructs of bash that never run unasked, because what they do depends on more than the words of the simple commands in
 * them; by the grammar's name of the node.
 */
export const STRUCTURES: Readonly<Record<string, Finding>> = {
  ERROR: askOpaque("it is not bash that can be read"),
  subshell: ask("it runs commands in a subshell"),
  compound_statement: ask("it has a group or an arithmetic command"),
  negated_command: ask("it negates a command"),
  test_command: ask("it has a test in brackets, which may evaluate its words"),
  if_statement: ask("it has a condition"),
  while_statement: ask("it has a loop"),
  for_statement: ask("it has a loop"),
  c_style_for_statement: ask("it has a loop"),
  case_statement: ask("it has a case"),
  function_definition: ask("it defines a function, which may take the name of a known program"),
  variable_assignment: ask("it sets a variable"),
  variable_assignments: ask("it sets variables"),
  declaration_command: ask("it declares variables, which later commands see"),
  unset_command: ask("it unsets variables"),
  command_substitution: ask("it puts the output of a command into another"),
  process_substitution: ask("it gives the output of a command as a file"),
  arithmetic_expansion: ask("it has an arithmetic expansion, which evaluates its words"),
  herestring_redirect: ask("it has a here-string"),
  heredoc_redirect: ask("it has a here-document"),
  file_redirect: ask("it redirects"),
  comment: ask("it has a comment"),
  "&": ask("it runs a command in the background"),
  $: ask("it has a translated string or a lone $"),
  simple_expansion: ask("it uses a variable"),
  expansion: ask("it uses a variable"),
};

/** Nodes that stand for a value, or that are plain sequence. */
export const SILENT: ReadonlySet<string> = words(
  "program list pipeline command redirected_statement command_name word number raw_string string string_content " +
    "concatenation variable_name special_variable_name file_descriptor regex " +
    "brace_expression ansi_c_string translated_string heredoc_body heredoc_start heredoc_end heredoc_content " +
    "do_group else_clause elif_clause case_item unary_expression binary_expression test_operator extglob_pattern " +
    "parenthesized_expression postfix_expression ternary_expression array subscript",
);
