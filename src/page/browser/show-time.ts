/**
 * Times as a person says them: how long ago, how long still, and when by the clock on the wall.
 */
const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

export function ago(iso: string): string {
  return `${ageInWords(Date.now() - Date.parse(iso))} ago`;
}

export function ahead(iso: string): string {
  const left = Date.parse(iso) - Date.now();
  return left <= 0 ? "expired" : `expires in ${ageInWords(left)}`;
}

export function localTime(iso: string): string {
  return new Date(iso).toLocaleString();
}

export function ageInWords(ms: number): string {
  const [unit, name] = UNITS.find(([one]) => ms >= one) ?? [1000, "s"];
  return `${Math.max(0, Math.floor(ms / unit))} ${name}`;
}
