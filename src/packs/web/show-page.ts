/**
 * A fetched page as an answer: one block of text behind a line that says whose words these are, with nothing in it that a screen
 * does not show; what it is of and how to go on stands in a note before it.
 */
import { isoTime } from "../../base/index.ts";
import type { ToolResult } from "../../contract/index.ts";
import { visibleText } from "../../text/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { secretsIn } from "../hide-secrets.ts";
import type { KeptPage } from "./page-cache.ts";
import type { FetchInput } from "./web-fetch.ts";

const USUAL_CHARS = 20_000;
const MAX_TITLE_CHARS = 200;

export function showPage(page: KeptPage, input: FetchInput): ToolResult {
  const { answer, mime, bytes, sha256, notes, image, kind } = page;
  const { status, finalUrl: url, redirects } = answer;
  const { offset = 0, limit = USUAL_CHARS, unless_hash } = input;
  const title = visibleText(page.title).slice(0, MAX_TITLE_CHARS);
  const facts = {
    url,
    status,
    content_type: mime,
    bytes,
    sha256,
    ...(redirects.length > 0 ? { redirects } : {}),
    ...(title === "" ? {} : { untrusted_title: title }),
  };
  const about = `status ${status}, ${mime || "no type"}, ${bytes} bytes, sha256 ${sha256}`;
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
  const said = kind === "binary" || (shown === "" && image === undefined) ? emptyText(kind, offset) : shown;
  return {
    text: `${head}:\n\n${title === "" || offset > 0 ? "" : `Title: ${title}\n\n`}${said}`,
    note: noteOf(
      about,
      redirects.length > 0 && `sent on from ${redirects[0]}`,
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

function emptyText(kind: string, offset: number): string {
  if (kind === "binary") return "[It is no text. save_to writes it to a file.]";
  return offset > 0 ? "[The text ends before that.]" : "[It has no text.]";
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
