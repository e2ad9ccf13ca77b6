/**
 * The decision once more, on what a sealed change really touches: links followed, spellings resolved, every member of a tree
 * under the name that it has and the one that it gets. It can only be stricter than the one that was made on the caller's
 * words, because both must allow.
 */
import { Failure } from "../base/index.ts";
import { evaluate, isSteering, type Decision, type Rules, type ToolFacts } from "../policy/index.ts";
import type { Scope } from "../scope/index.ts";
import { locatedFrom, type Sealed, type SealedPath, type SealedStep, type StepFacts } from "../txn/index.ts";
import { findShared, type Shared } from "./find-shared.ts";
import type { Ruling } from "./ruled-scopes.ts";

type Target = Parameters<typeof evaluate>[0]["targets"][number];

/** What is known besides what is kept with the proposal. */
export interface Told {
  /** Of every step. */
  readonly steps: readonly StepFacts[];
  /** The tools whose changes the call makes. */
  readonly parts: readonly ToolFacts[];
}

export function decideSealed(
  { tool, mode }: Ruling,
  rules: Rules,
  sealed: Sealed,
  scope: Scope,
  told: Told,
): Decision {
  const { steps } = sealed;
  const shared = findShared(steps, told.steps, scope);
  const targets = steps.flatMap((step, index) => {
    const facts = told.steps[index] ?? {};
    const as = (facts.tools ?? []).map((name) => factsOf(name, told.parts));
    const isRuled = rules.rules.some(
      (rule) => rule.verdict !== "allow" && [tool, ...as].some((one) => rule.coversTool(one)),
    );
    return [...targetsOf(step, scope), ...membersOf(step, facts, scope, isRuled)].map((one) => ({
      ...one,
      as,
    }));
  });
  const removes = steps.some(({ op }) => op === "remove");
  const decision = evaluate({ tool, targets, removes, mode, ...becauseOf(shared) }, rules);
  return shared?.isClosed
    ? { ...decision, type: "deny", reason: shared.why, source: "scope", rule: "denied" }
    : decision;
}

function becauseOf(shared: Shared | undefined): { readonly atLeast?: "R4"; readonly because?: string } {
  return shared ? { atLeast: "R4", because: shared.why } : {};
}

function factsOf(name: string, parts: readonly ToolFacts[]): ToolFacts {
  return parts.find((one) => one.name === name) ?? { name, effect: "change" };
}

function targetsOf(step: SealedStep, scope: Scope): Target[] {
  const isTree = wholeOf(step)?.kind === "directory";
  return placesOf(step).map((path) => ({ ...targetAt(path, scope), isTree }));
}

/** On both sides of a move or copy. Where no rule could mean one, only those that cost more than the rest are looked at. */
function membersOf(step: SealedStep, { tree }: StepFacts, scope: Scope, isRuled: boolean): Target[] {
  const below = (tree?.below ?? []).filter((path) => isRuled || isSteering(path));
  if (below.length === 0) return [];
  return placesOf(step).flatMap(({ root, rel }) =>
    below.map((path) => targetAt({ root, rel: rel === "" ? path : `${rel}/${path}` }, scope)),
  );
}

function placesOf(step: SealedStep): readonly SealedPath[] {
  return "from" in step ? [step.from, step.at] : [step.at];
}

function targetAt(path: SealedPath, scope: Scope): Target {
  const absolute = scope.absolute(locatedFrom(scope, path));
  return { path: path.rel, rel: path.rel, absolute, mode: "write" };
}

/** What is taken as it is, with all that is in it. */
function wholeOf(step: SealedStep): { readonly kind: string } | undefined {
  if (step.op === "remove") return step.before;
  return step.op === "move" || step.op === "copy" ? step.source : undefined;
}

/** What is overwritten without having been read is more than an ordinary change, unless a rule or person allowed it. */
export function decideUnread(decision: Decision, unread: readonly string[], { mode }: Ruling): Decision {
  const [first] = unread;
  if (first === undefined || decision.risk >= "R4") return decision;
  const isByMode = decision.type === "allow" && decision.source === "mode" && mode !== "bypass";
  const reason = `"${first}" would be overwritten, and was not read`;
  return { ...decision, risk: "R4", ...(isByMode ? { type: "ask" as const, reason } : {}) };
}

export function deniedChange(tool: string, decision: Decision): Failure {
  return new Failure("denied", `Cannot call "${tool}": ${decision.reason}`, { details: { decision } });
}
