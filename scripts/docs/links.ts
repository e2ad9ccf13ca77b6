/**
 * Links and headings of a Markdown text, as far as our own documents use the language: inline links, reference
 * definitions, ATX headings. Code blocks and code spans are not looked at.
 */
export function findLinks(text: string): Link[] {
  const links: Link[] = [];
  withoutCode(text).forEach((line, index) => {
    for (const match of line.matchAll(/\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g)) {
      links.push({ line: index + 1, link: match[1] ?? "" });
    }
    const definition = /^\s{0,3}\[[^\]]+\]:\s+<?([^\s>]+)/.exec(line);
    if (definition?.[1] !== undefined) links.push({ line: index + 1, link: definition[1] });
  });
  return links;
}

/** The fragment of each heading, by GitHub's rule: lower case, punctuation dropped, spaces to hyphens. */
export function headingIds(text: string): Set<string> {
  const ids = new Set<string>();
  for (const line of withoutFences(text)) {
    const title = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (title === undefined) continue;
    const id = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    ids.add(ids.has(id) ? `${id}-1` : id);
  }
  return ids;
}

export interface Link {
  /** From 1. */
  readonly line: number;
  readonly link: string;
}

function withoutCode(text: string): string[] {
  return withoutFences(text).map((line) => line.replaceAll(/`[^`]*`/g, ""));
}

/** Lines inside a fenced block become empty, so that line numbers stay. */
function withoutFences(text: string): string[] {
  let fence: string | undefined;
  return text.split("\n").map((line) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      return "";
    }
    fence = mark;
    return mark === undefined ? line : "";
  });
}
