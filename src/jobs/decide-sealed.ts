/**
 * The decision once more, on what a sealed change really touches: links followed, spellings resolved. It can only be
 * stricter than the one that was made on the caller's words, because both must allow.
 */
import { Failure } from "../base/index.ts";
import { evaluate, type Act, type AskedCall, type Decision, type Rules } from "../policy/index.ts";
import type { Scope } from "../scope/index.ts";
import { locatedFrom, type Sealed, type SealedPath, type SealedStep } from "../txn/index.ts";
import type { Ruling } from "./ruled-scopes.ts";

type Target = Parameters<typeof evaluate>[0]["targets"][number];

export interface Known {
  /** What would be overwritten without having been read: more than an ordinary change. */
  readonly unread: readonly string[];
  /** The caller's words. */
  readonly words: AskedCall | undefined;
}

export function decideSealed(
  { tool, mode }: Ruling,
  rules: Rules,
  sealed: Sealed,
  scope: Scope,
  { unread, words }: Known,
): Decision {
  const { steps } = sealed;
  const targets = steps.flatMap((step) => targetsOf(step, scope));
  const removes = steps.some(({ op }) => op === "remove");
  const [first] = unread;
  const more =
    first === undefined
      ? {}
      : { atLeast: "R4" as const, because: `"${first}" would be overwritten, and was not read` };
  const touches = steps.flatMap((step) =>
    ("from" in step ? [step.from, step.at] : [step.at]).map(({ root, rel }) => ({
      root: rootAt(scope, root),
      rel,
      isMade: step.op === "make_directory",
    })),
  );
  const acts = actsOf(sealed, scope);
  const asked: AskedCall = { tool: tool.name, part: "change", acts, words, touches };
  return evaluate({ tool, targets, removes, mode, asked, ...more }, rules);
}

/** What it does where, without the contents. */
function actsOf({ steps, files }: Sealed, scope: Scope): readonly Act[] {
  const place = ({ root, rel }: SealedPath): readonly string[] => [rootAt(scope, root), rel];
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

export function deniedChange(tool: string, decision: Decision): Failure {
  return new Failure("denied", `Cannot call "${tool}": ${decision.reason}`, { details: { decision } });
}
