/**
 * Sizes for people, in SI units (1 kB = 1000 bytes), as file managers and `df -H` show them.
 *
 * Usual mistake: rounding 999 950 bytes to "1000.0 kB".
 */

export function formatBytes(count: number): string {
  if (count < 1000) return `${count} ${count === 1 ? "byte" : "bytes"}`;
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${UNITS[unit] ?? ""}`;
}

const UNITS = ["kB", "MB", "GB", "TB", "PB"] as const;
