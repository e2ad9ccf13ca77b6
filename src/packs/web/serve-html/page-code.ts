/**
 * Code in a page, line by line as a screen shows it, without the numbers that stand beside it.
 */

/** What is used of a node of the page. */
export interface PageNode {
  readonly nodeType: number;
  /** In lower case; for an element. */
  readonly localName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageNode | null;
  querySelectorAll(selector: string): Iterable<PageNode>;
  closest(selector: string): PageNode | null;
}

export const ELEMENT_NODE = 1;
export const TEXT_NODE = 3;
const LINES: ReadonlySet<string> = new Set(["div", "li", "p", "tr"]);

export function codeLines(node: PageNode): string {
  if (node.nodeType === TEXT_NODE) return node.textContent ?? "";
  if (node.localName === "br") return "\n";
  if (node.nodeType !== ELEMENT_NODE || isGutter(node)) return "";
  const code = [...node.childNodes].map(codeLines).join("");
  return LINES.has(node.localName) && !code.endsWith("\n") ? `${code}\n` : code;
}

/** As Pygments, Rouge, GitHub, Hexo and highlight.js call the place of their numbers. */
const GUTTER =
  /(?:^|\s)(?:linenos?|linenodiv|line-?numbers?|(?:rouge-)?gutter(?:\s+gl)?|blob-num|hljs-ln-numbers)(?:\s|$)/i;

export function isGutter(node: PageNode): boolean {
  return GUTTER.test(node.getAttribute("class") ?? "") && /^[\s\d]*$/.test(node.textContent ?? "");
}

/** "" where the page does not say it. */
export function languageOf(pre: PageNode): string {
  const code = [...pre.childNodes].find(({ localName }) => localName === "code");
  for (const node of code ? [code, pre] : [pre]) {
    const named = /(?:^|\s)(?:lang(?:uage)?-|brush:\s*)([\w+#.-]{1,40})/.exec(node.getAttribute("class") ?? "")?.[1];
    const said = named ?? node.getAttribute("data-lang") ?? node.getAttribute("data-language") ?? "";
    if (/^[\w+#.-]{1,40}$/.test(said)) return said;
  }
  return "";
}
