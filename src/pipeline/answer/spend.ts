/**
 * The budget after a call: what it cost is counted, and every answer says under which id it is on record and what is left.
 */
import type { Outcome } from "../../mcp/index.ts";
import { EFFECTS } from "../../policy/index.ts";
import type { Call, CallRecord, Work } from "../call.ts";
import { workedMs } from "../record.ts";
import type { Services } from "../services.ts";
import { OBSERVATION_KEY, observe } from "./observe.ts";
import { linesOf } from "./standing-outcome.ts";

/** A call that is sent again with the answer of its person is still the same call. @throws Failure `over_budget` */
export function beginSpending(host: Services, { context }: Call): void {
  if (!context?.retry) host.policy.budget.begin();
}

/** @throws Failure `over_budget` when the answer is more than one call may give, and nothing stands that it tells of */
export function spend(host: Services, { record, tool }: Work, outcome: Outcome): void {
  const { budget } = host.policy;
  if (!budget.isSet) return;
  const spent = {
    bytes_out: Buffer.byteLength(outcome.members),
    // Only where somebody counts them, because the answer is read for it.
    lines: budget.countsLines ? linesOf(outcome.members) : 0,
    matches: outcome.matches ?? 0,
    wall_ms: workedMs(host, record),
  };
  budget.end(spent, outcome.stands ? "stands" : EFFECTS[tool.effect].onlyReads ? "read" : "made");
}

/** @param made what is known of a call that did not fail; a failure says by itself what it is about */
export function withRemaining(host: Services, call: Call, record: CallRecord, outcome: Outcome, made?: Work): Outcome {
  const { budget } = host.policy;
  const meta = {
    ...outcome.meta,
    "dev.ringfence/auditId": record.id,
    // What is read as a resource is no answer of a tool.
    ...(call.job ? {} : { [OBSERVATION_KEY]: observe(host, record, outcome, made) }),
  };
  return {
    ...outcome,
    meta: budget.isSet ? { ...meta, "dev.ringfence/budget": budget.remaining() } : meta,
  };
}
