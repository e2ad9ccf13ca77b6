/**
 * The decision once more, on what a sealed change really touches: links followed, spellings resolved, every member of a tree
 * under the name that it has and the one that it gets. It can only be stricter than the one that was made on the caller's
 * words, because both must allow.
 */
import { Failure } from "../../base/index.ts";
import {
  evaluate,
  isSteering,
  type Act,
  type AskedCall,
  type Decision,
  type Question,
  type Rules,
  type ToolFacts,
} from "../../policy/index.ts";
import type { Scope } from "../../scope/index.ts";
import {
  locatedFrom,
  type PreparedChanges,
  type RootPath,
  type PreparedStep,
  type StepFacts,
} from "../../txn/index.ts";
import { findShared, type Shared } from "./find-shared.ts";
import type { Ruling } from "../ruled-scopes.ts";

type Touched = Question["targets"][number];

/** What is known besides what is kept with the proposal. */
export interface Told {
  /** What every step touches. */
  readonly steps: readonly StepFacts[];
  /** The tools whose changes the call makes. */
  readonly parts: readonly ToolFacts[];
  /** What would be overwritten without having been read: more than an ordinary change. */
  readonly unread: readonly string[];
  /** The caller's words. */
  readonly words: AskedCall | undefined;
}

export function decideSealed(
  { tool, mode }: Ruling,
  rules: Rules,
  sealed: PreparedChanges,
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
  const asked = askedOf(tool.name, sealed, scope, told.words);
  const decision = evaluate({ tool, targets, removes, mode, asked, ...becauseOf(shared, told.unread) }, rules);
  return shared?.isClosed
    ? { ...decision, type: "deny", reason: shared.why, source: "scope", rule: "denied" }
    : decision;
}

function becauseOf(
  shared: Shared | undefined,
  [unread]: readonly string[],
): { readonly atLeast?: "R4"; readonly because?: string } {
  if (shared) return { atLeast: "R4", because: shared.why };
  if (unread === undefined) return {};
  return { atLeast: "R4", because: `"${unread}" would be overwritten, and was not read` };
}

function factsOf(name: string, parts: readonly ToolFacts[]): ToolFacts {
  return parts.find((one) => one.name === name) ?? { name, effect: "change" };
}

/** The change as data, for what was allowed exactly. */
function askedOf(tool: string, sealed: PreparedChanges, scope: Scope, words: AskedCall | undefined): AskedCall {
  const touches = sealed.steps.flatMap((step) =>
    placesOf(step).map(({ root, rel }) => ({
      root: rootAt(scope, root),
      rel,
      isMade: step.op === "make_directory",
    })),
  );
  return { tool, part: "change", acts: actsOf(sealed, scope), words, touches };
}

/** What it does where, without the contents. */
function actsOf({ steps, files }: PreparedChanges, scope: Scope): readonly Act[] {
  const place = ({ root, rel }: RootPath): readonly string[] => [rootAt(scope, root), rel];
  return [
    ...steps.map((step): Act => {
      const was = "before" in step ? step.before.kind : "";
      const from = "from" in step ? place(step.from) : [];
      const how = step.op === "put" ? [step.inPlace, String(step.mode ?? "")] : [];
      return [step.op, was, wholeOf(step)?.kind ?? "", ...place(step.at), ...from, ...how];
    }),
    ...files.map(({ operation, absolute, source }): Act => [operation, absolute, source ?? ""]),
  ];
}

function rootAt(scope: Scope, root: number): string {
  return scope.absolute(locatedFrom(scope, { root, rel: "" }));
}

function targetsOf(step: PreparedStep, scope: Scope): Touched[] {
  const isTree = wholeOf(step)?.kind === "directory";
  return placesOf(step).map((path) => ({ ...targetAt(path, scope), isTree }));
}

/** On both sides of a move or copy. Where no rule could mean one, only those that cost more than the rest are looked at. */
function membersOf(step: PreparedStep, { tree }: StepFacts, scope: Scope, isRuled: boolean): Touched[] {
  const below = (tree?.below ?? []).filter((path) => isRuled || isSteering(path));
  if (below.length === 0) return [];
  return placesOf(step).flatMap(({ root, rel }) =>
    below.map((path) => targetAt({ root, rel: rel === "" ? path : `${rel}/${path}` }, scope)),
  );
}

function placesOf(step: PreparedStep): readonly RootPath[] {
  return "from" in step ? [step.from, step.at] : [step.at];
}

function targetAt(path: RootPath, scope: Scope): Touched {
  const absolute = scope.absolute(locatedFrom(scope, path));
  return { path: path.rel, rel: path.rel, absolute, mode: "write" };
}

/** What is taken as it is, with all that is in it. */
function wholeOf(step: PreparedStep): { readonly kind: string } | undefined {
  if (step.op === "remove") return step.before;
  return step.op === "move" || step.op === "copy" ? step.source : undefined;
}

export function deniedChange(tool: string, decision: Decision): Failure {
  return new Failure("denied", `Cannot call "${tool}": ${decision.reason}`, { details: { decision } });
}
