/**
 * A second, independent reader for the plain part of bash: words of ordinary characters, quotes without expansions,
 * `|`, `&&`, `||`, `;`, line ends, and redirections to nowhere. A line is allowed only if this reader takes all of it
 * and finds the same words in the same commands as the grammar: a mistake of one of them cannot open a hole.
 *
 * Usual mistake: to teach it more of bash. What it does not know costs one question to a person.
 */

/** The words of each command, or undefined if there is anything that is not plain. */
export function readPlainly(text: string): string[][] | undefined {
  const commands: string[][] = [];
  let words: string[] = [];
  let at = 0;
  let open = false;
  while (at < text.length) {
    const rest = text.slice(at);
    const blank = /^ +/.exec(rest)?.[0] ?? NOWHERE.exec(rest)?.[0];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const mark = MARK.exec(rest)?.[0];
    if (mark !== undefined) {
      // Empty lines are nothing; any other mark needs a command before it.
      if (words.length === 0 && (mark !== "\n" || open)) return undefined;
      if (words.length > 0) commands.push(words);
      words = [];
      open = /^[&|]/.test(mark);
      at += mark.length;
      continue;
    }
    const word = readWord(rest, words[0]);
    // A character that ends a word and is no mark, such as a tab, would be met again and again.
    if (word === undefined || word.length === 0) return undefined;
    words.push(word.text);
    open = false;
    at += word.length;
  }
  if (words.length > 0) commands.push(words);
  return open || commands.length === 0 ? undefined : commands;
}

/** Behind `|`, `&&` and `||` the line goes on, over empty lines too: a line end there is a part of the mark. */
const MARK = /^(?:(?:&&|\|\|?)(?: *\n)*|[;\n])/;

/**
 * `2>/dev/null`, `>/dev/null`, `2>&1`: only where a word could start, and only if nothing is glued behind it. The `&` of `&>` ends
 * a command in other shells, to which words behind it are another one.
 */
const NOWHERE =
  /^(?:(?:[12]?>>?[ \t]*\/dev\/null|2>&1|1?>&2)(?=[ \t;|\n]|$)|&>[ \t]*\/dev\/null(?=[ \t]*(?:[;|\n]|&&|$)))/;

interface PlainWord {
  readonly text: string;
  readonly length: number;
}

/** @param program the first word of its command, unless the word itself is the first */
function readWord(rest: string, program: string | undefined): PlainWord | undefined {
  const isFirst = program === undefined;
  // `find . ! -name x`; as the first word it would negate the command.
  const sign = isFirst ? undefined : /^!=?(?= )/.exec(rest)?.[0];
  if (sign !== undefined) return { text: sign, length: sign.length };
  let text = "";
  let at = 0;
  while (at < rest.length && !/^(?:[ \t\n;|]|&&)/.test(rest.slice(at, at + 2))) {
    const piece = readPiece(rest.slice(at), at === 0 ? "" : rest.charAt(at - 1));
    if (piece === undefined) return undefined;
    text += piece.text;
    at += piece.length;
  }
  const written = rest.slice(0, at);
  const isNoName = isFirst && (ASSIGNMENT.test(written) || KEYWORD.test(written));
  const isTime = TELLS_TIME.test(program ?? "") && TIME_FORMAT.test(text);
  const isOfOthers = /^=[^=]/.test(written) || (!isTime && CMD_VARIABLE.test(written));
  return isOfOthers || isNoName ? undefined : { text, length: at };
}

/**
 * `%PATH%`, `%ProgramFiles(x86)%`, `%PATH:a=b%` and `%PATH:~0,3%` of cmd. Not a byte in a format of git (`%x09%`), its colours
 * (`%C(red)%h`) or an escape of an address (`%C3%A9`): a name of one letter is a conversion, and one with digits is longer than two.
 */
const CMD_VARIABLE = /%(?!x[\da-f]{2}%)(?:[A-Za-z_]{2,}|[A-Za-z_]\w{2,})(?:\(x86\))?(?::[^%=~]*[=~][^%]*)?%/;
const TELLS_TIME = /^(?:date|ls)$/;
/** Has conversions without a blank between them: `+%Y-%m-%dT%H`, `--time-style=+%FT%T`. */
const TIME_FORMAT = /^(?:--[a-z-]+=)?\+/;
/** Where a command begins, bash takes them for its own signs. */
const KEYWORD = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** @param before the character in front of it in its word, as it was written */
function readPiece(rest: string, before: string): PlainWord | undefined {
  const plain = /^[A-Za-z0-9_./,:@+=%-]+/.exec(rest)?.[0];
  if (plain !== undefined) return { text: plain, length: plain.length };
  // A number sign is special only at the start of a word, a tilde also behind a colon or an equals sign.
  if (/^[~#]/.test(rest))
    return before === "" || (rest.startsWith("~") && /[:=]/.test(before))
      ? undefined
      : { text: rest.charAt(0), length: 1 };
  // Nothing is expanded where a dollar sign ends a word.
  if (before !== "" && /^\$(?:[ |\n]|$)/.test(rest)) return { text: "$", length: 1 };
  const single = /^'([^']*)'/.exec(rest);
  if (single !== null) return { text: single[1] ?? "", length: single[0].length };
  const double = /^"((?:[^"\\$`!]|\\["\\$`]|\\[^"\\$`\n!]|!(?=[\s"=])|\$(?=["|)]))*)"/.exec(rest);
  if (double !== null) return { text: (double[1] ?? "").replace(/\\(["\\$`])/g, "$1"), length: double[0].length };
  const escaped = /^\\([\u0020-\u007e])/.exec(rest);
  return escaped === null ? undefined : { text: escaped[1] ?? "", length: escaped[0].length };
}
