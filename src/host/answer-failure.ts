/**
 * Whatever was thrown on the way, as an answer: expected failures with their code and hint, bugs with an id whose cause
 * is on stderr. What belongs to the protocol itself passes through.
 */
import { toFailure } from "../base/index.ts";
import { failureOutcome, InputRequired, type Outcome } from "../mcp/index.ts";
import { RpcError } from "../wire/index.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import { reportBug, type Host } from "./host.ts";
import { recordFailure } from "./record.ts";

export function answerFailure(
  host: Host,
  call: Call,
  assessed: Assessed | undefined,
  thrown: unknown,
): Outcome {
  if (thrown instanceof RpcError || thrown instanceof InputRequired) throw thrown;
  const failure = toFailure(thrown, () => reportBug(thrown));
  recordFailure(host, call, assessed, failure.data);
  return failureOutcome(failure.data);
}
