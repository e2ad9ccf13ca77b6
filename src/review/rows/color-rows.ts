/**
 * The words of a programming language in the rows of a hunk: what a row shows stays as it is, and its pieces get a token each.
 * Only colour depends on this. It runs on text that somebody else wrote, with regular expressions, so it belongs into a thread
 * that can be ended.
 */
import { escapeControls } from "../../text/index.ts";
import type { DiffRow } from "./read-diff.ts";
import type { Piece } from "./show-line.ts";

/** What colours know; anything else is plain. */
export type TokenKind = "keyword" | "string" | "comment" | "number" | "title" | "type" | "name" | "meta";

/** A range of a line, its end not included, in UTF-16 units of the line as it is in the file. */
export type Token = readonly [from: number, to: number, kind: TokenKind];

/** What colours are made from. */
export type ColorableRow = Pick<DiffRow, "kind" | "raw">;

export interface ColoredPiece extends Piece {
  readonly token?: TokenKind;
}

/** Longer texts, and texts with longer lines, are not read: their colours cost more than they tell. */
const MAX_TEXT_CHARS: number = 256 * 1024;
const MAX_LINE_CHARS = 2000;

/** @returns the tokens of each row, or `undefined` where the language is not known or the text is too long */
export function tokensOf(path: string, rows: readonly ColorableRow[]): readonly (readonly Token[])[] | undefined {
  const language = languageOf(path);
  if (language === undefined) return undefined;
  if (rows.some(({ raw }) => raw.length > MAX_LINE_CHARS)) return undefined;
  if (rows.reduce((sum, { raw }) => sum + raw.length + 1, 0) > MAX_TEXT_CHARS) return undefined;
  const before = tokensOfSide(language, rows, "added");
  const after = tokensOfSide(language, rows, "removed");
  return rows.map((row) => (row.kind === "removed" ? before : after).get(row) ?? []);
}

/** Each side of a change is a text of its own. */
function tokensOfSide(
  language: string,
  rows: readonly ColorableRow[],
  without: DiffRow["kind"],
): ReadonlyMap<ColorableRow, readonly Token[]> {
  const side = rows.filter(({ kind }) => kind !== without);
  const lines = tokenLines(language, side.map(({ raw }) => raw).join("\n"));
  return new Map(side.map((row, at) => [row, lines[at] ?? []]));
}

/**
 * Loaded when the first text is read, and by `require`: the types of its dependency bring those of a browser along, which are
 * not those of this runtime.
 */
interface Lowlight {
  readonly common: object;
  readonly createLowlight: (languages: object) => {
    readonly highlight: (language: string, text: string) => { readonly children: readonly Node[] };
  };
}

type Node =
  | { readonly type: "text"; readonly value: string }
  | {
      readonly type: "element";
      readonly properties: { readonly className?: unknown };
      readonly children: readonly Node[];
    };

let highlighter: ReturnType<Lowlight["createLowlight"]> | undefined;

function loadHighlighter(): ReturnType<Lowlight["createLowlight"]> {
  const { common, createLowlight } = require("lowlight") as Lowlight;
  return createLowlight(common);
}

function tokenLines(language: string, text: string): Token[][] {
  highlighter ??= loadHighlighter();
  const lines: Token[][] = [[]];
  let column = 0;
  const walk = (node: Node, kind: TokenKind | undefined): void => {
    if (node.type === "element") {
      const own = kindOf(node.properties.className) ?? kind;
      for (const child of node.children) walk(child, own);
      return;
    }
    node.value.split("\n").forEach((part, at) => {
      if (at > 0) {
        lines.push([]);
        column = 0;
      }
      if (kind !== undefined && part !== "") lines.at(-1)?.push([column, column + part.length, kind]);
      column += part.length;
    });
  };
  for (const node of highlighter.highlight(language, text).children) walk(node, undefined);
  return lines;
}

const KINDS: Readonly<Record<string, TokenKind>> = {
  keyword: "keyword",
  literal: "keyword",
  "selector-tag": "keyword",
  tag: "keyword",
  string: "string",
  regexp: "string",
  quote: "comment",
  comment: "comment",
  doctag: "comment",
  number: "number",
  symbol: "number",
  title: "title",
  section: "title",
  function: "title",
  type: "type",
  class: "type",
  built_in: "type",
  attr: "name",
  attribute: "name",
  property: "name",
  variable: "name",
  name: "name",
  meta: "meta",
};

function kindOf(classes: unknown): TokenKind | undefined {
  if (!Array.isArray(classes)) return undefined;
  const [first] = classes as readonly unknown[];
  const name = String(first).replace(/^hljs-/, "");
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  json: "json",
  jsonc: "json",
  css: "css",
  scss: "scss",
  less: "less",
  html: "xml",
  xml: "xml",
  svg: "xml",
  vue: "xml",
  md: "markdown",
  py: "python",
  rb: "ruby",
  rs: "rust",
  go: "go",
  java: "java",
  kt: "kotlin",
  swift: "swift",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "csharp",
  php: "php",
  lua: "lua",
  pl: "perl",
  r: "r",
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  sql: "sql",
  yml: "yaml",
  yaml: "yaml",
  toml: "ini",
  ini: "ini",
  diff: "diff",
  patch: "diff",
  graphql: "graphql",
  m: "objectivec",
  vb: "vbnet",
};

function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (name === "makefile") return "makefile";
  const extension = name.slice(name.lastIndexOf(".") + 1);
  return Object.hasOwn(LANGUAGES, extension) ? LANGUAGES[extension] : undefined;
}

/** Cuts the pieces of a row where tokens begin and end. The text of the pieces, put together, stays the same. */
export function colorPieces(
  { raw, pieces }: Pick<DiffRow, "raw" | "pieces">,
  tokens: readonly Token[],
): ColoredPiece[] {
  const colored: ColoredPiece[] = [];
  let at = 0;
  let token = 0;
  for (const piece of pieces) {
    if (piece.kind === "sign") {
      colored.push(piece);
      at += rawLength(raw, at, piece.text.length);
      continue;
    }
    for (let from = 0; from < piece.text.length;) {
      while ((tokens[token]?.[1] ?? Infinity) <= at) token++;
      const [begin = Infinity, end = Infinity, kind] = tokens[token] ?? [];
      const isIn = at >= begin;
      const length = Math.min(piece.text.length - from, (isIn ? end : begin) - at);
      colored.push({ ...piece, text: piece.text.slice(from, from + length), ...(isIn && kind ? { token: kind } : {}) });
      from += length;
      at += length;
    }
  }
  return colored;
}

/** How many units of the line are shown by so many of a sign. */
function rawLength(raw: string, from: number, shown: number): number {
  let at = from;
  for (let done = 0; done < shown && at < raw.length;) {
    const character = String.fromCodePoint(raw.codePointAt(at) ?? 0);
    done += /[\t\r \u00a0\u202f\u2007]/.test(character) ? 1 : escapeControls(character).length;
    at += character.length;
  }
  return at - from;
}
