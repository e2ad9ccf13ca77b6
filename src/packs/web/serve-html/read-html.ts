/**
 * A page of HTML as Markdown: its main content by Readability, with tables, code and lists kept. A page that is larger than any that
 * people write would cost these libraries minutes, so its text alone is taken.
 */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import type { PageAsk } from "../page-read.ts";
import { excessOf, MAX_TAGS } from "./measure-page.ts";
import type { PageNode } from "./page-code.ts";
import { plainText } from "./plain-text.ts";
import { markdownOf } from "./write-markdown.ts";

/** What is used of a DOM. */
interface PageElement extends PageNode {
  readonly innerHTML: string;
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

/** A main content that is a tenth of a page or less was not found. */
const LEAST_MAIN_CHARS = 140;

export function readHtml(html: string, { url, format, main }: Pick<PageAsk, "url" | "format" | "main">): ReadPage {
  const excess = excessOf(html);
  if (excess !== undefined) return { ...plainText(html), notes: [`The page ${excess}, so its text alone is shown`] };
  try {
    const { document } = parseHTML(wholeDocument(html)) as unknown as { readonly document: PageDocument };
    setBase(document, url);
    for (const hidden of document.querySelectorAll("script,style,noscript,template,iframe,object,embed,svg"))
      hidden.remove();
    const title = document.querySelector("title")?.textContent ?? "";
    const found = main ? mainOf(document) : undefined;
    // Where a page names no body the parser makes an empty one.
    const whole = document.body?.innerHTML ? document.body : document.documentElement;
    const content = found?.content ?? whole;
    if (!content) return { ...plainText(html), notes: [] };
    const text = format === "text" ? plainText(content.innerHTML).text : markdownOf(content);
    const notes = main && !found ? ["The main content was not found, so the whole page is shown"] : [];
    return { title: found?.title || title, text, notes };
  } catch {
    return { ...plainText(html), notes: ["The page could not be parsed, so its text alone is shown"] };
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

function mainOf(document: PageDocument): { readonly title: string; readonly content: PageElement } | undefined {
  const found = new Readability<PageElement>(document.cloneNode(true), {
    keepClasses: true,
    maxElemsToParse: MAX_TAGS,
    serializer: (node) => node as PageElement,
  }).parse();
  if (!found?.content || (found.textContent ?? "").trim().length < LEAST_MAIN_CHARS) return undefined;
  return { title: found.title ?? "", content: found.content };
}
