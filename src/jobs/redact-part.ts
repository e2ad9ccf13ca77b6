/**
 * A part of a text with its secrets replaced, also one that a border of the part cuts in two: the part is looked at
 * together with what stands around it, and what stands around it is taken away again.
 */
import type { Redactor } from "../policy/index.ts";

/** Longer than any token that is known by its form. */
export const AROUND_BYTES = 16_384;

export function redactPart(redact: Redactor, before: string, part: string, after: string): string {
  const whole = redact(before + part + after).text;
  const lead = commonLength(whole, redact(before).text, (text, at) => text[at]);
  const rest = whole.slice(lead);
  const tail = commonLength(rest, redact(after).text, (text, at) => text[text.length - 1 - at]);
  return rest.slice(0, rest.length - tail);
}

function commonLength(
  a: string,
  b: string,
  signAt: (text: string, at: number) => string | undefined,
): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && signAt(a, at) === signAt(b, at)) at++;
  return at;
}
