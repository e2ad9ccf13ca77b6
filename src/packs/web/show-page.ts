/**
 * A fetched page as an answer: one block of text behind a line that says whose words these are, with nothing in it that a screen
 * does not show; what it is of and how to go on stands in a note before it.
 */
import { isoTime, nowMs } from "../../base/index.ts";
import type { HttpAnswer, ToolResult } from "../../contract/index.ts";
import { count, visibleText } from "../../text/index.ts";
import { emptyText, nextCall, noteOf } from "../answer.ts";
import { secretsIn } from "../hide-secrets.ts";
import type { KeptPage } from "./page-cache.ts";
import type { FetchInput } from "./web-fetch.ts";

const USUAL_CHARS = 20_000;
const MAX_TITLE_CHARS = 200;
const MAX_LOCATION_CHARS = 500;

/** What a header may say here: one word of a server, which is shown beside our own. */
const WORD = /^[\x21-\x7e]{1,200}$/;
const REDIRECTED = [301, 302, 303, 307, 308];

interface HeaderFacts {
  readonly etag?: string | undefined;
  readonly retry_after?: string | undefined;
}

/** What a caller can go by besides the type: to ask again only for what has changed, and not too soon. */
function factsOf({ status, headers }: HttpAnswer): HeaderFacts {
  const etag = headers["etag"] ?? "";
  const after = status === 429 || status === 503 ? (headers["retry-after"] ?? "") : "";
  return {
    ...(WORD.test(etag) ? { etag } : {}),
    ...(/^[\w,: -]{1,40}$/.test(after) ? { retry_after: after } : {}),
  };
}

const listOf = (facts: HeaderFacts): string[] => Object.entries(facts).map(([name, value]) => `${name} ${value}`);

/** How a body is packed; "" for one that is not. */
export function packingOf({ headers }: HttpAnswer): string {
  const encoding = headers["content-encoding"] ?? "";
  return encoding !== "identity" && WORD.test(encoding) ? encoding : "";
}

/** Where a redirect leads that was not followed, in a sentence with one word of the server; "" for any other answer. */
export function leadsTo({ status, headers, redirects }: HttpAnswer): string {
  const location = headers["location"];
  if (location === undefined || !REDIRECTED.includes(status)) return "";
  const followed =
    redirects.length === 0 ? "" : `, after ${count(redirects.length, "redirect was", "redirects were")} followed`;
  return `It leads on to ${visibleText(location.slice(0, MAX_LOCATION_CHARS).replaceAll(/\s/g, "%20"))}, which was not followed${followed}`;
}

/** The answer to HEAD: what the server says of a page, and nothing of the page. */
export function showHead(answer: HttpAnswer): ToolResult {
  const { status, headers, finalUrl: url, redirects } = answer;
  const size = Number(headers["content-length"] ?? NaN);
  const mime = visibleText(headers["content-type"] ?? "").slice(0, MAX_TITLE_CHARS);
  const [facts, packing] = [factsOf(answer), packingOf(answer)];
  const lines = [
    `status ${status}`,
    mime !== "" && `type ${mime}`,
    Number.isSafeInteger(size) && `size ${size} bytes${packing === "" ? "" : `, packed (${packing})`}`,
    ...listOf(facts),
    leadsTo(answer),
  ];
  return {
    text: `From ${url} (untrusted, fetched ${isoTime(nowMs()).slice(11, 16)}Z):\n\n${lines.filter(Boolean).join("\n")}`,
    note: noteOf(redirects.length > 0 && `sent on from ${redirects[0]}`),
    structured: {
      url,
      status,
      content_type: mime,
      ...(Number.isSafeInteger(size) ? { bytes: size } : {}),
      ...facts,
      ...(redirects.length > 0 ? { redirects } : {}),
      truncated: false,
    },
  };
}

export function showPage(page: KeptPage, input: FetchInput): ToolResult {
  const { answer, mime, bytes, sha256, notes, image, kind } = page;
  const { status, finalUrl: url, redirects } = answer;
  const { offset = 0, limit = USUAL_CHARS, unless_hash } = input;
  const title = visibleText(page.title).slice(0, MAX_TITLE_CHARS);
  const named = factsOf(answer);
  const facts = {
    url,
    status,
    content_type: mime,
    bytes,
    sha256,
    ...named,
    ...(redirects.length > 0 ? { redirects } : {}),
    ...(title === "" ? {} : { untrusted_title: title }),
  };
  const about = [`status ${status}`, mime || "no type", `${bytes} bytes`, `sha256 ${sha256}`, ...listOf(named)].join(
    ", ",
  );
  const head = `From ${url} (untrusted, fetched ${isoTime(page.fetchedMs).slice(11, 16)}Z)`;
  if (unless_hash === sha256)
    return {
      text: `${head}: unchanged.`,
      note: noteOf(about),
      structured: { ...facts, unchanged: true, truncated: false },
    };
  const whole = page.text;
  const end = endOf(whole, offset, limit);
  const shown = visibleText(whole.slice(offset, end));
  const truncated = end < whole.length;
  const next = truncated ? { ...input, offset: end } : undefined;
  const isEmpty = shown === "" && image === undefined;
  const said =
    kind === "binary" ? "[It is no text. save_to writes it to a file.]" : isEmpty ? emptyText(offset) : shown;
  return {
    text: `${head}:\n\n${title === "" || offset > 0 ? "" : `Title: ${title}\n\n`}${said}`,
    note: noteOf(
      about,
      redirects.length > 0 && `sent on from ${redirects[0]}`,
      leadsTo(answer),
      ...notes,
      truncated && `Characters ${offset} to ${end} of ${whole.length} are shown. ${nextCall("web_fetch", next)}`,
    ),
    structured: {
      ...facts,
      ...(kind === "binary" || image !== undefined ? {} : { untrusted_text: shown }),
      ...(notes.length > 0 ? { notes } : {}),
      truncated,
      ...(next ? { next } : {}),
    },
    ...(truncated ? { truncated, ...(offset === 0 ? { whole: `${head}:\n\n${visibleText(whole)}` } : {}) } : {}),
    secrets: secretsIn(`${title}\n${said}`, page.secrets),
    ...(image === undefined ? {} : { images: [{ mime, data: image }] }),
  };
}

/** Not between the halves of a character, and at the end of a line where one is near. */
function endOf(text: string, offset: number, limit: number): number {
  const most = Math.min(text.length, offset + limit);
  if (most === text.length) return most;
  const line = text.lastIndexOf("\n", most) + 1;
  if (line > offset + limit / 2) return line;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return isHalf && most - 1 > offset ? most - 1 : most;
}
