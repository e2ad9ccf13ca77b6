/**
 * The narrowest rule that would settle what is asked about a call, proven by asking again with it: its one path, its few
 * paths, or the directory that holds all of them; of a tool that goes below by itself, everything in there, because what
 * is below is decided by the same rules.
 *
 * Where a rule of the configuration asks about just the same, another rule would only be alike, and then ask wins. There
 * it is said that a person can grant it.
 */
import type { Decision } from "./decide.ts";
import type { ToolFacts } from "./groups.ts";
import { escapeGlob, parseRule, type Rule, type Target } from "./rule.ts";

type Suggestion = Pick<Decision, "suggested_rule" | "only_as_grant">;

interface Asked {
  readonly tool: ToolFacts;
  readonly targets: readonly (Target & { readonly deep?: boolean | undefined })[];
}

/** More paths than this nobody reads. */
const MAX_NAMED = 8;
const MAX_PATTERN_CHARS = 4096;

/** @param isSettledBy whether the call would be allowed with these besides what there is */
export function suggestRule(
  { tool, targets }: Asked,
  isSettledBy: (added: { readonly rules?: readonly Rule[]; readonly grants?: readonly Rule[] }) => boolean,
): Suggestion {
  const texts = targets.length === 0 ? [tool.name] : patternsOf(targets).map((one) => `${tool.name}(${one})`);
  const rules = texts.flatMap(readRule);
  const rule = rules.find((one) => isSettledBy({ rules: [one] }));
  if (rule) return { suggested_rule: rule.text };
  const grant = rules.find((one) => isSettledBy({ grants: [one] }));
  return grant ? { suggested_rule: grant.text, only_as_grant: true } : {};
}

/** What was typed by a caller may make no rule at all. */
function readRule(text: string): Rule[] {
  try {
    return text.length > MAX_PATTERN_CHARS ? [] : [parseRule({ allow: text })];
  } catch {
    return [];
  }
}

/** From the narrowest on; none when one of them lies in no root. */
function patternsOf(targets: Asked["targets"]): string[] {
  const [command] = targets.flatMap((target) => target.command ?? []);
  // In a command a star is any text, and cannot be meant as itself.
  if (command !== undefined) return command.includes("*") ? [] : [command];
  const paths = targets.flatMap(({ rel, deep }) => (rel === undefined ? [] : [{ rel, deep }]));
  if (paths.length < targets.length) return [];
  const each = [...new Set(paths.map(patternOf))];
  if (each.length === 1) return each;
  const directory = commonDirectory(paths.map(({ rel }) => rel));
  const inside = directory === "" ? "**" : `${escapeGlob(directory)}/**`;
  const isShort = each.length <= MAX_NAMED && !each.includes(".");
  return isShort ? [braces(directory, each), inside] : [inside];
}

function patternOf({ rel, deep }: { rel: string; deep: boolean | undefined }): string {
  if (deep) return rel === "" ? "**" : `${escapeGlob(rel)}/**`;
  return rel === "" ? "." : escapeGlob(rel);
}

/** `notes/{a.txt,b.txt}` */
function braces(directory: string, patterns: readonly string[]): string {
  const top = directory === "" ? "" : `${escapeGlob(directory)}/`;
  return `${top}{${patterns.map((one) => one.slice(top.length).replaceAll(",", "\\,")).join(",")}}`;
}

/** "" for the root. */
function commonDirectory(paths: readonly string[]): string {
  const names = paths.map((path) => path.split("/").slice(0, -1));
  const [first = []] = names;
  const differs = first.findIndex((name, index) => names.some((other) => other[index] !== name));
  return (differs < 0 ? first : first.slice(0, differs)).join("/");
}
