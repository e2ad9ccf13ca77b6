/**
 * A page of HTML as Markdown: its main content by Readability, with tables, code and lists kept. A page that is nested deeper or
 * has more elements than any that people write would cost these libraries minutes, so its text alone is taken, by one look at
 * every character.
 */
import { Readability } from "@mozilla/readability";
import { Parser } from "htmlparser2";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import type { PageAsk } from "./page-read.ts";

/** What is used of a DOM. */
interface PageElement {
  readonly textContent: string | null;
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  prepend(child: PageElement): void;
}

interface PageDocument {
  readonly head: PageElement | null;
  readonly body: PageElement | null;
  readonly documentElement: PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  createElement(name: string): PageElement;
  cloneNode(deep: boolean): PageDocument;
}

interface ReadPage {
  readonly title: string;
  readonly text: string;
  readonly notes: readonly string[];
}

/** Browsers nest no deeper than 512. */
const MAX_DEPTH = 200;
const MAX_TAGS = 30_000;
/** A main content that is a tenth of a page or less was not found. */
const LEAST_MAIN_CHARS = 140;

export function readHtml(html: string, { url, format, main }: Pick<PageAsk, "url" | "format" | "main">): ReadPage {
  const { depth, tags } = measure(html);
  if (depth > MAX_DEPTH || tags > MAX_TAGS)
    return {
      ...plain(html),
      notes: ["The page is nested too deep or has too many elements, so its text alone is shown"],
    };
  try {
    const { document } = parseHTML(wholeDocument(html)) as unknown as { readonly document: PageDocument };
    setBase(document, url);
    for (const hidden of document.querySelectorAll("script,style,noscript,template,iframe,object,embed,svg"))
      hidden.remove();
    const title = document.querySelector("title")?.textContent ?? "";
    const whole = { title, content: document.body?.innerHTML || document.documentElement?.innerHTML || html };
    const found = main ? mainOf(document) : undefined;
    const page = found ?? whole;
    const text = format === "text" ? plain(page.content).text : markdownOf(page.content);
    const notes = main && !found ? ["The main content was not found, so the whole page is shown"] : [];
    return { title: page.title || title, text, notes };
  } catch {
    return { ...plain(html), notes: ["The page could not be parsed, so its text alone is shown"] };
  }
}

/** The parser takes a part of a page, as servers send it too, for one element and loses the rest. */
function wholeDocument(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
}

/** Relative links are the page's, or those of the base that it names. */
function setBase(document: PageDocument, url: string): void {
  const own = document.querySelector("base[href]");
  const href = own?.getAttribute("href") ?? "";
  const base = own ?? document.createElement("base");
  base.setAttribute("href", URL.canParse(href, url) ? new URL(href, url).href : url);
  if (!own) document.head?.prepend(base);
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const)
    for (const element of document.querySelectorAll(selector)) {
      const value = element.getAttribute(name) ?? "";
      const whole = URL.canParse(value, base.getAttribute("href") ?? url)
        ? new URL(value, base.getAttribute("href") ?? url)
        : undefined;
      if (whole && /^(?:https?|mailto):$/.test(whole.protocol)) element.setAttribute(name, whole.href);
      else element.removeAttribute(name);
    }
}

function mainOf(document: PageDocument): { readonly title: string; readonly content: string } | undefined {
  const found = new Readability(document.cloneNode(true), {
    keepClasses: true,
    maxElemsToParse: MAX_TAGS,
  }).parse();
  if (!found?.content || (found.textContent ?? "").trim().length < LEAST_MAIN_CHARS) return undefined;
  return { title: found.title ?? "", content: found.content };
}

/** What the converter has of an element or a text. */
interface MarkupNode {
  readonly nodeType: number;
  readonly tagName?: string;
  readonly childNodes: readonly MarkupNode[];
  /** What a text says, decoded. */
  readonly text: string;
  getAttribute?(name: string): string | undefined;
}

const TEXT_NODE = 3;
/** Every line of code has it, and there may be millions. */
const MAX_INDENT = 16;

/** Code is put in when all else is laid out, because nothing in it may be: it stands as one word until then. */
function markdownOf(html: string): string {
  const blocks: string[] = [];
  const converter = new NodeHtmlMarkdown(
    { maxConsecutiveNewlines: 0 },
    {
      pre: ({ node }) => {
        const block = fenced(node as unknown as MarkupNode);
        return block === "" ? { ignore: true } : { content: `\0${blocks.push(block)}\0`, surroundingNewlines: 2 };
      },
    },
  );
  // A cell is one line, in which words of two lines stay two.
  converter.tableCellTranslators.set("br", { content: "\n", recurse: false });
  converter.tableCellTranslators.set("p,div,li,dt,dd,pre,h1,h2,h3,h4,h5,h6,blockquote", { surroundingNewlines: 1 });
  const text = tidy(converter.translate(html.replaceAll("\0", "")));
  return text.replaceAll(/^(.*?)\0(\d+)\0/gm, (_, before: string, number: string) => {
    const inner = /^[\s>]*$/.test(before) ? before : " ".repeat(before.length);
    if (inner.length > MAX_INDENT) return `${before}\n${blocks[Number(number) - 1] ?? ""}`;
    return before + (blocks[Number(number) - 1] ?? "").replaceAll("\n", `\n${inner}`);
  });
}

/** With a fence that nothing in it ends. "" for an element without a sign. */
function fenced(pre: MarkupNode): string {
  const code = codeIn(pre).replace(/^\n/, "").trimEnd();
  const marked = pre.childNodes.find(({ tagName }) => tagName === "CODE") ?? pre;
  const language = /(?:^|\s)language-([\w+#.-]{1,40})/.exec(marked.getAttribute?.("class") ?? "")?.[1] ?? "";
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return code.trim() === "" ? "" : `${fence}${language}\n${code}\n${fence}`;
}

function codeIn({ nodeType, tagName, childNodes, text }: MarkupNode): string {
  if (nodeType === TEXT_NODE) return text;
  return tagName === "BR" ? "\n" : childNodes.map(codeIn).join("");
}

/** How deep elements nest and how many there are, by the parser that makes the tree. It stops where there are too many. */
function measure(html: string): { readonly depth: number; readonly tags: number } {
  let [depth, deepest, tags] = [0, 0, 0];
  const parser = new Parser({
    onopentagname() {
      deepest = Math.max(deepest, ++depth);
      if (++tags > MAX_TAGS || deepest > MAX_DEPTH) parser.pause();
    },
    onclosetag: () => void depth--,
  });
  parser.write(html);
  return { depth: deepest, tags };
}

const NO_TEXT: ReadonlySet<string> = new Set(["script", "style", "noscript", "template"]);
const BLOCKS = /^(?:p|div|br|li|tr|h[1-6]|ul|ol|table|section|article|header|footer|pre|blockquote|dt|dd)$/;

/** The text alone, in time that grows with the length and nothing else. */
function plain(html: string): Omit<ReadPage, "notes"> {
  const parts: string[] = [];
  let at = 0;
  let skipped = "";
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    if (skipped === "" && end > at) parts.push(html.slice(at, end));
    if (open < 0) break;
    const close = html.indexOf(">", open);
    if (close < 0) break;
    const [, slash = "", name = ""] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 40)) ?? [];
    const tag = name.toLowerCase();
    if (skipped === "" && slash === "" && NO_TEXT.has(tag)) skipped = tag;
    else if (slash === "/" && tag === skipped) skipped = "";
    if (skipped === "" && BLOCKS.test(tag)) parts.push("\n");
    at = close + 1;
  }
  const title = /<title[^>]{0,100}>([^<]{0,500})/i.exec(html.slice(0, 100_000))?.[1] ?? "";
  return { title: unescapeHtml(title), text: tidy(unescapeHtml(parts.join(""))) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const LAST_CODE_POINT = 0x10ffff;

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
    if (typeof name === "string") return ENTITIES[name.toLowerCase()] ?? all;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : "";
  });
}

/** Not more than one empty line, and no blanks at the ends of lines: by the line, because blanks that end no line may be many. */
function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
