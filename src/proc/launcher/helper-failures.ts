/**
 * How calls of a helper fail on the host's side, in words for a model. The helper is named by its power.
 *
 * Invariant: nothing that the helper itself has written stands in one of these.
 */
import { Failure } from "../../base/index.ts";
import type { UpstreamEnd } from "../launcher-protocol.ts";

export function tooLarge(power: string, what: string): Failure {
  return new Failure("too_large", `Cannot use "${power}": ${what} is larger than its limit`, { hint: "Ask for less." });
}

export function malformed(power: string): Failure {
  return new Failure("command_failed", `Cannot use "${power}": its helper gave no answer in the right form`, {
    hint: "Call again; if it stays so, tell the person that its pack has to be mended.",
  });
}

export function busy(power: string, why: string): Failure {
  return new Failure("busy", `Cannot use "${power}": ${why}`);
}

/** @param end `undefined` where it is not known */
export function ended(power: string, end?: UpstreamEnd): Failure {
  return new Failure("command_failed", `Cannot finish the call: the helper of "${power}" ended${wordsOf(end)}`, {
    hint: "Call again: that starts a new one.",
    retry: "later",
  });
}

const STOPPED: Readonly<Record<NonNullable<UpstreamEnd["stopped_by"]>, string>> = {
  cancelled: "it was stopped",
  flood: "it was stopped, because it wrote too much or had too many processes",
  long_line: "it was stopped, because it wrote a line that is too long or closed its output",
  memory: "it was stopped, because it had too much memory",
  not_reading: "it was stopped, because it did not read what it was asked",
};

function wordsOf(end: UpstreamEnd | undefined): string {
  if (end?.stopped_by) return ` (${STOPPED[end.stopped_by]})`;
  if (end?.signal) return ` (${end.signal})`;
  return end?.exit_code ? ` (exit code ${end.exit_code})` : "";
}
