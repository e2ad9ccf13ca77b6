/**
 * The failure of a call that the policy denies. It names what the rule or the reach is about, so that the model knows what to
 * leave alone; in the caller's own words, which tell nothing that the caller does not know.
 *
 * Usual mistake: to name where a link leads, or what lies below a directory: that is what such a rule may hide.
 */
import { Failure } from "../../base/index.ts";
import { canonicalSubject, evaluate, isPath, type PlacedTarget, type Target } from "../../policy/index.ts";
import { placeTarget } from "../../session/index.ts";
import { escapeLine } from "../../text/index.ts";
import type { Work } from "../call.ts";
import type { Services } from "../services.ts";
import { lineOf } from "./assess-run.ts";
import { placeReached } from "./assess.ts";

/** A command line may be as long as a script. */
const MAX_CHARS = 200;

export function deniedCall(host: Services, work: Work): Failure {
  const { call, decision } = work;
  const details = { decision };
  if (decision.source === "reach") return outsideReach(host, work);
  const found = targetOfRule(host, work) ?? startedLine(work);
  const what = found === undefined ? `call "${call.name}"` : named(found);
  return new Failure("denied", `Cannot ${what}: ${decision.reason}`, { details });
}

function outsideReach(host: Services, { call, tool, targets, decision }: Work): Failure {
  const reach = host.packs.networkOf(tool)?.reach;
  const placed =
    targets === "all" ? [] : targets.map((one) => placeReached(placeTarget(one, host.policy.place), reach));
  const outside = placed.find((one) => one.isReached === false);
  const what = outside === undefined ? `call "${call.name}"` : named(outside);
  return new Failure("denied", `Cannot ${what}: ${decision.reason}`, {
    hint: "system_info names the hosts that are.",
    details: { decision },
  });
}

/** @returns `undefined` where no single target is denied by that rule alone: a hook, a guard, or a rule about the tool */
function targetOfRule(host: Services, { facts, parts = [], targets, mode, decision }: Work): PlacedTarget | undefined {
  if (targets === "all") return undefined;
  const { rules } = host.policy;
  return targets
    .map((one) => placeTarget(one, host.policy.place))
    .find((target) =>
      [facts, ...parts].some((tool) => {
        const { type, rule, source } = evaluate(
          { tool, targets: [target], removes: false, mode },
          { rules, grants: [] },
        );
        return type === "deny" && rule === decision.rule && source === decision.source;
      }),
    );
}

/** A command line is read by the policy when it is decided, and is no target of the tool. */
function startedLine({ tool, input, decision }: Work): Target | undefined {
  const started = decision.source === "rules" ? tool.starts?.(input as never) : undefined;
  return started && { kind: "command", line: lineOf(started.request) };
}

function named(target: Target): string {
  if (target.kind === "command") return `run "${shown(target.line)}"`;
  if (target.kind === "url" || target.kind === "host") return `reach "${shown(canonicalSubject(target))}"`;
  const name = isPath(target) ? target.path : canonicalSubject(target);
  return `${VERBS[target.mode]} "${shown(name)}"`;
}

const VERBS = { metadata: "look at", read: "read", write: "write", remove: "delete" } as const;

function shown(text: string): string {
  const line = escapeLine(text);
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}...` : line;
}
