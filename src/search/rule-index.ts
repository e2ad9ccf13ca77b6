/**
 * Many rules, asked for every name of a tree: the last that matches decides. Most rules are a word, an ending such as
 * `*.o`, or a path that starts with a word, and are looked up by it; only the others are tried one by one.
 */
import { parseSegment } from "./parse-wildcard.ts";

export interface IndexedRule {
  /** In the syntax of ignore files, without `!` and a trailing slash. */
  readonly pattern: string;
  readonly directoriesOnly: boolean;
  readonly matches: (rel: string, name: string) => boolean;
}

interface Places {
  readonly byName: Map<string, number[]>;
  /** By what stands from the last dot on. */
  readonly byEnding: Map<string, number[]>;
  readonly byFirstName: Map<string, number[]>;
  readonly others: number[];
}

/** @returns the last rule that matches */
export function indexRules<Rule extends IndexedRule>(
  rules: readonly Rule[],
): (rel: string, name: string, isDirectory: boolean) => Rule | undefined {
  const places: Places = { byName: new Map(), byEnding: new Map(), byFirstName: new Map(), others: [] };
  rules.forEach(({ pattern }, index) => put(places, pattern, index));
  return (rel, name, isDirectory) => {
    let best = -1;
    const look = (list: readonly number[] | undefined): void => {
      for (let at = (list?.length ?? 0) - 1; at >= 0; at--) {
        const index = list?.[at] ?? -1;
        const rule = rules[index];
        if (index <= best || !rule) return;
        if ((isDirectory || !rule.directoriesOnly) && rule.matches(rel, name)) {
          best = index;
          return;
        }
      }
    };
    if (places.byName.size > 0) look(places.byName.get(name));
    if (places.byEnding.size > 0) look(places.byEnding.get(endingOf(name)));
    if (places.byFirstName.size > 0) look(places.byFirstName.get(firstNameOf(rel)));
    look(places.others);
    return rules[best];
  };
}

function put(places: Places, pattern: string, index: number): void {
  if (pattern.includes("/")) {
    const path = pattern.startsWith("/") ? pattern.slice(1) : pattern;
    const first = wordOf(firstNameOf(path));
    if (first === undefined) places.others.push(index);
    else add(places.byFirstName, first, index);
    return;
  }
  const word = wordOf(pattern);
  const ending = word === undefined ? endingOfPattern(pattern) : undefined;
  if (word !== undefined) add(places.byName, word, index);
  else if (ending === undefined) places.others.push(index);
  else add(places.byEnding, ending, index);
}

/** A segment that stands for one name only. */
function wordOf(segment: string): string | undefined {
  const nodes = parseSegment(segment, { groups: false });
  const [only] = nodes ?? [];
  return nodes?.length === 1 && only?.kind === "text" && segment !== "**" ? only.text : undefined;
}

function endingOfPattern(segment: string): string | undefined {
  const nodes = parseSegment(segment, { groups: false });
  const [star, text] = nodes ?? [];
  const isEnding = nodes?.length === 2 && star?.kind === "star" && text?.kind === "text";
  return isEnding && text.text.includes(".") ? endingOf(text.text) : undefined;
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot);
}

function firstNameOf(rel: string): string {
  const slash = rel.indexOf("/");
  return slash < 0 ? rel : rel.slice(0, slash);
}

function add(map: Map<string, number[]>, key: string, index: number): void {
  const list = map.get(key);
  if (list) list.push(index);
  else map.set(key, [index]);
}
