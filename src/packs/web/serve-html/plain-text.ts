/**
 * The text of a page and nothing else, by one look at every character: for pages that no parser should see. What a browser takes for
 * a sign is one here, what it takes for a tag or a comment is not shown, and words that stand apart stay apart.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** What a screen does not show. */
const UNSEEN: ReadonlySet<string> = new Set(["script", "style", "noscript", "template", "iframe", "object", "svg"]);
const LINES =
  /^(?:p|div|br|hr|li|tr|h[1-6]|[uod]l|table|caption|section|article|aside|nav|main|header|footer|address|form|fieldset|legend|option|pre|blockquote|dt|dd|figure|figcaption|details|summary)$/;

export function plainText(html: string): { readonly title: string; readonly text: string } {
  const parts: string[] = [];
  const title: string[] = [];
  let unseen = "";
  let isTitle = false;
  const say = (text: string): void => {
    if (isTitle) title.push(text);
    else if (unseen === "") parts.push(text);
  };
  const callbacks: TokenizerCallbacks = {
    ontext: (start, end) => say(html.slice(start, end)),
    ontextentity: (code) => say(String.fromCodePoint(code)),
    onopentagname(start, end) {
      const name = nameOf(html, start, end);
      isTitle = name === "title" && title.length === 0;
      if (unseen === "" && UNSEEN.has(name)) unseen = name;
      if (LINES.test(name)) say("\n");
    },
    onclosetag(start, end) {
      const name = nameOf(html, start, end);
      if (name === "title") isTitle = false;
      if (name === unseen) unseen = "";
      if (LINES.test(name)) say("\n");
      else if (name === "td" || name === "th") say(" ");
    },
    onattribdata: nothing,
    onattribentity: nothing,
    onattribend: nothing,
    onattribname: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onend: nothing,
    onopentagend: nothing,
    onprocessinginstruction: nothing,
    onselfclosingtag: nothing,
  };
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  return { title: title.join("").trim(), text: tidy(parts.join("")) };
}

const nothing = (): void => undefined;

/** No name that is looked for is longer. */
const MAX_NAME_CHARS = 12;

function nameOf(html: string, start: number, end: number): string {
  return html.slice(start, Math.min(end, start + MAX_NAME_CHARS)).toLowerCase();
}

/** Not more than one empty line, and no blanks at the ends of lines: by the line, because blanks that end no line may be many. */
function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
