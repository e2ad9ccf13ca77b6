/**
 * Reads a line that starts with `@@`: the numbers of a unified diff, the context line of the other format, or what
 * models make of the two. Numbers are only a hint, so half a pair is taken as well.
 */

export interface HunkHeader {
  /** 1-based line where the old lines begin, or before which to insert when there are none. */
  readonly startLine?: number;
  readonly oldCount?: number;
  readonly newCount?: number;
  readonly anchor?: string;
}

export function parseHunkHeader(line: string): HunkHeader {
  const body = line.slice(2).trim();
  const ranges = RANGES.exec(body);
  if (ranges) {
    const [, start, oldCount, , newCount] = ranges;
    const anchor = (ranges[5] ?? "").trim();
    const before = oldCount === "0" ? 1 : 0;
    return {
      startLine: Math.max(1, Number(start) + before),
      oldCount: Number(oldCount ?? 1),
      newCount: Number(newCount ?? 1),
      ...(anchor === "" ? {} : { anchor }),
    };
  }
  const text = body.endsWith("@@") ? body.slice(0, -2).trim() : body;
  const loose = LOOSE_NUMBER.exec(text);
  if (loose) return { startLine: Math.max(1, Number(loose[1])) };
  return /^(?:\.{3,}|…)?$/.test(text) ? {} : { anchor: text };
}

const RANGES = /^-(\d{1,9})(?:,(\d{1,9}))? +\+(\d{1,9})(?:,(\d{1,9}))? *@@(.*)$/;
/** `12`, `line 12`, `-12,3`, `-12,3 +12`: what is left of a header that a model wrote from memory. */
const LOOSE_NUMBER = /^(?:lines? )?[-+]?(\d{1,9})(?: ?[,-] ?\d{1,9})?(?: +\+?\d{1,9}(?:,\d{1,9})?)?$/i;
