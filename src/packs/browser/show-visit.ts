/**
 * A page that a browser has opened, as an answer: its text behind a line that says whose words these are, its links, and what it was
 * kept from. Nothing in it that a screen would not show.
 */
import { isoTime } from "../../base/index.ts";
import type { ToolResult } from "../../contract/index.ts";
import { visibleText } from "../../text/index.ts";
import { emptyText, nextCall, noteOf } from "../answer.ts";
import { secretsIn } from "../hide-secrets.ts";
import type { NavigateInput } from "./browser-navigate.ts";
import type { RefusedRequest } from "./page-facts.ts";
import type { PageLink } from "./read-document.ts";

export interface BrowserVisit {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly title: string;
  readonly text: string;
  /** How many are replaced in the title and the text. */
  readonly secrets: number;
  readonly links: readonly PageLink[];
  readonly linksTotal: number;
  readonly refused: readonly RefusedRequest[];
  readonly complaints: readonly string[];
  readonly atMs: number;
  readonly notes: readonly string[];
}

const MAX_TITLE_CHARS = 200;
const MAX_SHOWN_LINKS = 40;
const MAX_SHOWN_COMPLAINTS = 10;

export function showVisit(
  visit: BrowserVisit,
  input: NavigateInput & { readonly offset: number; readonly limit: number },
): ToolResult {
  const { status, linksTotal, notes } = visit;
  const { offset, limit } = input;
  const url = visibleText(visit.url);
  const title = visibleText(visit.title).slice(0, MAX_TITLE_CHARS);
  const end = Math.min(visit.text.length, offset + limit);
  const shown = visibleText(visit.text.slice(offset, end));
  const truncated = end < visit.text.length;
  const next = truncated ? { ...input, offset: end } : undefined;
  const links = visit.links.map((link) => ({ text: visibleText(link.text), url: visibleText(link.url) }));
  const complaints = visit.complaints.map(visibleText);
  const refused = visit.refused.map(({ to, why }) => ({ to: visibleText(to), why }));
  const head = `From ${url} (untrusted, rendered ${isoTime(visit.atMs).slice(11, 16)}Z)`;
  return {
    text: [
      `${head}:`,
      ...(title === "" || offset > 0 ? [] : [`Title: ${title}`]),
      shown === "" ? emptyText(offset) : shown,
      ...(offset > 0 || links.length === 0 ? [] : [linksIn(links, linksTotal)]),
      ...(offset > 0 || complaints.length === 0 ? [] : [complaintsIn(complaints)]),
    ].join("\n\n"),
    note: noteOf(
      status === 0 ? "no status" : `status ${status}`,
      ...notes,
      refused.length > 0 && `It was kept from ${refused.map(({ to, why }) => `${to} (${why})`).join(", ")}`,
      truncated &&
        `Characters ${offset} to ${end} of ${visit.text.length} are shown. ${nextCall("browser_navigate", next)}`,
    ),
    structured: {
      url,
      status,
      content_type: visit.contentType,
      ...(title === "" ? {} : { untrusted_title: title }),
      untrusted_text: shown,
      untrusted_links: links,
      links_total: linksTotal,
      ...(refused.length > 0 ? { refused } : {}),
      ...(complaints.length > 0 ? { untrusted_errors: complaints } : {}),
      ...(notes.length > 0 ? { notes } : {}),
      truncated,
      ...(next ? { next } : {}),
    },
    secrets: secretsIn(`${title}\n${shown}`, visit.secrets),
    ...(truncated ? { truncated, ...(offset === 0 ? { whole: `${head}:\n\n${visibleText(visit.text)}` } : {}) } : {}),
  };
}

function complaintsIn(complaints: readonly string[]): string {
  const lines = complaints.slice(0, MAX_SHOWN_COMPLAINTS).map((words) => `- ${words.replaceAll("\n", " ")}`);
  return ["Errors on its console:", ...lines].join("\n");
}

function linksIn(links: readonly PageLink[], total: number): string {
  const lines = links.slice(0, MAX_SHOWN_LINKS).map(({ text, url }) => `- ${text === "" ? "(no text)" : text}: ${url}`);
  const left = total - lines.length;
  return ["Links:", ...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
}
