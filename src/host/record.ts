/**
 * What goes on record about a call: who asked for what, the decision and its rule, how it ended. Arguments are not
 * copied, only their paths; contents never are.
 *
 * A change is on record before it happens, and again when it is done. A read leaves one line, at its end.
 */
import type { FailureData } from "../base/index.ts";
import { traceOf, type Outcome } from "../mcp/index.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import type { Host } from "./host.ts";

/** One path on record, and the paths of one call; the rest is cut. */
const MAX_PATH_CHARS = 500;
const MAX_PATHS = 20;
/** The name that log messages to the client carry. */
const LOGGER = "ringfence.calls";

export function recordDecision(host: Host, call: Call, assessed: Assessed): void {
  if (assessed.changes) host.audit.record("call", describe(call, assessed));
}

export function recordEnd(host: Host, call: Call, assessed: Assessed, outcome: Outcome): void {
  const ended = assessed.changes ? { request: call.request } : describe(call, assessed);
  host.audit.record("done", { ...ended, chars: outcome.members.length });
  call.context?.log(
    assessed.changes ? "info" : "debug",
    { tool: call.name.slice(0, 100), done: true },
    LOGGER,
  );
}

export function recordFailure(
  host: Host,
  call: Call,
  assessed: Assessed | undefined,
  data: FailureData,
): void {
  const asked =
    assessed && !assessed.changes
      ? describe(call, assessed)
      : { request: call.request, tool: call.name.slice(0, 100) };
  host.audit.record("failed", { ...asked, code: data.code });
  const level = data.code === "internal" ? "error" : "info";
  call.context?.log(level, { tool: call.name.slice(0, 100), failed: data.code }, LOGGER);
}

function describe(call: Call, { decision, paths }: Assessed): Readonly<Record<string, unknown>> {
  const shown =
    paths === "all" ? paths : paths.slice(0, MAX_PATHS).map((path) => path.slice(0, MAX_PATH_CHARS));
  const { type, source, rule, risk } = decision;
  return {
    request: call.request,
    tool: call.name.slice(0, 100),
    paths: shown,
    decision: type,
    rule: `${source}:${rule}`,
    risk,
    // The caller's, so that the record can be laid beside its own.
    trace: traceOf(call.meta),
  };
}
