/**
 * Rules that would have saved asks, made from what a person approved: directories and kinds of files that were changed again and
 * again, command lines and their beginnings, hosts. Whatever is suggested was tried against the whole record first.
 *
 * Invariants: no suggestion would have allowed what a person rejected; none rests on a deletion, a hidden or a lock file (R4); none
 * is one that `ringfence check` would call wide, dead or impossible; and a deny holds over each of them, because it holds over all.
 */
import { posix } from "node:path";
import { findRuleProblems, type Rule, type ToolFacts } from "../../policy/index.ts";
import { placeIn } from "./ask-targets.ts";
import type { RecordedAsk } from "./recorded-asks.ts";
import { findRuleReach, type ReachFacts, type RuleReach } from "./rule-reach.ts";

export interface SuggestedRule extends RuleReach {
  /** The asks that no earlier suggestion saves. */
  readonly alone: number;
}

/** Fewer saved asks are no reason for a rule. */
const LEAST_SAVED = 2;
const MAX_SUGGESTIONS = 10;
/** Candidates are tried against every ask, so there is an end to them. The ones that most asks brought up are kept. */
const MAX_CANDIDATES = 200;

/**
 * Gives at most ten, the one that saves most first. A narrower rule is taken before a wider one that saves no more.
 * @param isWide whether `ringfence check` would name the rule as one that allows more than it seems to
 */
export function suggestRules(facts: ReachFacts, isWide: (rule: Rule) => boolean): SuggestedRule[] {
  const { rules, tools } = facts;
  const approved = facts.asks.filter(({ answer }) => answer === "approved");
  const reaches = candidatesFor(approved, tools).flatMap((text): RuleReach[] => {
    const reach = findRuleReach(text, facts);
    const { rule, saved, rejected } = reach;
    if (rejected.length > 0 || countApproved(saved) < LEAST_SAVED || isWide(rule)) return [];
    return findRuleProblems([...rules.rules, rule], tools).some((problem) => problem.rule === rule) ? [] : [reach];
  });
  const chosen: SuggestedRule[] = [];
  const settled = new Set<string>();
  const left = (reach: RuleReach): number => reach.saved.filter(({ call }) => !settled.has(call)).length;
  while (chosen.length < MAX_SUGGESTIONS) {
    const best = reaches.reduce<RuleReach | undefined>((a, b) => (a && !isBetter(b, a, left) ? a : b), undefined);
    if (!best || left(best) < LEAST_SAVED) break;
    chosen.push({ ...best, alone: left(best) });
    for (const { call } of best.saved) settled.add(call);
  }
  return chosen;
}

function countApproved(asks: readonly RecordedAsk[]): number {
  return asks.filter(({ answer }) => answer === "approved").length;
}

/** First what saves more; then what opens fewer files, or meets fewer closed ones; then what says more exactly what it means. */
function isBetter(a: RuleReach, b: RuleReach, left: (reach: RuleReach) => number): boolean {
  if (left(a) !== left(b)) return left(a) > left(b);
  if (a.files.length !== b.files.length) return a.files.length < b.files.length;
  if (a.deniedFiles !== b.deniedFiles) return a.deniedFiles < b.deniedFiles;
  if (a.rule.specificity !== b.rule.specificity) return a.rule.specificity > b.rule.specificity;
  return isDeep(a) === isDeep(b) ? a.rule.text.length > b.rule.text.length : isDeep(b);
}

function isDeep({ rule }: RuleReach): boolean {
  return rule.text.includes("**");
}

/** Rule texts, without repeats, the ones that most asks brought up first. */
function candidatesFor(asks: readonly RecordedAsk[], tools: readonly ToolFacts[]): string[] {
  const counts = new Map<string, number>();
  for (const ask of asks) {
    if (!tools.some(({ name }) => name === ask.tool)) continue;
    for (const pattern of new Set(patternsFor(ask))) {
      const text = `${ask.tool}(${pattern})`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count >= LEAST_SAVED)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CANDIDATES)
    .map(([text]) => text);
}

function patternsFor(ask: RecordedAsk): string[] {
  if (ask.line !== undefined) return patternsOfLine(ask.line, ask.risk);
  if (ask.risk === "R4") return [];
  return [
    ...ask.paths.flatMap((path) => patternsOfPath(placeIn(ask.roots, path).rel)),
    ...ask.names.flatMap(patternsOfUrl),
  ];
}

/** What a pattern would read as a sign of its own. */
const SIGNS = /[\\*?[\]{}()!+@|]/;

/** The file, its kind in its directory and below, and each directory above it but the root. */
function patternsOfPath(rel: string | undefined): string[] {
  if (rel === undefined || rel === "" || SIGNS.test(rel)) return [];
  const extension = posix.extname(rel);
  const above: string[] = [];
  for (let at = posix.dirname(rel); at !== "."; at = posix.dirname(at)) above.push(at);
  const kinds = above.flatMap((directory) => (extension === "" ? [] : [`${directory}/**/*${extension}`]));
  const own = extension === "" ? [] : [`${above[0] === undefined ? "" : `${above[0]}/`}*${extension}`];
  return [rel, ...own, ...kinds, ...above.map((directory) => `${directory}/**`)];
}

const PLAIN_LINE = /^[\w@%:,./= -]+$/;

/** The line itself; of one that does less harm also its beginning, where two words of it are plain. */
function patternsOfLine(line: string, risk: RecordedAsk["risk"]): string[] {
  if (!PLAIN_LINE.test(line) || line !== line.trim() || line.includes("[secret]")) return [];
  if (risk === "R4") return [line];
  const words = line.split(/ +/);
  return [
    line,
    ...words.flatMap((_, at) => (at >= 1 && at < words.length - 1 ? [`${words.slice(0, at + 1).join(" ")} *`] : [])),
  ];
}

function patternsOfUrl(name: string): string[] {
  const [, url = ""] = /^(?:GET|HEAD) (https?:\/\/[^\s?*]+)/.exec(name) ?? [];
  return URL.canParse(url) ? [`${new URL(url).origin}/**`] : [];
}
