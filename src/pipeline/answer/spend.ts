/**
 * The budget after a call: what it cost is counted, and every answer says under which id it is on record and what is left.
 */
import type { Outcome } from "../../mcp/index.ts";
import type { Call, CallRecord } from "../call.ts";
import { workedMs } from "../record.ts";
import type { Services } from "../services.ts";

/** A call that is sent again with the answer of its person is still the same call. @throws Failure `over_budget` */
export function beginSpending(host: Services, { context }: Call): void {
  if (!context?.retry) host.policy.budget.begin();
}

/** @throws Failure `over_budget` when the answer is more than one call may give */
export function spend(host: Services, record: CallRecord, outcome: Outcome): void {
  const { budget } = host.policy;
  if (!budget.isSet) return;
  budget.end({
    bytes_out: Buffer.byteLength(outcome.members),
    matches: outcome.matches ?? 0,
    wall_ms: workedMs(host, record),
  });
}

export function withRemaining(host: Services, { id }: CallRecord, outcome: Outcome): Outcome {
  const { budget } = host.policy;
  const meta = { ...outcome.meta, "dev.ringfence/auditId": id };
  return {
    ...outcome,
    meta: budget.isSet ? { ...meta, "dev.ringfence/budget": budget.remaining() } : meta,
  };
}
