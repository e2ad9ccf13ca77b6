/**
 * A time in UTC or its beginning, as people give it for a range: `2026-11-21`, `2026-11-21T09:30`. Times of the record are compared
 * as text, so it is one of their beginnings.
 */

/** The missing end of what is given. */
const REST = "0000-01-01T00:00:00.000";

/** @returns `undefined` for what is no time, as the 31st of February */
export function readTime(text: string): string | undefined {
  if (!/^\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]*Z?)?)?)?$/.test(text)) return undefined;
  const given = text.replace("Z", "");
  const whole = `${given.slice(0, REST.length)}${REST.slice(given.length)}Z`;
  const at = new Date(whole);
  return !Number.isNaN(at.getTime()) && at.toISOString() === whole ? given : undefined;
}
