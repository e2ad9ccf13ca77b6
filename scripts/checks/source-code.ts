/**
 * A TypeScript source as the checks need it: its code without comments and without the contents of strings, and every
 * module it names. A scanner of characters, not a parser: TypeScript 7 has no API, and Bun's scanner drops `import type`.
 *
 * Limits: a `/` is taken for a regular expression by the character before it, as highlighters do.
 */
export interface SourceFile {
  /** From the repository root, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
  /** By `import()`. */
  readonly isLate: boolean;
}

/** Every `import`, `import type`, `import()`, `export from` and `import.meta.resolve` with a literal name. */
export function readImports(text: string): Import[] {
  const code = blankOut(text, "comments");
  const pattern = /(?:\bfrom|\bimport|\bimport\s*\(|\bimport\.meta\.resolve\s*\(|\brequire\s*\()\s*(["'])([^"'\n]+)\1/g;
  return [...code.matchAll(pattern)].map((match) => ({
    specifier: match[2] ?? "",
    line: lineOf(code, match.index),
    isLate: /^import\s*\(/.test(match[0]),
  }));
}

/** The line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The text with comments, or comments and the contents of strings, as spaces; offsets and lines stay. */
export function blankOut(text: string, what: "comments" | "comments and strings"): string {
  let out = "";
  let at = 0;
  /** One entry for each template literal that is open around the code: its depth of braces. */
  const templates: number[] = [];
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    if (rest.startsWith("{") && templates.length > 0) templates.push((templates.pop() ?? 0) + 1);
    const closesTemplatePart = rest.startsWith("}") && templates.length > 0 && templates.at(-1) === 0;
    if (rest.startsWith("}") && templates.length > 0 && !closesTemplatePart) templates.push((templates.pop() ?? 0) - 1);
    if (closesTemplatePart) templates.pop();
    const end = closesTemplatePart ? templateEnd(text, at + 1) : tokenEnd(text, at, rest, out);
    const token = text.slice(at, end);
    if (token.endsWith("${")) templates.push(0);
    const isComment = rest === "//" || rest === "/*";
    const isString = !isComment && token.length > 1;
    out += isComment || (isString && what !== "comments") ? token.replaceAll(/[^\n]/g, " ") : token;
    at = end;
  }
  return out;
}

/** One character of code, or a whole comment, string, regular expression, or piece of a template. */
function tokenEnd(text: string, at: number, rest: string, before: string): number {
  if (rest === "//") return indexOrEnd(text, "\n", at, 0);
  if (rest === "/*") return indexOrEnd(text, "*/", at + 2, 2);
  const char = rest.charAt(0);
  if (char === '"' || char === "'") return delimitedEnd(text, at + 1, char);
  if (char === "`") return templateEnd(text, at + 1);
  if (char === "/" && /(?:^|[(,=:[!&|?{};<>+~\n-]|\breturn|\bcase|=>)[ \t\n]*$/.test(before.slice(-40))) {
    return regexEnd(text, at + 1);
  }
  return at + 1;
}

function indexOrEnd(text: string, what: string, from: number, extra: number): number {
  const found = text.indexOf(what, from);
  return found === -1 ? text.length : found + extra;
}

function delimitedEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += text[at] === "\\" ? 2 : 1) {
    if (text[at] === quote) return at + 1;
    if (text[at] === "\n") return at;
  }
  return text.length;
}

/** After the closing backtick, or after the `${` where code begins. */
function templateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += text[at] === "\\" ? 2 : 1) {
    if (text[at] === "`") return at + 1;
    if (text.startsWith("${", at)) return at + 2;
  }
  return text.length;
}

function regexEnd(text: string, from: number): number {
  let inClass = false;
  for (let at = from; at < text.length && text[at] !== "\n"; at += text[at] === "\\" ? 2 : 1) {
    if (text[at] === "[") inClass = true;
    if (text[at] === "]") inClass = false;
    if (text[at] === "/" && !inClass) return at + 1;
  }
  return from;
}
