/**
 * What an allow rule would have done: which of the last asks it would have saved, which it means and could not have settled, and
 * which of the files there are it would open. Terminal, page and `ringfence rules suggest` show this before a person says "always".
 *
 * Every ask is decided once more by `evaluate`, with the rules there are and this one besides, so a deny holds here as it holds
 * in a host. Usual mistake: to match the pattern alone, which forgets denies, more specific asks and the mode.
 */
import {
  checkRule,
  EFFECTS,
  evaluate,
  type Decision,
  type ExactCall,
  type Question,
  type Rule,
  type Rules,
  type TargetPlace,
  type ToolFacts,
} from "../../policy/index.ts";
import type { RecordedAsk } from "./recorded-asks.ts";
import { targetsOfAsk } from "./ask-targets.ts";

/** What the rule is judged against. */
export interface ReachFacts {
  readonly asks: readonly RecordedAsk[];
  /** The rules of the configuration, and the grants. */
  readonly rules: Rules;
  /** The tools there are; an ask of another one is settled by no rule. */
  readonly tools: readonly ToolFacts[];
  /** Files in the roots, as far as they were listed. */
  readonly files?: readonly TargetPlace[];
  /** Whether the shell's reader cannot know what a line does; no rule settles such a line. Default: every line is read. */
  readonly isOpaque?: (line: string) => boolean;
}

export interface RuleReach {
  readonly rule: Rule;
  /** Asks that would not have been made. Of an exact rule at most these: the record does not have the options of a call. */
  readonly saved: readonly RecordedAsk[];
  /** Saved asks about what a person rejected. */
  readonly rejected: readonly RecordedAsk[];
  /** Asks that the rule means, and that something else holds: a deny, a more specific ask, the mode, a hook. */
  readonly held: readonly HeldAsk[];
  /** Files that a call which the rule means could touch unasked. */
  readonly files: readonly TargetPlace[];
  /** Files that the pattern matches, and that a deny keeps closed. */
  readonly deniedFiles: number;
  /** The denies that hold over what the rule means, as they are written. */
  readonly denies: readonly string[];
}

export interface HeldAsk {
  readonly ask: RecordedAsk;
  readonly by: Decision;
}

/** @param text `tool(pattern)`. @throws Failure `invalid_input` for a rule that cannot be read */
export function findRuleReach(text: string, { asks, rules, tools, files = [], isOpaque }: ReachFacts): RuleReach {
  const rule = checkRule({ allow: text, source: "this rule" });
  const { exact } = rule;
  const besides: Rules = { ...rules, rules: [...rules.rules, rule] };
  const saved: RecordedAsk[] = [];
  const held: HeldAsk[] = [];
  for (const ask of asks) {
    const tool = tools.find(({ name }) => name === ask.tool);
    if (!tool || !rule.coversTool(tool)) continue;
    const question = questionOf(ask, tool);
    if (exact ? !isNamedBy(exact, ask) : !question.targets.some((target) => rule.matches(target))) continue;
    if (evaluate(question, rules).type === "allow") continue;
    const decision = exact ? withoutRules(question, rules) : evaluate(question, besides);
    const by = holderOf(ask, isOpaque) ?? decision;
    if (by.type === "allow") saved.push(ask);
    else held.push({ ask, by });
  }
  const opened = openedFiles(rule, exact, { files, tools, rules, besides });
  const denies = [...held.map(({ by }) => by), ...opened.denied].filter(({ type }) => type === "deny");
  return {
    rule,
    saved,
    rejected: saved.filter(({ answer }) => answer === "rejected"),
    held,
    files: opened.open,
    deniedFiles: opened.denied.length,
    denies: [...new Set(denies.map((one) => one.rule))],
  };
}

function questionOf(ask: RecordedAsk, tool: ToolFacts): Question {
  const { risk, mode } = ask;
  const isLine = ask.line !== undefined;
  return { tool, targets: targetsOfAsk(ask, tool), removes: false, mode, ...(isLine ? { risk } : { atLeast: risk }) };
}

/** What no rule settles: a program of the configuration, the program that runs the host, a line that nobody can read. */
const HOLDERS = /^(?:hooks|guard|shell|scope):/;

function holderOf({ by, reason, risk, line }: RecordedAsk, isOpaque: ReachFacts["isOpaque"]): Decision | undefined {
  const isHeld = HOLDERS.test(by) || (line !== undefined && isOpaque?.(line) === true);
  return isHeld ? { type: "ask", reason, source: by, rule: by, risk } : undefined;
}

/** An exact rule allows what it names unless a deny, or the mode, holds; the ask itself is what it was made for. */
function withoutRules(question: Question, rules: Rules): Decision {
  const decision = evaluate(question, rules);
  const isHeld = decision.type === "deny" || (question.mode === "plan" && !EFFECTS[question.tool.effect].onlyReads);
  return isHeld ? decision : { ...decision, type: "allow" };
}

/** As far as the record tells: the places, or the line, and no more risk than was approved. */
function isNamedBy({ call, change }: ExactCall, { paths, line, names, risk }: RecordedAsk): boolean {
  const part = call ?? change;
  if (!part || risk > part.risk) return false;
  const acts = part.acts;
  const exactLine = acts.find(([kind]) => kind === "line")?.[1];
  if (exactLine !== undefined) return exactLine === line;
  const places = acts.flatMap(([, root, rel]) =>
    typeof root === "string" && root.startsWith("/") && typeof rel === "string"
      ? [rel === "" ? root : `${root}/${rel}`]
      : [],
  );
  const subjects = acts.flatMap(([, subject]) => (typeof subject === "string" ? [subject] : []));
  return (
    paths.every((path) => places.includes(path)) && names.every((name) => subjects.some((one) => name.includes(one)))
  );
}

interface OpenedFiles {
  readonly open: readonly TargetPlace[];
  readonly denied: readonly Decision[];
}

function openedFiles(
  rule: Rule,
  exact: ExactCall | undefined,
  {
    files,
    tools,
    rules,
    besides,
  }: Required<Pick<ReachFacts, "files" | "tools" | "rules">> & { readonly besides: Rules },
): OpenedFiles {
  const tool = tools.find((one) => EFFECTS[one.effect].namesPathsOnly && rule.coversTool(one));
  if (!tool || exact) return { open: [], denied: [] };
  const open: TargetPlace[] = [];
  const denied: Decision[] = [];
  const mode = EFFECTS[tool.effect].onlyReads ? ("read" as const) : ("write" as const);
  for (const file of files) {
    if (!rule.matches(file)) continue;
    const target = { ...file, path: file.absolute ?? file.rel ?? "", mode };
    const question: Question = { tool, targets: [target], removes: false, mode: "default" };
    const decision = evaluate(question, besides);
    if (decision.type === "deny") denied.push(decision);
    else if (decision.type === "allow" && evaluate(question, rules).type !== "allow") open.push(file);
  }
  return { open, denied };
}
