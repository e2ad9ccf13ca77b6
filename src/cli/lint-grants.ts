/**
 * What is wrong with what was granted for good, for `check`: a grant that allows nothing any more is forgotten, and would be
 * a surprise on the day on which it allows something again. Only those for these roots are judged by the rules of the configuration, because
 * other roots may have another one.
 */
import { existsSync, realpathSync } from "node:fs";
import { Failure } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { checkRule, findRuleProblems, isKnownSelector, parseRule, type Rule, type ToolFacts } from "../policy/index.ts";
import { GrantStore, findStateFolder } from "../state/index.ts";
import { widthOfRule, type WideRule } from "./wide-rules.ts";

/** A grant as it is kept. Those that end, or hold in one session alone, say so. */
interface KeptGrant {
  readonly id: string;
  readonly rule: string;
  readonly roots: readonly string[];
  /** ISO 8601 */
  readonly until?: string;
  readonly session?: string;
}

export interface GrantProblem {
  readonly id: string;
  readonly rule: string;
  /**
   * ended: its time is over. impossible: it matches no call at all. denied: a deny holds over all of it. copy: another grant, or a
   * rule, says the same.
   */
  readonly kind: "ended" | "impossible" | "denied" | "copy";
  readonly why: string;
}

export interface GrantLint {
  readonly problems: readonly GrantProblem[];
  readonly wide: readonly WideRule[];
}

/** What a grant is judged by. */
export interface LintFacts {
  readonly config: Pick<Config, "stateDir" | "rules">;
  readonly tools: readonly ToolFacts[];
  /** Absolute: those of this configuration, as grants name them. */
  readonly roots: readonly string[];
  /** Selectors of tools that nobody knows before they are offered. */
  readonly isUnknowable: (selector: string) => boolean;
  readonly now: number;
}

export function lintGrants(facts: LintFacts): GrantLint {
  const { config, tools, roots } = facts;
  const grants: readonly KeptGrant[] = new GrantStore(findStateFolder(config.stateDir).grants).list();
  const problems = grants.flatMap((grant): GrantProblem[] => {
    const { id, rule } = grant;
    const found = problemOf(grant, grants, facts);
    return found === undefined ? [] : [{ id, rule, ...found }];
  });
  const bad = new Set(problems.map(({ id }) => id));
  const wide = grants.flatMap((grant): WideRule[] => {
    if (bad.has(grant.id) || !areSame(grant.roots, roots)) return [];
    const rule = ruleOf(grant);
    const allows = rule instanceof Failure || rule.exact ? undefined : widthOfRule(rule, tools, roots);
    return allows === undefined ? [] : [{ rule: grant.rule, source: `grant ${grant.id}`, allows }];
  });
  return { problems, wide };
}

type Found = Pick<GrantProblem, "kind" | "why">;

function problemOf(grant: KeptGrant, all: readonly KeptGrant[], facts: LintFacts): Found | undefined {
  const { config, tools, now } = facts;
  if (isOver(grant, now)) return { kind: "ended", why: `its time was over at ${grant.until}` };
  const rule = ruleOf(grant);
  if (rule instanceof Failure) return { kind: "impossible", why: rule.message };
  const missing = grant.roots.find((root) => !existsSync(root));
  if (missing !== undefined) return { kind: "impossible", why: `its root ${missing} is not there any more` };
  const isHere = areSame(grant.roots, facts.roots);
  if (facts.isUnknowable(rule.toolPattern)) return undefined;
  if (!isKnownSelector(rule.toolPattern, tools))
    return isHere ? { kind: "impossible", why: `there is no tool ${rule.toolPattern}` } : undefined;
  const beatenBy = (others: readonly Rule[], roots: readonly string[] = []): string | undefined =>
    findRuleProblems([...others, rule], tools, roots).find((problem) => problem.rule === rule)?.why;
  const [denies, allows] = (["deny", "allow"] as const).map((wanted) =>
    (isHere ? config.rules : []).map(checkRule).filter(({ verdict }) => verdict === wanted),
  );
  const before = all.slice(0, all.indexOf(grant)).filter((other) => isAsGood(other, grant, now));
  const found: readonly [GrantProblem["kind"], string | undefined][] = [
    ["impossible", beatenBy([], [...grant.roots, ...grant.roots.map((root) => realpathSync(root))])],
    ["denied", beatenBy(denies ?? [])],
    ["copy", beatenBy([...(allows ?? []), ...before.flatMap((other) => ruleOrNone(other))])],
  ];
  for (const [kind, why] of found)
    if (why !== undefined) return { kind, why: why.replace(/ always wins$/, WORDS[kind]) };
  return undefined;
}

const WORDS: Readonly<Record<GrantProblem["kind"], string>> = {
  ended: "",
  impossible: "",
  denied: " holds over all of it",
  copy: " says the same",
};

/** A time that nobody can read is over, as for a host. */
function isOver({ until }: KeptGrant, now: number): boolean {
  return until !== undefined && !(Date.parse(until) > now);
}

/** Whether the other one holds wherever and as long as this one does. */
function isAsGood(other: KeptGrant, { roots, until, session }: KeptGrant, now: number): boolean {
  const isAsLong = other.until === undefined || (until !== undefined && other.until >= until);
  const isAsWide = other.session === undefined || other.session === session;
  return areSame(other.roots, roots) && isAsLong && isAsWide && !isOver(other, now);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

function ruleOf({ rule, id }: KeptGrant): Rule | Failure {
  try {
    return parseRule({ allow: rule, source: `grant ${id}` });
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
}

function ruleOrNone(grant: KeptGrant): readonly Rule[] {
  const rule = ruleOf(grant);
  return rule instanceof Failure ? [] : [rule];
}
