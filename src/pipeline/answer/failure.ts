/**
 * Whatever was thrown on the way, as an answer: expected failures with their code and hint, bugs with an id whose cause is on
 * stderr. What belongs to the protocol itself passes through. A `stale` failure shows what has changed since the caller read
 * the file, while what it read is still known here: the text that it was shown against the text that it would be shown now,
 * both with the same placeholders for secrets.
 */
import { limits, reportBug, toFailure, type FailureData } from "../../base/index.ts";
import { InputRequired, failureOutcome, type Outcome } from "../../mcp/index.ts";
import { unifiedDiff } from "../../text/index.ts";
import { RpcError } from "../../wire/index.ts";
import type { Assessed, Call, CallRecord } from "../call.ts";
import { tellHooks } from "../decide/hooks.ts";
import { readJob } from "../jobs.ts";
import { recordFailure, workedMs } from "../record.ts";
import type { Services } from "../services.ts";
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
  if (assessed) tellHooks(host, assessed, call, { status: "failed", ms: workedMs(host, record), code: failure.code });
  const data = failure.code === "stale" ? await withStaleDiff(host, call, failure.data) : failure.data;
  return withRemaining(host, call, record, failureOutcome(data));
}

export async function withStaleDiff(host: Services, call: Call, data: FailureData): Promise<FailureData> {
  const path = pathOf(call, data);
  const before = path !== undefined ? host.policy.baselines.answersOf(path) : undefined;
  if (path === undefined || before === undefined || data.details?.["diff"] !== undefined) return data;
  try {
    const input = { path, limit: ALL_LINES };
    const { text } = await readJob(host, "tool:read_file", input, { signal: call.signal });
    const { text: diff } = unifiedDiff(before.map(textOf).join(""), textOf(text), {
      path,
      maxBytes: limits.MAX_DIFF_BYTES,
    });
    if (diff === "") return data;
    const hint = `${data.hint}\nSince you read it:\n${diff}`;
    return { ...data, hint, details: { ...data.details, diff } };
  } catch {
    // The failure itself is the answer; what changed is only said when it can be.
    return data;
  }
}

/** What is known may have been read by a number of lines; both must be as long as they can be. */
const ALL_LINES = 1_000_000_000;

function pathOf(call: Call, { details }: FailureData): string | undefined {
  const named: unknown = details?.["path"] ?? (call.arguments as { path?: unknown } | undefined)?.path;
  return typeof named === "string" ? named : undefined;
}

/** The text in the members of a `read_file` answer. */
function textOf(members: string): string {
  const { content } = JSON.parse(`{${members}}`) as { content: readonly { readonly text?: string }[] };
  return content.findLast(({ text }) => text !== undefined)?.text ?? "";
}
