/**
 * The second gate: allow, ask or deny one concrete call, by its rules first and its risk and the mode after them. Pure.
 * Every target of a call is decided on its own, and the call is what the strictest of them is.
 *
 * Deny beats everything. Between ask and allow the more specific rule wins, and ask when they are alike. What a person
 * granted settles an ask. Nothing lifts R5, and nothing makes a change at once in the mode `plan`.
 *
 * Usual mistake: a list of tools that are checked. Every tool comes through here, known or not.
 */
import { decide, type Decision, type Mode } from "./decide.ts";
import { EFFECTS } from "./effects.ts";
import { coversCall, coversPath, exactText, type AskedCall } from "./exact-call.ts";
import type { ToolFacts } from "./groups.ts";
import type { Risk } from "./risk.ts";
import { parseRule, type Rule } from "./rule.ts";
import { isPath, type TargetPlace, type PlacedTarget } from "./target.ts";

export interface Question {
  readonly tool: ToolFacts;
  /** None: the call as a whole. */
  readonly targets: readonly DecidedTarget[];
  readonly removes: boolean;
  readonly mode: Mode;
  /** Known: of a command that is declared, of a command line that was read. */
  readonly risk?: Risk | undefined;
  /** More than its paths say: an overwrite of what was never read, a search for secrets. */
  readonly atLeast?: Risk | undefined;
  /** Why that is so. */
  readonly because?: string | undefined;
  /** The call as data, for what was allowed exactly. */
  readonly asked?: AskedCall | undefined;
}

type DecidedTarget = PlacedTarget & {
  /** The tools whose change this is, where the one that is called makes several. */
  readonly as?: readonly ToolFacts[] | undefined;
  /** Something is taken away there. */
  readonly removes?: boolean | undefined;
  /** The operator lists its host in the reach of the tool's pack, which is as good as a rule that names it. */
  readonly isReached?: boolean | undefined;
};

export interface Rules {
  readonly rules: readonly Rule[];
  /** Allowed by a person; they settle what a rule or the mode would ask about. */
  readonly grants: readonly Rule[];
}

const STRICTNESS: Readonly<Record<Decision["type"], number>> = { allow: 0, ask: 1, deny: 2 };

export function evaluate(question: Question, rules: Rules): Decision {
  const decision = strictest(question, rules);
  if (decision.type !== "ask") return decision;
  const isSettledBy = (added: Partial<Rules>): boolean => {
    const { rules: more = [], grants = [] } = added;
    const all = { rules: [...rules.rules, ...more], grants: [...rules.grants, ...grants] };
    return strictest(question, all).type === "allow";
  };
  return { ...decision, ...suggestRule(question.asked, decision, isSettledBy) };
}

function strictest(question: Question, rules: Rules): Decision {
  const { targets } = question;
  const [only] = targets;
  // As in nearly every call.
  if (targets.length <= 1 && !only?.as) return decideTarget(question, only, rules);
  return targets
    .flatMap((target) => [decideTarget(question, target, rules), ...decideParts(question, target, rules)])
    .reduce((a, b) => (isStricter(b, a) ? b : a));
}

/**
 * Under the other names of what happens there. Only what rules say about them alone counts: what the change could cost, and
 * what asks about the whole as well, has been decided, and who allows the whole allows its parts.
 */
function decideParts(question: Question, target: DecidedTarget | undefined, rules: Rules): readonly Decision[] {
  if (!target?.as?.length) return [];
  const own = rules.rules.filter((rule) => rule.verdict !== "ask" || !covers(rule, question.tool, target));
  return target.as
    .map((tool) => decideTarget({ ...question, tool }, target, { ...rules, rules: own }))
    .filter(({ type, source }) => type === "deny" || (type === "ask" && source !== "mode"));
}

function isStricter(a: Decision, b: Decision): boolean {
  return STRICTNESS[a.type] > STRICTNESS[b.type] || (a.type === b.type && a.risk > b.risk);
}

function decideTarget(question: Question, target: DecidedTarget | undefined, rules: Rules): Decision {
  const { tool, mode } = question;
  const effect = EFFECTS[tool.effect];
  const risk = riskOf(question, target, false);
  const byMode = decideByMode(target, effect.riskInMode?.(risk) ?? risk, mode, risk);
  if (risk === "R5") return byMode;
  const isMeant = (rule: Rule): boolean =>
    rule.exact ? coversCall(rule.exact, question.asked, risk) : covers(rule, tool, target) && rule.matches(target);
  const matching = rules.rules.filter(isMeant);
  const deny = mostSpecific(matching, "deny");
  if (deny) return madeBy(deny, risk);
  const ask = mostSpecific(matching, "ask");
  const allow = mostSpecific(matching, "allow");
  const grant = rules.grants.find(isMeant);
  const settled = grant ?? (allow && (!ask || allow.specificity > ask.specificity) ? allow : undefined);
  // A rule for every call names no host, so it lowers no risk.
  const isNamed = settled?.pattern !== undefined && settled.pattern !== "**";
  const settledRisk = riskOf(question, target, isNamed);
  if (settled && (mode !== "plan" || effect.onlyReads || settledRisk < "R2")) return madeBy(settled, settledRisk);
  if (ask && mode !== "bypass") return madeBy(ask, risk);
  const because =
    byMode.type === "ask" && risk === (question.risk ?? question.atLeast ?? "R0") ? question.because : undefined;
  return because === undefined ? byMode : { ...byMode, reason: because };
}

function covers(rule: Rule, tool: ToolFacts, target: DecidedTarget | undefined): boolean {
  if (target && isPath(target)) return rule.coversPathsOf(tool);
  const isAddress = target?.kind === "url" || target?.kind === "host";
  return isAddress ? rule.coversAddressesOf(tool) : rule.coversTool(tool);
}

function riskOf(question: Question, target: DecidedTarget | undefined, isAllowed: boolean): Risk {
  const { tool, atLeast = "R0" } = question;
  const removes = question.removes || target?.removes === true;
  const known = isValueOf(target, question) ? "R1" : question.risk;
  const own = known ?? EFFECTS[tool.effect].risk(target, removes, isAllowed || target?.isReached);
  return atLeast > own ? atLeast : own;
}

function decideByMode(target: DecidedTarget | undefined, asRisk: Risk, mode: Mode, risk: Risk): Decision {
  const decision = decide(asRisk, mode);
  return { ...decision, reason: reasonElsewhere(target, decision.type) ?? decision.reason, risk };
}

/** Why the mode decides so about what lies on no disk of this machine. */
function reasonElsewhere(target: DecidedTarget | undefined, type: Decision["type"]): string | undefined {
  if (target?.isReached && type === "allow") return "it reads from a host in reach";
  if (target?.kind === "object" && type === "allow") return "reading an object changes nothing";
  const isAddress = target?.kind === "url" || target?.kind === "host";
  if (isAddress && target.isReached && type === "ask") return "a request takes data off this machine";
  return isAddress && type === "ask" ? "a request takes data off this machine, and no rule allows it" : undefined;
}

/** A path that a command is given: rules may keep it away, but what it costs is the command's. */
function isValueOf(target: DecidedTarget | undefined, { targets }: Question): boolean {
  return target !== undefined && isPath(target) && targets.some(({ kind }) => kind === "command");
}

function mostSpecific(rules: readonly Rule[], verdict: Rule["verdict"]): Rule | undefined {
  return rules
    .filter((rule) => rule.verdict === verdict)
    .reduce<Rule | undefined>((a, b) => (a && a.specificity >= b.specificity ? a : b), undefined);
}

function madeBy({ verdict, reason, source, text }: Rule, risk: Risk): Decision {
  const words = {
    allow: "a rule allows it",
    ask: "a rule asks about it",
    deny: "a rule of the configuration denies it",
  };
  return { type: verdict, reason: reason ?? words[verdict], source, rule: text, risk };
}

/** Whether rules keep a path from a tool that goes there by itself: below a directory, or through a link. */
export function closesPath(tool: ToolFacts, place: TargetPlace, mode: Mode, rules: Rules): boolean {
  return closesTarget(tool, { ...place, path: place.rel ?? "", mode: "metadata" }, mode, rules);
}

/** As `closesPath`, of whatever a rule can name. */
export function closesTarget(tool: ToolFacts, target: PlacedTarget, mode: Mode, rules: Rules): boolean {
  const question = { tool, targets: [target], removes: false, mode };
  const { type, source } = strictest(question, rules);
  if (type === "deny") return true;
  if (type !== "ask" || !EFFECTS[tool.effect].onlyReads || source === "mode") return false;
  const allowed = [...rules.grants, ...rules.rules].flatMap(({ exact }) => exact ?? []);
  return !allowed.some((exact) => isPath(target) && coversPath(exact, tool.name, target.absolute));
}

type Suggestion = Pick<Decision, "suggested_rule" | "only_as_grant">;

/** A longer one nobody reads, and every answer would carry it. */
const MAX_CHARS = 4096;

/** @param isSettledBy whether the call would be allowed with these besides what there is */
export function suggestRule(
  asked: AskedCall | undefined,
  { risk }: Decision,
  isSettledBy: (added: { readonly rules?: readonly Rule[]; readonly grants?: readonly Rule[] }) => boolean,
): Suggestion {
  if (!asked || asked.acts.length === 0 || risk === "R5") return {};
  const text = exactText({ tool: asked.tool, [asked.part]: { risk, acts: asked.acts } });
  if (text.length > MAX_CHARS) return {};
  const rule = parseRule({ allow: text });
  if (isSettledBy({ rules: [rule] })) return { suggested_rule: text };
  return isSettledBy({ grants: [rule] }) ? { suggested_rule: text, only_as_grant: true } : {};
}
