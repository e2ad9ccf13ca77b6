/**
 * The text of one ignore file as rules, with git's meaning: the last rule that matches decides, `!` takes back, a slash
 * at the start or in the middle ties the rule to the file's own directory, a trailing slash means directories only.
 *
 * The parent-directory rule ("it is not possible to re-include a file if a parent directory is excluded") is the walk's:
 * it does not enter an ignored directory. https://git-scm.com/docs/gitignore
 */
import { compilePath, matchesPath } from "./glob-pattern.ts";
import { splitSegments } from "./segments.ts";
import { compileSegment, type Node, parseSegment } from "./wildcard.ts";

/** What a set of rules says of one path: nothing, leave it out, or keep it although another file leaves it out. */
export type IgnoreVerdict = "ignore" | "keep" | undefined;

export interface IgnoreRules {
  /** Judges the names in a directory at or below the one that holds the file; "" stands for that one. */
  readonly judgeIn: (directory: string) => (name: string, isDirectory: boolean) => IgnoreVerdict;
}

interface Rule {
  /** In the syntax of ignore files, without `!` and a trailing slash. */
  readonly pattern: string;
  readonly directoriesOnly: boolean;
  readonly matches: RuleTest;
  readonly verdict: "ignore" | "keep";
}

/** No honest file holds more rules, and the rest would slow down every name of the walk. */
const MAX_RULES = 20_000;

/**
 * The files that were parsed last, by their texts, because the pages and the parts of a search read the same ones again. The
 * oldest stands first.
 */
const parsed = new Map<string, IgnoreRules | undefined>();
let parsedLength = 0;
/** The texts that are kept hold at most so many characters. */
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

/** As the text of a file at the top of the root would judge the names in one of its directories. */
export function judgeByPatterns(
  patterns: readonly string[] = [],
  directory: string,
): ReturnType<IgnoreRules["judgeIn"]> | undefined {
  return patterns.length === 0 ? undefined : parseIgnoreFile(patterns.join("\n"))?.judgeIn(directory);
}

function parseText(text: string): IgnoreRules | undefined {
  const lines = text.replace(/^\ufeff/, "").split("\n", MAX_RULES);
  const rules = lines.map((line) => parseRule(line.replace(/\r$/, ""))).filter((rule) => rule !== undefined);
  if (rules.length === 0) return undefined;
  return { judgeIn: indexRules(rules) };
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
  const segments = pathSegments(pattern);
  if (!segments) {
    const test = compileSegment(pattern, SYNTAX);
    return test && ((_directory, name) => test(name));
  }
  const path = compilePath(segments, SYNTAX);
  if (!path) return undefined;
  // The last name alone decides about nearly every path.
  const last = segments.at(-1) ?? "";
  const test = last === "**" ? undefined : compileSegment(last, SYNTAX);
  return (directory, name) =>
    test?.(name) !== false && matchesPath(path, directory === "" ? name : `${directory}/${name}`);
}

const SYNTAX = { dot: true, groups: false };

/** `undefined`: no slash ties the pattern to a directory, so it is one for names. A slash in a class ties too, as in git. */
function pathSegments(pattern: string): string[] | undefined {
  return pattern.includes("/") ? splitSegments(pattern.startsWith("/") ? pattern.slice(1) : pattern) : undefined;
}

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

/** Whether a rule matches a name in a directory at or below the one that the rule is for. */
export type RuleTest = (directory: string, name: string) => boolean;

/** Where the rules stand that can match a name. */
class Places {
  readonly byName = new Map<string, number[]>();
  /** By a hash of what stands from the last dot on. */
  readonly byEnding = new Map<number, number[]>();
  readonly byFirstName = new Map<string, number[]>();
  readonly byFirstSign = new Map<number, number[]>();
  readonly byLastSign = new Map<number, number[]>();
  /** For names with several dots. */
  readonly dotted: number[] = [];
  /** For the names in the directory of the rules themselves. */
  readonly atTop: number[] = [];
  readonly others: number[] = [];
}

/** The last rule that matches a name decides. */
function indexRules(rules: readonly Rule[]): IgnoreRules["judgeIn"] {
  const places = new Places();
  rules.forEach(({ pattern }, index) => put(places, pattern, index));
  const { byName, byEnding, byFirstName, byFirstSign, byLastSign, dotted, others } = places;
  return (directory) => {
    const atTop = directory === "" ? places.atTop : [];
    const ofDirectory = directory === "" ? undefined : byFirstName.get(firstNameOf(directory));
    /** The last of a list that matches and comes after `best`, or `best`. */
    const later = (list: readonly number[] | undefined, best: number, name: string, isDirectory: boolean): number => {
      for (let at = (list?.length ?? 0) - 1; at >= 0; at--) {
        const index = list?.[at] ?? -1;
        const rule = rules[index];
        if (index <= best || !rule) break;
        if ((isDirectory || !rule.directoriesOnly) && rule.matches(directory, name)) return index;
      }
      return best;
    };
    return (name, isDirectory) => {
      let best = -1;
      if (byName.size > 0) best = later(byName.get(name), best, name, isDirectory);
      if (byEnding.size > 0) best = later(byEnding.get(hashOfEnding(name)), best, name, isDirectory);
      const list = directory === "" && byFirstName.size > 0 ? byFirstName.get(name) : ofDirectory;
      if (list) best = later(list, best, name, isDirectory);
      if (byFirstSign.size > 0) best = later(byFirstSign.get(name.charCodeAt(0)), best, name, isDirectory);
      if (byLastSign.size > 0) best = later(byLastSign.get(name.charCodeAt(name.length - 1)), best, name, isDirectory);
      if (dotted.length > 0 && name.indexOf(".") !== name.lastIndexOf("."))
        best = later(dotted, best, name, isDirectory);
      if (atTop.length > 0) best = later(atTop, best, name, isDirectory);
      if (others.length > 0) best = later(others, best, name, isDirectory);
      return rules[best]?.verdict;
    };
  };
}

function put(places: Places, pattern: string, index: number): void {
  const segments = pathSegments(pattern);
  if (segments) {
    const [first = "", ...more] = segments;
    const word = wordOf(first);
    if (word !== undefined) add(places.byFirstName, word, index);
    // `**` is a path of any length.
    else if (more.length > 0 || first.includes("**")) places.others.push(index);
    else places.atTop.push(index);
    return;
  }
  const nodes = pattern === "**" ? [] : (parseSegment(pattern, { groups: false }) ?? []);
  const [first, second] = nodes;
  if (first?.kind === "text" && !second) add(places.byName, first.text, index);
  else if (first?.kind === "star" && second?.kind === "text" && nodes.length === 2 && second.text.includes("."))
    add(places.byEnding, hashOfEnding(second.text), index);
  else putBySigns(places, nodes, index);
}

/** Files a pattern by what all names that it matches have in common: their first character, their last, or two dots. */
function putBySigns(places: Places, nodes: readonly Node[], index: number): void {
  const texts = nodes.map((node) => (node.kind === "text" ? node.text : ""));
  const [head = "", tail = ""] = [texts[0], texts.at(-1)];
  const dots = texts.reduce((sum, text) => sum + text.split(".").length - 1, 0);
  if (head !== "") add(places.byFirstSign, head.charCodeAt(0), index);
  else if (tail !== "") add(places.byLastSign, tail.charCodeAt(tail.length - 1), index);
  else if (dots > 1) places.dotted.push(index);
  else places.others.push(index);
}

/** The name, when a segment stands for one name only. */
function wordOf(segment: string): string | undefined {
  const nodes = parseSegment(segment, { groups: false });
  const [only] = nodes ?? [];
  return nodes?.length === 1 && only?.kind === "text" && segment !== "**" ? only.text : undefined;
}

/** A hash of what follows the last dot. Two endings with one hash only cost a test; a number is cheap to make for each name. */
function hashOfEnding(name: string): number {
  let hash = 0;
  for (let at = name.length - 1; at >= 0; at--) {
    const code = name.charCodeAt(at);
    if (code === DOT) return hash;
    hash = (hash * 31 + code) & 0xffffff;
  }
  return NO_ENDING;
}

const DOT = 0x2e;
const NO_ENDING = -1;

function firstNameOf(rel: string): string {
  const slash = rel.indexOf("/");
  return slash < 0 ? rel : rel.slice(0, slash);
}

function add<Key>(map: Map<Key, number[]>, key: Key, index: number): void {
  const list = map.get(key);
  if (list) list.push(index);
  else map.set(key, [index]);
}
