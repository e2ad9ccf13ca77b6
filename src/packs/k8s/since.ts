/**
 * How far back logs go: `10m`, `1h30m`, `2d`, or a point in time (RFC 3339).
 */
const UNITS: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 };
const MAX_SECONDS: number = 3650 * 86_400;

export interface SinceQuery {
  readonly sinceSeconds?: number | undefined;
  readonly sinceTime?: string | undefined;
}

/** @returns the parameters of the API, `undefined` for a text that is neither */
export function parseSince(text: string): SinceQuery | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text))
    return Number.isNaN(Date.parse(text)) ? undefined : { sinceTime: text };
  if (!/^(?=.)(?:\d{1,5}d)?(?:\d{1,6}h)?(?:\d{1,8}m)?(?:\d{1,9}s)?$/.test(text)) return undefined;
  const seconds = [...text.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, digits, unit = "s"]) => sum + Number(digits) * (UNITS[unit] ?? 1),
    0,
  );
  return seconds > 0 && seconds <= MAX_SECONDS ? { sinceSeconds: seconds } : undefined;
}
