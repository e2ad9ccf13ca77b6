/**
 * How large one answer of a tool that pages may become. What a caller did not ask to be larger stays so small that agents
 * show it to their models whole; a `limit` in the call asks for more.
 */
import { DEFAULT_ANSWER_BYTES, MAX_READ_BYTES } from "./limits.ts";

export interface AnswerBounds {
  /** Bytes of text for a call that names no limit. */
  readonly usualBytes: number;
  /** Bytes of text, whatever the call asks for. */
  readonly mostBytes: number;
  /** Lines, paths or counts of a search, whatever the call asks for. Absent: as many as the tool allows. */
  readonly mostResults?: number | undefined;
}

export const ANSWER_BOUNDS: AnswerBounds = { usualBytes: DEFAULT_ANSWER_BYTES, mostBytes: MAX_READ_BYTES };

/** @param limit what the call asked for */
export function answerBytes(
  { usualBytes, mostBytes }: AnswerBounds = ANSWER_BOUNDS,
  limit: number | undefined,
): number {
  return limit === undefined ? Math.min(usualBytes, mostBytes) : mostBytes;
}
