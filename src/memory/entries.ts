/**
 * The text of a note: entries, each below a line that says when it was written, by which client and agent, in which call. The
 * host writes that line; a call gives the text below it and nothing else.
 *
 * Invariant: no text that a call brings is ever read as such a line. A line of it that looks like one, to a program or to a
 * person, has its first sign escaped, so it is shown and means nothing.
 *
 * Usual mistake: to look for the exact form only. What a person takes for a mark of the host is a forgery too.
 */

/** What the host knows of the call that writes. */
export interface Origin {
  /** ISO 8601. */
  readonly at: string;
  readonly client?: string | undefined;
  readonly agent?: string | undefined;
  /** The id that the call has on record. */
  readonly call: string;
}

/** One entry with its mark as it stands in the file; what stands before the first mark has none. */
export interface NoteEntry {
  readonly mark?: string;
  readonly text: string;
  /** The line of the mark, or of the text where there is none; 1-based. */
  readonly line: number;
  /** Blank lines before the text. */
  readonly skipped: number;
}

const MARK = /^<!-- memory at="([^"]*)"(?: client="([^"]*)")?(?: agent="([^"]*)")? call="([^"]*)" -->$/;

export function markOf({ at, client, agent, call }: Origin): string {
  const [by, of] = [named(client), named(agent)];
  const who = `${by === "" ? "" : ` client="${by}"`}${of === "" ? "" : ` agent="${of}"`}`;
  return `<!-- memory at="${named(at)}"${who} call="${named(call)}" -->`;
}

const MAX_NAME = 64;

/** Names come from clients: nothing in them may end the mark or its quotes. */
function named(name = ""): string {
  return name
    .slice(0, MAX_NAME)
    .replaceAll(/[^\w .:@/+-]/g, "_")
    .replaceAll(/-{2,}/g, "-");
}

/** Who wrote an entry, by its mark. */
export function originOfMark(mark: string): Origin | undefined {
  const [, at, client, agent, call] = MARK.exec(mark) ?? [];
  if (at === undefined || call === undefined) return undefined;
  return { at, call, ...(client ? { client } : {}), ...(agent ? { agent } : {}) };
}

export function parseEntries(source: string): NoteEntry[] {
  const text = source.replaceAll("\r\n", "\n");
  const entries: NoteEntry[] = [];
  let [mark, start, line]: [string | undefined, number, number] = [undefined, 1, 1];
  let body: string[] = [];
  const end = (): void => {
    const whole = body.join("\n");
    if (mark === undefined && whole.trim() === "") return;
    const skipped = /^(?:[ \t]*\n)*/.exec(whole)?.[0].split("\n").length ?? 1;
    entries.push({ ...(mark === undefined ? {} : { mark }), text: trimmed(whole), line: start, skipped: skipped - 1 });
  };
  for (const one of text.split("\n")) {
    if (MARK.test(one)) {
      end();
      [mark, start, body] = [one, line, []];
    } else body.push(one);
    line++;
  }
  end();
  return entries;
}

/** The text of a note with one more entry. */
export function appendEntry(before: string, content: string, origin: Origin): string {
  const kept = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  return `${kept}${kept === "" ? "" : "\n"}${entryText(markOf(origin), disarm(content))}`;
}

/**
 * The text of a note that a call replaces. An entry that stands in it as it stood before, mark and text, keeps its mark;
 * everything else is a new entry of this call. The mark above an entry that was changed is left out, because it says who
 * wrote what is no longer there.
 */
export function replaceEntries(before: string, content: string, origin: Origin): string {
  const kept = new Map<string, number>();
  const marks = new Set<string>();
  for (const entry of parseEntries(before)) {
    kept.set(keyOf(entry), (kept.get(keyOf(entry)) ?? 0) + 1);
    if (entry.mark !== undefined) marks.add(entry.mark);
  }
  const parts: string[] = [];
  let fresh: string[] = [];
  const end = (): void => {
    if (fresh.length > 0) parts.push(entryText(markOf(origin), disarm(fresh.join("\n\n"))));
    fresh = [];
  };
  for (const entry of parseEntries(content)) {
    const left = kept.get(keyOf(entry)) ?? 0;
    if (left > 0) {
      kept.set(keyOf(entry), left - 1);
      end();
      parts.push(entry.mark === undefined ? `${entry.text}\n` : entryText(entry.mark, entry.text));
    } else if (entry.mark === undefined || marks.has(entry.mark)) {
      if (entry.text !== "") fresh.push(entry.text);
    } else fresh.push(`${entry.mark}\n${entry.text}`);
  }
  end();
  return parts.join("\n");
}

function entryText(mark: string, text: string): string {
  return text === "" ? `${mark}\n` : `${mark}\n${text}\n`;
}

function keyOf({ mark = "", text }: NoteEntry): string {
  return `${mark}\n${text}`;
}

function trimmed(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

/** Everything that some reader takes for the end of a line. */
const LINE_ENDS = /(\r\n|[\n\r\v\f\u0085\u2028\u2029])/;
/** What a reader does not see, or takes for the frame of the line: blanks, signs without a form, quotes and items of lists. */
const UNSEEN = /^[\p{Z}\p{C}\p{M}>*#|+\d.)\u00b7-]*/u;

/** The text, with `<` escaped wherever a line begins as a comment does. */
export function disarm(content: string): string {
  return trimmed(content)
    .split(LINE_ENDS)
    .map((line) => {
      const head = UNSEEN.exec(line)?.[0].length ?? 0;
      const rest = line.slice(head, head + MAX_HEAD);
      return isComment(rest) ? `${line.slice(0, head)}&lt;${line.slice(head + 1)}` : line;
    })
    .join("");
}

const MAX_HEAD = 32;

/** Also with signs of another width, and with unseen ones between. */
function isComment(text: string): boolean {
  const plain = text.normalize("NFKC").replaceAll(/[\p{Z}\p{C}\p{M}]/gu, "");
  return /^[<\u2039\u276e\u27e8\u3008][!\u01c3\u2757]/u.test(plain);
}
