/**
 * What a call would touch, how much it could cost, and whether it may: the policy's questions, asked with the host's
 * facts. A caller can narrow the mode for one call, never widen it.
 */
import { Failure } from "../base/index.ts";
import type { AnyTool } from "../contract/index.ts";
import { assessRisk, decide, narrowMode, type Decision } from "../policy/index.ts";
import type { Call } from "./call.ts";
import type { Host } from "./host.ts";

export interface Assessed {
  readonly decision: Decision;
  /** What the order of calls is kept by. */
  readonly paths: readonly string[] | "all";
  readonly changes: boolean;
}

export function assess(host: Host, tool: AnyTool, input: unknown, call: Call): Assessed {
  const mode = narrowMode(host.config.mode, call.meta["dev.ringfence/mode"]);
  if ("kind" in tool) {
    const changes = tool.tool.mutates ?? false;
    // Nobody but the tool knows what it touches.
    return { decision: decide(changes ? "R4" : "R1", mode), paths: changes ? "all" : [], changes };
  }
  const access = tool.access(input as never);
  const removes = tool.effect === "change" && tool.name === "delete";
  const risk = assessRisk({ effect: tool.effect, access, removes });
  const decision = tool.effect === "show" ? { ...decide("R1", mode), risk } : decide(risk, mode);
  // What a program reads nobody knows.
  const paths = tool.effect === "run" ? "all" : access.map(({ path }) => path);
  return { decision, paths, changes: tool.effect === "change" };
}

/** @throws Failure `denied` */
export function refuseDenied(call: Call, decision: Decision): void {
  if (decision.type === "deny") throw new Failure("denied", `Cannot call "${call.name}": ${decision.reason}`);
}
