/**
 * The text of one ignore file as rules, with git's meaning: the last rule that matches decides, `!` takes back, a slash
 * at the start or in the middle ties the rule to the file's own directory, a trailing slash means directories only.
 *
 * The parent-directory rule ("it is not possible to re-include a file if a parent directory is excluded") is the walk's:
 * it does not enter an ignored directory. https://git-scm.com/docs/gitignore
 */
import { compilePath, matchesPath } from "./path-pattern.ts";
import { indexRules, type IndexedRule, type RuleTest } from "./rule-index.ts";
import { compileSegment } from "./wildcard.ts";

/** What a set of rules says of one path: nothing, leave it out, or keep it although another file leaves it out. */
export type Verdict = "ignore" | "keep" | undefined;

export interface IgnoreRules {
  /** Of the names in a directory, which is below the one that holds the file; "" for that itself. */
  readonly judgeIn: (directory: string) => (name: string, isDirectory: boolean) => Verdict;
}

interface Rule extends IndexedRule {
  readonly verdict: "ignore" | "keep";
}

/** More rules than any honest file holds; the rest would only slow every name of the walk. */
const MAX_RULES = 20_000;

/**
 * Of the files that were parsed last, by their texts: the pages and the parts of a search read the same ones again. The
 * oldest stands first.
 */
const parsed = new Map<string, IgnoreRules | undefined>();
let parsedLength = 0;
/** Characters of texts. */
const MAX_PARSED = 256 * 1024;

/** `undefined` when the text holds no rule. */
export function parseIgnoreFile(text: string): IgnoreRules | undefined {
  if (text.length > MAX_PARSED / 2) return parseText(text);
  if (parsed.has(text)) return parsed.get(text);
  const rules = parseText(text);
  parsed.set(text, rules);
  parsedLength += text.length;
  for (const [oldest] of parsed) {
    if (parsedLength <= MAX_PARSED) break;
    parsed.delete(oldest);
    parsedLength -= oldest.length;
  }
  return rules;
}

function parseText(text: string): IgnoreRules | undefined {
  const lines = text.replace(/^\ufeff/, "").split("\n", MAX_RULES);
  const rules = lines.map((line) => parseRule(line.replace(/\r$/, ""))).filter((rule) => rule !== undefined);
  if (rules.length === 0) return undefined;
  const find = indexRules(rules);
  return {
    judgeIn(directory) {
      const findIn = find(directory);
      return (name, isDirectory) => findIn(name, isDirectory)?.verdict;
    },
  };
}

function parseRule(line: string): Rule | undefined {
  let pattern = withoutTrailingSpaces(line);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith("/");
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  const matches = compileRule(pattern);
  return matches && { verdict: negated ? "keep" : "ignore", pattern, directoriesOnly, matches };
}

/** The test of one pattern in the syntax of ignore files; also used for `include` and `exclude` of grep. */
export function compileRule(pattern: string): RuleTest | undefined {
  if (pattern === "") return undefined;
  if (!pattern.includes("/")) {
    const test = compileSegment(pattern, SYNTAX);
    return test && ((_directory, name) => test(name));
  }
  const path = compilePath(pattern.startsWith("/") ? pattern.slice(1) : pattern, SYNTAX);
  if (!path) return undefined;
  // The last name alone decides about nearly every path.
  const last = pattern.slice(pattern.lastIndexOf("/") + 1);
  const test = last === "**" ? undefined : compileSegment(last, SYNTAX);
  return (directory, name) =>
    test?.(name) !== false && matchesPath(path, directory === "" ? name : `${directory}/${name}`);
}

const SYNTAX = { dot: true, groups: false };

/** A space at the end counts only after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0;
    while (line[end - 2 - slashes] === "\\") slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}
