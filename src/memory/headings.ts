/**
 * The headings of Markdown that begin with `#`, line by line: for the sections of a note, and for the pieces that a search finds.
 * What stands in fenced code is none.
 *
 * Usual mistake: to end fenced code at a line with a language behind its fence. That line opens code and closes none.
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */

export interface NoteHeading {
  readonly level: number;
  readonly title: string;
}

/** What stands behind them in a line is in no title. */
const MAX_HEADING_CHARS = 500;

/** @returns what is asked about each line of a text in turn */
export function createHeadingReader(): (line: string) => NoteHeading | undefined {
  let fence: string | undefined;
  return (line) => {
    const [, mark = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark.startsWith(fence) && rest.trim() === "") fence = undefined;
      return undefined;
    }
    // Code between backticks in one line is no fence.
    if (mark !== "" && !(mark.startsWith("`") && rest.includes("`"))) fence = mark;
    return fence === undefined ? headingOf(line) : undefined;
  };
}

function headingOf(line: string): NoteHeading | undefined {
  const [, signs = "", rest = ""] = /^(#{1,6})[ \t]+(.*)$/.exec(line.slice(0, MAX_HEADING_CHARS)) ?? [];
  const title = titleOf(rest);
  return title === "" ? undefined : { level: signs.length, title };
}

/** Without the signs that close it, as one expression could do in a time that grows with the square of the blanks. */
function titleOf(rest: string): string {
  const title = rest.trim();
  const unsigned = title.replace(/#+$/, "");
  return unsigned.trim() !== "" && /[ \t]$/.test(unsigned) ? unsigned.trimEnd() : title;
}
