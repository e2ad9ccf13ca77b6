/**
 * Commits as data, from a format of our own: a sign, then fields that end with a NUL, then what has changed, by the grammar of
 * `--name-status -z`. A message cannot hold a NUL, so nothing that somebody committed is taken for a field.
 */
import { readable } from "./repository.ts";

export interface LogEntry {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** ISO 8601. */
  readonly date: string;
  readonly refs: readonly string[];
  readonly subject: string;
  readonly body?: string;
  readonly files: readonly { readonly status: string; readonly path: string }[];
}

const SIGN = "\u0002";

export const LOG_FORMAT = "%x02%x00%H%x00%P%x00%an%x00%ae%x00%aI%x00%D%x00%s%x00%b";

const FIELDS = 8;

export function parseLog(text: string): LogEntry[] {
  const parts = text.split("\0");
  const entries: LogEntry[] = [];
  for (let at = parts.indexOf(SIGN); at >= 0 && at + FIELDS < parts.length;) {
    const [hash = "", parents = "", author = "", email = "", date = "", refs = "", subject = "", body = ""] = parts
      .slice(at + 1, at + 1 + FIELDS)
      .map(readable);
    at += 1 + FIELDS;
    const files: { status: string; path: string }[] = [];
    for (let letter = letterOf(parts[at]); letter !== undefined; letter = letterOf(parts[at])) {
      const hasTwo = letter === "R" || letter === "C";
      files.push({ status: letter, path: parts[at + (hasTwo ? 2 : 1)] ?? "" });
      at += hasTwo ? 3 : 2;
    }
    entries.push({
      hash,
      parents: parents === "" ? [] : parents.split(" "),
      author,
      email,
      date,
      refs: refs === "" ? [] : refs.split(", "),
      subject,
      ...(body.trim() === "" ? {} : { body: body.trim() }),
      files,
    });
    at = parts.indexOf(SIGN, at);
  }
  return entries;
}

function letterOf(part: string | undefined): string | undefined {
  return /^\n?([ACDMRTUX])\d*$/.exec(part ?? "")?.[1];
}
