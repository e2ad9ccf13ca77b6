/**
 * The decision once more, on what a sealed change really touches: links followed, spellings resolved. It can only be
 * stricter than the one that was made on the caller's words, because both must allow.
 */
import { Failure } from "../base/index.ts";
import { evaluate, type Decision, type Rules } from "../policy/index.ts";
import type { Scope } from "../scope/index.ts";
import { locatedFrom, type Sealed, type SealedStep } from "../txn/index.ts";
import type { Ruling } from "./ruled-scopes.ts";

type Target = Parameters<typeof evaluate>[0]["targets"][number];

export function decideSealed(
  { tool, mode }: Ruling,
  rules: Rules,
  { steps }: Sealed,
  scope: Scope,
): Decision {
  const targets = steps.flatMap((step) => targetsOf(step, scope));
  const removes = steps.some(({ op }) => op === "remove");
  return evaluate({ tool, targets, removes, mode }, rules);
}

function targetsOf(step: SealedStep, scope: Scope): Target[] {
  const paths = "from" in step ? [step.from, step.at] : [step.at];
  const isTree = wholeOf(step)?.kind === "directory";
  return paths.map((path) => {
    const absolute = scope.absolute(locatedFrom(scope, path));
    return { path: path.rel, rel: path.rel, absolute, mode: "write" as const, isTree };
  });
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
