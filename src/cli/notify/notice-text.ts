/**
 * What a notice says. Names of files and clients were written by others: nothing in them commands a terminal, hides, or breaks a
 * line, and a long one is shortened, because a notice is a call and no preview.
 */
import { shortenMiddle } from "../../approval/index.ts";
import { escapeLine } from "../../text/index.ts";
import type { Notice, NoticeKind, WaitingAsk } from "./notice-manners.ts";

export interface NoticeText {
  readonly title: string;
  /** A line for each of the first few, without a line feed at the end. */
  readonly body: string;
}

/** More than three lines are cut by most desktops. */
const MAX_LINES = 3;
const MAX_LINE_CHARS = 100;
const MAX_CLIENT_CHARS = 24;

export function noticeText({ kind, waiting }: Notice): NoticeText {
  const count = waiting.length === 1 ? "1 proposal" : `${waiting.length} proposals`;
  const verb = waiting.length === 1 ? "needs" : "need";
  const titles: Readonly<Record<NoticeKind, string>> = {
    new: `${count} ${verb} you`,
    again: `${count} still ${verb} you`,
    expiring: `${count} ${verb} you, and one expires in 10 minutes`,
    done: "nothing waits any more",
  };
  const lines = waiting.slice(0, MAX_LINES).map(lineOf);
  const left = waiting.length - lines.length;
  return {
    title: `ringfence: ${titles[kind]}`,
    body: [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n"),
  };
}

function lineOf({ change, risk, client }: WaitingAsk): string {
  const from = client === undefined ? "" : `, ${shown(client, MAX_CLIENT_CHARS)}`;
  return `${shown(change, MAX_LINE_CHARS)} (${risk}${from})`;
}

function shown(text: string, most: number): string {
  return shortenMiddle(escapeLine(shortenMiddle(text.replaceAll("\t", " "), most)), most);
}
