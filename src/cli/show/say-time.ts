/**
 * Times as a person at a terminal says them: how long ago while that is a few days, else the date and the hour on the wall.
 * What goes to a script keeps ISO 8601 in UTC.
 */

const MINUTE_MS = 60_000;
const HOUR_MS: number = 60 * MINUTE_MS;
const DAY_MS: number = 24 * HOUR_MS;
/** Older times are looked for by their date. */
const MOST_DAYS = 7;

/** @param iso ISO 8601; a text that is no time is given back */
export function sayTime(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const passed = now - at;
  if (Math.abs(passed) >= MOST_DAYS * DAY_MS) return sayLocalTime(iso).slice(0, "2026-11-23 14:05".length);
  const words = saySpan(Math.abs(passed));
  return passed >= 0 ? `${words} ago` : `in ${words}`;
}

/** `12 s`, `3 min`, `5 h`, `2 days`; rounded down, so that nothing is said to be older, or to last longer, than it does. */
export function saySpan(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} days`;
}

/** `2026-11-23 14:05:11.397`, in the time zone of this machine. */
export function sayLocalTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
  return `${date} ${time}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
