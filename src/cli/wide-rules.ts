/**
 * Allow rules that let through more than they seem to name, for `check` and `doctor`: they are read without a mistake, and
 * still nobody is asked about nearly anything any more. A rule that says why it may stay (`accepted`) is not named.
 */
import type { Config } from "../config/index.ts";
import { checkRule, EFFECTS, linePatterns, type Rule, type ToolFacts } from "../policy/index.ts";
import { findWidth } from "../shell/index.ts";
import { findWideProgram } from "./lint/wide-programs.ts";

export interface WideRule {
  readonly rule: string;
  /** Where it stands: `file:line`. */
  readonly source: string;
  /** What it allows, in words. */
  readonly allows: string;
}

/** @param roots absolute; none when they are not known */
export function findWideRules(
  { rules }: Pick<Config, "rules">,
  tools: readonly ToolFacts[],
  roots: readonly string[],
): WideRule[] {
  return rules.flatMap((text) => {
    const rule = checkRule(text);
    const isMeant = rule.verdict !== "allow" || rule.exact !== undefined || Boolean(text.accepted);
    const allows = isMeant ? undefined : widthOfRule(rule, tools, roots);
    return allows === undefined ? [] : [{ rule: rule.text, source: rule.source, allows }];
  });
}

/** What an allow rule lets through that it does not seem to; `undefined` where it means what it says. */
export function widthOfRule(rule: Rule, tools: readonly ToolFacts[], roots: readonly string[]): string | undefined {
  const { pattern } = rule;
  const isEveryCall = pattern === undefined || /^\*+$/.test(pattern);
  const covered = tools.filter((tool) => rule.coversTool(tool));
  if (isEveryCall && covered.length > 1 && covered.length === tools.length) return "every call of every tool";
  const lines = covered.some(takesLines) ? widthOfLines(isEveryCall ? undefined : pattern) : undefined;
  if (lines !== undefined) return lines;
  const isOfFiles = covered.some(({ effect }) => EFFECTS[effect].namesPathsOnly);
  const above = isOfFiles && pattern !== undefined ? findRootBelow(pattern, roots) : undefined;
  return above === undefined ? undefined : `paths outside of the root ${above} too`;
}

function widthOfLines(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return findWidth(pattern);
  for (const line of linePatterns(pattern, "allow")) {
    const width = findWidth(line) ?? findWideProgram(line);
    if (width !== undefined) return width;
  }
  return undefined;
}

/** The tools that are given a whole line; a declared command has its program fixed. */
function takesLines({ name }: ToolFacts): boolean {
  return name === "shell" || name === "process_start";
}

/** An absolute pattern above a root still says more than this host can reach, and means it once a root is added. */
function findRootBelow(pattern: string, roots: readonly string[]): string | undefined {
  const sign = pattern.search(/[\\*?[\]{}()!+@]/);
  if (!pattern.startsWith("/") || sign < 0) return undefined;
  const fixed = pattern.slice(0, sign);
  return roots.find((root) => root !== fixed && `${root}/` !== fixed && root.startsWith(fixed));
}
