/**
 * How long something waits, in one short word: `12s`, `3m`, `5h`, `2d`. Always rounded down, so that nothing is said to be older
 * than it is.
 */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 60 * 60) return `${Math.floor(seconds / 60)}m`;
  const hours = Math.floor(seconds / (60 * 60));
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
