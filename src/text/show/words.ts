/**
 * Numbers, lists and commands in the words of a sentence for people.
 *
 * Usual mistakes: rounding 999 950 bytes to "1000.0 kB"; a path in a command that becomes a second command when it is copied.
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

/** @param what what is counted and what is done with it, as `bytes hashed`; anything else is the words of its author */
export function sayProgress(done: number, total: number | undefined, what: string): string {
  const [unit = "", ...rest] = what.split(" ");
  if (unit === "bytes") return [sayBytes(done, total), ...rest].join(" ");
  if (unit === "entries") return [done === 1 ? "1 entry" : `${withCommas(done)} entries`, ...rest].join(" ");
  return what || [done, total].filter((one) => one !== undefined).join(" of ");
}

function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function sayBytes(done: number, total: number | undefined): string {
  if (total === undefined) return short(done);
  const [all, some] = [short(total), short(done)];
  const unit = all.slice(all.indexOf(" "));
  return `${some.endsWith(unit) ? some.slice(0, -unit.length) : some} of ${all}`;
}

function short(bytes: number): string {
  return formatBytes(bytes).replace(".0 ", " ");
}

export function joinWords(words: readonly string[]): string {
  const first = words.slice(0, -1).join(", ");
  const last = words.at(-1) ?? "";
  return first === "" ? last : `${first} and ${last}`;
}

/** @param stateDir that of the process that says this: no other has its proposals and grants */
export function terminalCommand(words: readonly string[], stateDir: string): string {
  return ["ringfence", ...words, "--state-dir", stateDir].map(wordOf).join(" ");
}

function wordOf(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
