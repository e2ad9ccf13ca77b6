/**
 * Builtins that are given names of variables. Bash evaluates what stands between the brackets of such a name, also if it
 * was quoted: `unset 'a[$(x)]'` runs `x`.
 */
import { UNKNOWN, askOpaque, textsOf, type Arg, type Finding } from "../model.ts";

export const EVALUATES_NAME: Finding = askOpaque("it evaluates what is not known before it runs");

/** @param args of a builtin that takes each of them for a name, or for `name=value` */
export function askForNames(args: readonly Arg[]): Finding | undefined {
  const texts = textsOf(args);
  // The grammar makes two words of `unset a[x]`.
  const joined = texts.flatMap((text, at) =>
    text.startsWith("[") && /^\w/.test(texts[at - 1] ?? "") ? `${texts[at - 1]}${text}` : [],
  );
  return [...texts, ...joined].some(isUntold) ? EVALUATES_NAME : undefined;
}

function isUntold(text: string): boolean {
  return text.replace(/=.*/s, "").includes(UNKNOWN) || SUBSCRIPT.test(text) || LIST.test(text);
}

/** A number, `@` and `*` run nothing. */
const SUBSCRIPT = /^-?[A-Za-z_]\w*\[(?!(?:\d+|[@*])\])/s;
/** A list in quotes is read as one all the same. */
const LIST = /^[A-Za-z_]\w*\+?=\(.*(?:[$`]|[<>]\()/s;
