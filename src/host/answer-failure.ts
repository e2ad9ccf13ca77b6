/**
 * Whatever was thrown on the way, as an answer: expected failures with their code and hint, bugs with an id whose cause
 * is on stderr. What belongs to the protocol itself passes through.
 */
import { toFailure, reportBug } from "../base/index.ts";
import { failureOutcome, InputRequired, type Outcome } from "../mcp/index.ts";
import { RpcError } from "../wire/index.ts";
import type { Assessed, Call, CallRecord } from "./call.ts";
import type { Services } from "./services.ts";
import { recordFailure, workedMs } from "./record.ts";
import { tellHooks } from "./run-hooks.ts";
import { withStaleDiff } from "./stale-diff.ts";
import { withRemaining } from "./spend.ts";

export async function answerFailure(
  host: Services,
  call: Call,
  record: CallRecord,
  assessed: Assessed | undefined,
  thrown: unknown,
): Promise<Outcome> {
  if (thrown instanceof RpcError || thrown instanceof InputRequired) throw thrown;
  const failure = toFailure(thrown, () => reportBug(thrown));
  recordFailure(host, call, record, assessed, failure.data);
  if (assessed)
    tellHooks(host, assessed, call, { status: "failed", ms: workedMs(host, record), code: failure.code });
  const data = failure.code === "stale" ? await withStaleDiff(host, call, failure.data) : failure.data;
  return withRemaining(host, record, failureOutcome(data));
}
