/**
 * What goes on record about a call: who asked for what, the decision and its rule, how it ended. Arguments are not
 * copied, only their paths; contents never are.
 */
import type { FailureData } from "../base/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import type { Host } from "./host.ts";

/** One path on record; the rest is cut. */
const MAX_PATH_CHARS = 500;

export function recordDecision(host: Host, call: Call, { decision, paths }: Assessed): void {
  const shown = paths === "all" ? paths : paths.slice(0, 20).map((path) => path.slice(0, MAX_PATH_CHARS));
  host.audit.record("call", {
    request: call.request,
    tool: call.name.slice(0, 100),
    paths: shown,
    decision: decision.type,
    rule: `${decision.source}:${decision.rule}`,
    risk: decision.risk,
  });
}

export function recordEnd(host: Host, call: Call, outcome: Outcome): void {
  host.audit.record("done", { request: call.request, bytes: outcome.members.length });
}

export function recordFailure(host: Host, call: Call, data: FailureData): void {
  host.audit.record("failed", { request: call.request, tool: call.name.slice(0, 100), code: data.code });
}
