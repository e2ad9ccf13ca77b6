/**
 * The scopes in which workers look. What holds secrets is closed in every one of them, and the rules of the policy close
 * more: each tool that they cover has a scope of its own, in which what they deny, or ask about and nobody has allowed, is
 * closed. So a link, a directory above, a search that goes there by itself are no way around a rule.
 *
 * Usual mistake: to decide on the caller's path alone; only here it is known what it leads to.
 */
import { Failure } from "../base/index.ts";
import {
  EFFECTS,
  closedByReach,
  closesPath,
  closesTarget,
  createSecretRule,
  maySecretsBeIn,
  parseRule,
  type Mode,
  type Rule,
  type Rules,
  type SkillReach,
  type ToolFacts,
} from "../policy/index.ts";
import { isInside, Scope, type Closes } from "../scope/index.ts";
import { isPolicyFile } from "./change/closed-paths.ts";
import type { ScopeConfig, WorkerConfig, WorkerPolicy } from "./worker-config.ts";

/** By which tool and under what a job is done. */
export interface Ruling {
  readonly tool: ToolFacts;
  readonly mode: Mode;
  /** Rules that a person has granted. */
  readonly grants: readonly string[];
  /** What the skill of the call leaves of the files. */
  readonly reach?: SkillReach | undefined;
}

export interface RuledInput {
  readonly ruling: Ruling;
  /** The input of the job itself. */
  readonly input: string;
}

/** More is forgotten: a caller's modes and grants are few. */
const MAX_KEPT = 64;

export function createRuledScopes(config: WorkerConfig): (ruling: Ruling) => Scope {
  const scopes = new Map<string, Scope>();
  const rulesOf = createRulesOf(config.policy);
  return (ruling) => {
    const key = JSON.stringify(ruling);
    let scope = scopes.get(key);
    if (!scope) {
      if (scopes.size >= MAX_KEPT) scopes.clear();
      scope = openScope(
        config.scope,
        config.rootFds,
        closesOf(ruling, rulesOf(ruling), config),
        !ruling.tool.remembers,
      );
      scopes.set(key, scope);
    }
    return scope;
  };
}

/** Whether the path may be looked at there, by its own words. */
export function isOpen(scope: Scope, path: string): boolean {
  try {
    scope.locate(path, "complete");
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure) return false;
    throw thrown;
  }
}

/** The rules of the configuration, and those that a person granted for this call. */
export function createRulesOf(policy: WorkerPolicy): (ruling: Ruling) => Rules {
  let parsed: readonly Rule[] | undefined;
  return ({ grants }) => {
    parsed ??= policy.rules.map(parseRule);
    return { rules: parsed, grants: grants.map((allow) => parseRule({ allow, source: "grant" })) };
  };
}

function closesOf({ tool, mode, reach }: Ruling, rules: Rules, { policy, scope }: WorkerConfig): Closes {
  const memory = scope.roots.find(({ isMemory }) => isMemory)?.path;
  const isRuled = rules.rules.some((rule) => rule.verdict !== "allow" && rule.coversPathsOf(tool));
  const isOut = reach
    ? closedByReach(reach, EFFECTS[tool.effect].onlyReads || EFFECTS[tool.effect].startsPrograms)
    : () => false;
  const closesNote = (rel: string): boolean =>
    // A folder is no note: what is in it is asked for by itself.
    isRuled && rel.endsWith(".md") && closesTarget(tool, { ...recordOfNote(rel), mode: "metadata" }, mode, rules);
  return (rel, absolute) => {
    if (memory !== undefined && isInside(absolute, memory)) {
      if (tool.remembers) return closesNote(absolute.slice(memory.length + 1));
      // Marks of the host are worth nothing in a file that others change.
      if (!EFFECTS[tool.effect].onlyReads) return true;
    }
    return closesAnyPath(rel, absolute);
  };

  function closesAnyPath(rel: string, absolute: string): boolean {
    return (
      isOut(absolute) ||
      (!EFFECTS[tool.effect].onlyReads && isPolicyFile(absolute, policy.configFiles)) ||
      (isRuled && closesPath(tool, { rel, absolute }, mode, rules))
    );
  }
}

/** The record that a note is to rules. @param rel its file or folder, below the folder of the memory */
export function recordOfNote(rel: string): { readonly kind: "record"; readonly store: string; readonly key: string } {
  return { kind: "record", store: "memory", key: rel.replace(/\.md$/, "") };
}

/** @param withoutMemory for whoever is no tool of the memory */
export function openScope(
  { except = [], ...config }: ScopeConfig,
  rootFds: readonly number[] = [],
  closes?: Closes,
  withoutMemory = false,
): Scope {
  // The folder of the memory is the last root, so the others keep their numbers.
  const roots = withoutMemory ? config.roots.filter(({ isMemory }) => !isMemory) : config.roots;
  return new Scope({ ...config, roots, rootFds, isSecret: createSecretRule(except), maySecretsBeIn, closes });
}
