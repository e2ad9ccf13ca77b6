/**
 * How a server ended, in words for a model and for people.
 */
import { Failure, limits } from "../base/index.ts";
import { readableText } from "../contract/index.ts";
import type { UpstreamEnd } from "../proc/index.ts";

const ENDED_BY: Readonly<Record<NonNullable<UpstreamEnd["stopped_by"]>, string>> = {
  cancelled: "it did not answer, and was ended",
  flood: "it wrote more than anybody reads, and was ended",
  long_line: `it closed its output, or wrote a line of more than ${limits.MAX_UPSTREAM_LINE_BYTES} bytes, and was ended`,
  not_reading: "it did not read what was sent to it, and was ended",
};

const LAST_LINES = 3;

export function describeEnd(end: UpstreamEnd | Failure): string {
  if (end instanceof Failure) return end.message;
  const { stopped_by, exit_code, signal, errors } = end;
  const how = stopped_by ? ENDED_BY[stopped_by] : `it ended with ${signal ?? `exit code ${exit_code}`}`;
  const last = errors
    .split("\n")
    .map((line) => oneLine(line))
    .filter((line) => line !== "")
    .slice(-LAST_LINES)
    .join(" | ");
  return last === "" ? how : `${how}; its last words: ${last}`;
}

/** Of a server, bounded and without what cannot be seen. */
export function oneLine(text: unknown): string {
  return readableText(text, 300).replaceAll("\n", " ");
}
