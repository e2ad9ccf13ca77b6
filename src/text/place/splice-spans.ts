/**
 * Puts new texts in the place of spans. Everything else keeps its bytes.
 */

/** Bytes of a text as UTF-8, and what comes in their place. */
export type TextSpan = readonly [start: number, end: number, text: string];

/** @param ascending spans in order and apart, that begin and end between characters */
export function spliceSpans(text: Buffer, ascending: readonly TextSpan[]): string {
  const parts: Buffer[] = [];
  let kept = 0;
  for (const [start, end, added] of ascending) {
    parts.push(text.subarray(kept, start), Buffer.from(added, "utf8"));
    kept = end;
  }
  parts.push(text.subarray(kept));
  return Buffer.concat(parts).toString("utf8");
}
