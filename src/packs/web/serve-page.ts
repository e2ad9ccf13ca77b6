/**
 * The code of the power `pages`. It runs in a process of its own, and is imported nowhere else. Each kind of content has its
 * parser, which is loaded with the first of its kind; whatever a parser cannot take becomes plain text or a clear failure.
 */
import { Failure, newId, sha256 } from "../../base/index.ts";
import type { PowerHandlers } from "../../contract/index.ts";
import { sniffType } from "../../text/index.ts";
import { MAX_PAGE_CHARS, type PageAsk, type PageRead, type Pages } from "./page-read.ts";
import { decodePage, unpackBody } from "./serve-bytes.ts";
import { layOutJson } from "./serve-json.ts";

const pieces = new Map<string, Buffer[]>();
const MAX_PIECES = 16;
const SNIFFED_BYTES = 4096;
/** More than is shown: a secret that is cut here would not be known as one. */
const MAX_TITLE_CHARS = 1000;
/** The name that a robots.txt knows this program by. */
const AGENT = "ringfence";

export const handlers: PowerHandlers<Pages> = {
  put({ handle = newId("page"), at, data }) {
    const held = at === 0 ? [] : heldBefore(handle, at);
    held.push(Buffer.from(data, "base64"));
    pieces.set(handle, held);
    const [oldest] = pieces.keys();
    if (pieces.size > MAX_PIECES && oldest !== undefined) pieces.delete(oldest);
    return { handle };
  },
  async decode({ texts }) {
    const { decodeHTML } = await import("entities");
    return { texts: texts.map((one) => decodeHTML(one)) };
  },
  async mayFetch({ robots, at, url }) {
    const { default: parse } = await import("robots-parser");
    return { isAllowed: parse(at, robots).isAllowed(url, AGENT) !== false };
  },
  async read(ask) {
    const { handle, at = 0 } = ask;
    const held = handle === undefined && at === 0 ? [] : heldBefore(handle, at);
    if (handle !== undefined) pieces.delete(handle);
    const bytes = unpackBody(Buffer.concat([...held, Buffer.from(ask.body, "base64")]), ask.encoding);
    const read = await readBytes(bytes, ask);
    const notes = [...read.notes];
    if (read.text.length > MAX_PAGE_CHARS) notes.push(`The text is cut after ${MAX_PAGE_CHARS} characters`);
    return {
      ...read,
      title: read.title.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TITLE_CHARS),
      text: read.text.slice(0, MAX_PAGE_CHARS).toWellFormed(),
      bytes: bytes.length,
      sha256: sha256(bytes),
      notes,
    };
  },
};

/** @throws Failure `command_failed` where a part was lost */
function heldBefore(handle: string | undefined, at: number): Buffer[] {
  const held = handle === undefined ? undefined : pieces.get(handle);
  if (held && held.reduce((sum, { length }) => sum + length, 0) === at) return held;
  throw new Failure("command_failed", "Cannot read the page: a part of it did not arrive", {
    hint: "Fetch it again.",
    retry: "later",
  });
}

type Read = Omit<PageRead, "bytes" | "sha256">;

const EMPTY = { title: "", text: "", notes: [] };

async function readBytes(bytes: Buffer, ask: PageAsk): Promise<Read> {
  const said = ask.contentType.split(";", 1)[0]?.trim().toLowerCase().slice(0, 100) ?? "";
  const seen = sniffType(bytes.subarray(0, SNIFFED_BYTES), "");
  if (seen.mime === "application/pdf" && ask.format !== "raw") {
    const { readPdf } = await import("./serve-pdf.ts");
    return { ...EMPTY, ...(await readPdf(bytes)), kind: "pdf", mime: seen.mime };
  }
  if (seen.kind === "image" && seen.mime !== "image/svg+xml") {
    const { readImage } = await import("./serve-image.ts");
    return { ...EMPTY, ...(await readImage(bytes, seen.mime)), kind: "image" };
  }
  if (seen.kind === "binary" && !isText(said) && !hasCharset(ask.contentType))
    return { ...EMPTY, kind: "binary", mime: seen.mime === "application/octet-stream" ? said || seen.mime : seen.mime };
  const { text, notes } = decodePage(bytes, ask.contentType);
  const mime = said === "" ? seen.mime : said;
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/.test(mime);
  if (ask.format === "raw") return { ...EMPTY, kind: isHtml ? "html" : "text", mime, text, notes };
  if (isHtml) {
    const { readHtml } = await import("./serve-html/read-html.ts");
    const page = readHtml(text, ask);
    return { kind: "html", mime, ...page, notes: [...notes, ...page.notes] };
  }
  const json = /[/+]json$/.test(mime) ? layOutJson(text) : undefined;
  return { ...EMPTY, kind: json === undefined ? "text" : "json", mime, text: json ?? text, notes };
}

function isText(mime: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript|toml)$/.test(mime);
}

function hasCharset(contentType: string): boolean {
  return /;\s*charset=/i.test(contentType);
}
