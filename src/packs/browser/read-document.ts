/**
 * What a page holds: its markup and its links, read in a world of our own, where nothing that the page has put in the place of the
 * functions of the browser is used.
 *
 * Usual mistake: to say `document.links`. A form of that name stands in its place.
 */
import { Failure } from "../../base/index.ts";
import { listOf, numberOf, objectOf, textOf, type CdpObject } from "./cdp.ts";
import type { OpenPage } from "./open-page.ts";

/** A message of the browser may have eight million bytes, and a character of a page may take six of them. */
const MAX_HTML_CHARS = 1_000_000;
const MAX_LINKS = 100;
/** More than is shown of a link: a secret that is cut here would not be known as one. */
const MAX_LINK_CHARS = 1000;
const MAX_LINK_TEXT = 500;
const READ_MS = 5000;

export interface PageLink {
  readonly text: string;
  readonly url: string;
}

export interface ReadDocument {
  readonly html: string;
  readonly isCut: boolean;
  readonly title: string;
  readonly links: readonly PageLink[];
  readonly linksTotal: number;
}

/** @throws Failure `timed_out` for a page that cannot be brought to answer */
export async function readDocument(page: OpenPage): Promise<ReadDocument> {
  const said = await evaluate(page, `(${READ})(${MAX_HTML_CHARS}, ${MAX_LINKS}, ${MAX_LINK_CHARS}, ${MAX_LINK_TEXT})`);
  const links = listOf(said["links"]).map(objectOf);
  return {
    html: textOf(said["html"], MAX_HTML_CHARS),
    isCut: said["isCut"] === true,
    title: textOf(said["title"], 1000),
    links: links.map(({ text, url }) => ({ text: textOf(text, MAX_LINK_TEXT), url: textOf(url, MAX_LINK_CHARS) })),
    linksTotal: numberOf(said["total"]),
  };
}

/** Runs in the page. The functions are those of a world that the page cannot touch; its elements are the page's. */
const READ = `(most, mostLinks, mostChars, mostText) => {
  const all = (selector) => Document.prototype.querySelectorAll.call(document, selector);
  const root = all(":root")[0];
  const html = root ? root.outerHTML : "";
  const found = all("a[href]");
  const links = [];
  for (let at = 0; at < found.length && links.length < mostLinks; at++) {
    const url = String(found[at].href);
    if (!/^https?:/.test(url)) continue;
    const text = String(found[at].textContent).replace(/\\s+/g, " ").trim();
    links.push({ text: text.slice(0, mostText), url: url.slice(0, mostChars) });
  }
  const title = all("title")[0];
  return {
    html: html.slice(0, most),
    isCut: html.length > most,
    title: title ? String(title.textContent).slice(0, 1000) : "",
    links,
    total: found.length,
  };
}`;

/** The value of an expression in the main frame. A page that is busy with itself is stopped, and asked once more. */
export async function evaluate(page: OpenPage, expression: string): Promise<CdpObject> {
  try {
    return await evaluateOnce(page, expression);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || page.facts.stopped !== undefined) throw thrown;
    await page.stop("its scripts do not end");
    return await evaluateOnce(page, expression);
  }
}

async function evaluateOnce(page: OpenPage, expression: string): Promise<CdpObject> {
  const world = await page.send("Page.createIsolatedWorld", { frameId: page.frame, worldName: "ringfence" }, READ_MS);
  const contextId = numberOf(world["executionContextId"]);
  const how = { expression, contextId, returnByValue: true, timeout: READ_MS };
  const { result, exceptionDetails } = await page.send("Runtime.evaluate", how, READ_MS);
  if (exceptionDetails === undefined) return objectOf(objectOf(result)["value"]);
  const why = textOf(objectOf(objectOf(exceptionDetails)["exception"])["description"], 200);
  throw new Failure("command_failed", `Cannot read the page: ${why === "" ? "it does not answer" : why}`, {
    hint: "Navigate to the page again.",
  });
}
