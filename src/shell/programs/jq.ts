/**
 * jq: a small language in which an expression computes with its input and with nothing else, but for some functions. A program
 * is cut into tokens, those of the expressions in its strings too, and every name that it calls must be known to be harmless.
 *
 * Usual mistake: to look for what is dangerous. `env`, `$ENV` and `input_filename` are a few of what a version may have.
 */
import { words } from "../model.ts";

/** Whether it reads nothing but its input, and ends. */
export function isHarmlessJq(program: string): boolean {
  const tokens = tokensOf(program);
  return tokens?.every((token, at) => isHarmless(token, tokens[at - 1]?.text, tokens[at + 1]?.text)) === true;
}

interface Token {
  readonly text: string;
  /** The bracket around it, if any. */
  readonly within: string | undefined;
}

function isHarmless({ text, within }: Token, before = "", after = ""): boolean {
  if (text.startsWith("$")) return text !== "$ENV" && text !== "$__prog_args";
  if (!/^[A-Za-z_]/.test(text)) return true;
  // The key of an object is no call: `{env: 1}`, `{env}`.
  const isKey = within === "{" && /^[{,]$/.test(before) && /^[:,}]$/.test(after);
  // With a function of its own it may go on for ever.
  return isKey || (NAMES.has(text) && !(text === "recurse" && after === "("));
}

/** `undefined` where something is not known to be of the language. */
function tokensOf(program: string): Token[] | undefined {
  const tokens: Token[] = [];
  /** Brackets and quotes that are not closed yet. */
  const open: string[] = [];
  let at = 0;
  while (at < program.length) {
    const isInString = open.at(-1) === '"';
    const text = (isInString ? PIECE : TOKEN).exec(program.slice(at, at + MAX_TOKEN))?.[0];
    if (text === undefined) return undefined;
    at += text.length;
    // Between `if` and `end` a comma parts values, and no keys of an object around them.
    const closes = isInString ? text === '"' : /^[\])}]$/.test(text) || (text === "end" && open.at(-1) === "if");
    if (closes) open.pop();
    if (!isInString && !/^\s/.test(text)) tokens.push({ text, within: open.at(-1) });
    if (!isInString && text === "if") open.push(text);
    else if (!closes && OPENS.test(text)) open.push(text.slice(-1));
  }
  return open.length === 0 ? tokens : undefined;
}

/** A longer one is read in parts, each of which is a token. */
const MAX_TOKEN = 256;
const OPENS = /^(?:["[({]|\\\()$/;
/** In a string: text, an escape, an expression that begins, the end. */
const PIECE = /^(?:[^"\\]+|\\\(|\\.|")/s;
/** Blanks, `..`, a member, a variable or format, a name, a number, an operator. */
const TOKEN = /^(?:\s+|\.\.|\.[A-Za-z_]\w*|[$@]?[A-Za-z_]\w*|\d+|["[\](){}.,:;|?+*/%<>=!-])/;

/** What reads the environment, other files or modules, ends with a message or never ends is not among them. */
const NAMES = words(
  "abs add all and any arrays as ascii_downcase ascii_upcase booleans capture catch ceil combinations contains date del " +
    "delpaths else elif empty end endswith explode fabs false finites first flatten floor foreach from_entries fromdate " +
    "fromjson getpath gmtime group_by gsub has if implode in index indices inside isempty isnan isvalid iterables join keys " +
    "keys_unsorted last leaf_paths length limit ltrim ltrimstr map map_values match max max_by min min_by mktime normals " +
    "not now nth null nulls numbers objects or path paths pick pow range recurse reduce reverse rindex round rtrim rtrimstr " +
    "scalars scan select setpath sort sort_by split splits sqrt startswith strings sub test then to_entries toarray todate " +
    "tojson tonumber tostring transpose trim true try type unique unique_by utf8bytelength values walk with_entries",
);
