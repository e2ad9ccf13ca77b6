/**
 * A program and its words as the lines that a rule could name it by: `git  -C . "push"` is `git push`. A rule that denies or
 * asks must not depend on how the line is written, so a line too many only makes the answer stricter.
 */
import { textsOf, type Arg } from "./model.ts";
import { gluedValue } from "./programs/call.ts";

/** @param name without its folder, in lower case */
export function runLines(name: string, args: readonly Arg[]): readonly string[] {
  const words = textsOf(args).map((word) => word.replace(/^(?:\.\/+)+(?=.)/, ""));
  const lines = [words, words.filter((word) => !isOption(word)), withoutValues(words)];
  return [...new Set(lines.map((line) => [name, ...line].join(" ")))];
}

/** Without options and the word behind each of them, which may be its value. */
function withoutValues(words: readonly string[]): string[] {
  return words.filter((word, at) => {
    const before = words[at - 1];
    const isValue = before !== undefined && before !== "--" && isOption(before) && !before.includes("=");
    return !isOption(word) && !isValue;
  });
}

function isOption(word: string): boolean {
  return /^-./s.test(word);
}

const SEARCHES: ReadonlySet<string> = new Set("grep egrep fgrep zgrep rg ripgrep ag ack".split(" "));

/** The words of a program that searches in texts, also those that are glued to an option; none of another program. */
export function searchedWords(name: string, args: readonly Arg[]): readonly string[] {
  return SEARCHES.has(name) ? textsOf(args).flatMap((word) => [word, gluedValue(word) ?? []].flat()) : [];
}
