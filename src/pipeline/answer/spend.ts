/**
 * The budget after a call: what it cost is counted, and every answer says under which id it is on record and what is left.
 */
import type { Outcome } from "../../mcp/index.ts";
import { countLines } from "../../text/index.ts";
import type { Call, CallRecord, Work } from "../call.ts";
import { workedMs } from "../record.ts";
import type { Services } from "../services.ts";
import { OBSERVATION_KEY, observe } from "./observe.ts";

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
    lines: budget.countsLines ? linesOf(outcome) : 0,
    matches: outcome.matches ?? 0,
    wall_ms: workedMs(host, record),
  });
}

/** Only where somebody counts them, because the answer is read for it. */
function linesOf({ members }: Outcome): number {
  const { content } = JSON.parse(`{${members}}`) as { content?: readonly { readonly text?: string }[] };
  return countLines(content?.findLast(({ text }) => text !== undefined)?.text ?? "");
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
