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
