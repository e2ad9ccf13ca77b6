/**
 * What a call would touch, how much it could cost, and whether it may: the policy's questions, asked with the host's
 * facts. A caller can narrow the mode for one call, never widen it.
 */
import type { ChangePart, Tool } from "../../contract/index.ts";
import {
  EFFECTS,
  evaluate,
  looksForSecrets,
  parseUrl,
  withoutSuggestion,
  type AskedCall,
  type Decision,
  type PlacedTarget,
  type Question,
  type ToolFacts,
} from "../../policy/index.ts";
import { reaches, type ReachList } from "../../reach/index.ts";
import { placeTarget, toolFacts } from "../../session/index.ts";
import type { ReadCall, Assessed, Call } from "../call.ts";
import type { Services } from "../services.ts";
import { askedCall } from "./asked-call.ts";
import { confirmByHook } from "./hooks.ts";
import { beyondSkill } from "./beyond-skill.ts";
import { narrowCall, partLeftOut } from "./narrow-call.ts";

export function assess(host: Services, { call, tool, input }: ReadCall): Assessed {
  const facts = toolFacts(tool);
  const { mode, leftOut: left, skill } = narrowCall(facts, call, host.config);
  const targets = tool.access(input as never);
  // What is carried out elsewhere holds nothing up here.
  const changes = EFFECTS[facts.effect].order === "targets" && !tool.owner;
  const parts = tool.parts?.(input as never);
  const names = parts && namesOf(parts);
  const leftOut = left ?? (skill && beyondSkill(skill, facts, targets, host.policy.place));
  const reach = host.packs.networkOf(tool);
  const placed =
    targets === "all" ? [] : targets.map((one) => placeReached(placeTarget(one, host.policy.place), reach?.reach));
  let asked: AskedCall | undefined;
  const question: Question = {
    tool: facts,
    targets: parts ? parts.flatMap(targetsOf).map((one) => placeTarget(one, host.policy.place)) : placed,
    // Few rules look at the call as data.
    get asked() {
      return (asked ??= askedCall(tool, input, placed));
    },
    removes: tool.removes ?? false,
    mode,
    ...atLeast(host, tool, input),
  };
  const outside = reach && placed.find((one) => one.isReached === false);
  const off = leftOut ? undefined : findOff(host, parts, call);
  const decision = leftOut
    ? denied(leftOut, evaluate(question, { rules: [], grants: [] }))
    : off
      ? deniedPart(off, evaluate(question, { rules: [], grants: [] }))
      : outside
        ? outsideReach(reach.pack, evaluate(question, { rules: [], grants: [] }))
        : alwaysAsked(tool, decideCall(host, question, names));
  const isFinal = host.config.hooks.length === 0 && !host.guard;
  const isSettled = decision.type === "allow" && EFFECTS[facts.effect].onlyReads && isFinal;
  return {
    decision,
    facts,
    mode,
    targets,
    changes,
    asked: isSettled ? undefined : question.asked,
    ...(skill ? { skill } : {}),
    ...(names ? { parts: names } : {}),
  };
}

function targetsOf({ tools, access }: ChangePart) {
  const as = tools.map(partFacts);
  const removes = tools.at(-1)?.removes;
  return access.map((one) => ({ ...one, as, removes }));
}

function partFacts({ name, aliases }: ChangePart["tools"][number]): ToolFacts {
  return { name, aliases, effect: "change" };
}

function namesOf(parts: readonly ChangePart[]): readonly ToolFacts[] {
  const tools = parts.flatMap((part) => part.tools.map(partFacts));
  return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
}

/** A change that is a call of a tool which is not there is none. */
function findOff(
  host: Services,
  parts: readonly ChangePart[] = [],
  call: Call,
): { readonly name: string; readonly why: string } | undefined {
  const known = new Map<string, string | undefined>();
  for (const tool of parts.flatMap(({ tools }) => tools)) {
    const { name, isSection = false } = tool;
    const key = `${name} ${isSection}`;
    if (!known.has(key)) known.set(key, partLeftOut(partFacts(tool), call, host.config, isSection));
    const why = known.get(key);
    if (why !== undefined) return { name, why };
  }
  return undefined;
}

/** By the rules, the grants and the hooks. @param parts other tools whose hooks are asked */
export function decideCall(host: Services, question: Question, parts: readonly ToolFacts[] = []): Decision {
  return confirmByHook(host, [question.tool, ...parts], question.mode, decide(host, question));
}

/** Grants are only looked at when there is something to settle. */
function decide(host: Services, question: Question): Decision {
  const { rules, grants } = host.policy;
  const decision = evaluate(question, { rules, grants: [] });
  return decision.type === "ask" ? evaluate(question, { rules, grants: grants.rules() }) : decision;
}

function atLeast(host: Services, tool: Tool, input: unknown): Pick<Question, "atLeast" | "because"> {
  const { risk, owner } = tool;
  if (risk) return { atLeast: risk, because: owner && `nobody here knows what ${owner.name} does` };
  if (!EFFECTS[tool.effect].onlyReads || host.config.secrets.search_terms === "allow") return {};
  const pattern = (input as { pattern?: unknown }).pattern;
  if (typeof pattern !== "string" || !looksForSecrets(pattern)) return {};
  return { atLeast: "R4", because: "the search looks for secrets" };
}

function deniedPart({ name, why }: { name: string; why: string }, { risk }: Decision): Decision {
  return { type: "deny", reason: `${name} is off: ${why}`, source: "tools", rule: name, risk };
}

/** What nothing takes back is seen by a person whatever allows it. */
function alwaysAsked({ asked }: Tool, decision: Decision): Decision {
  if (asked !== "always" || decision.type === "deny") return decision;
  if (decision.type === "ask") return withoutSuggestion(decision);
  const reason = "it leaves this machine, which a person always sees first";
  return { type: "ask", reason, source: "tool", rule: "always", risk: decision.risk };
}

/** A host that the operator has not listed is not there, so nobody is asked about it. */
function outsideReach(pack: string, { risk }: Decision): Decision {
  const reason = `its host is not in the reach of ${pack}`;
  return { type: "deny", reason, source: "reach", rule: `packs.${pack}.network.reach`, risk };
}

/** @param reach of the pack of the tool; absent where that says nothing of the network */
export function placeReached(
  target: PlacedTarget,
  reach: ReachList | undefined,
): PlacedTarget & { isReached?: boolean } {
  if (!reach || (target.kind !== "url" && target.kind !== "host")) return target;
  const { host, port } = target.kind === "url" ? parseUrl(target.url) : target;
  return { ...target, isReached: reaches(reach, host, Number(port)) };
}

function denied({ by, why }: { by: string; why: string }, { risk }: Decision): Decision {
  return { type: "deny", reason: `the ${by} may not use it: ${why}`, source: "override", rule: by, risk };
}
