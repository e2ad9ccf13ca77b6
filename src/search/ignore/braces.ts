/**
 * `{a,b}`, `{1..3}`, `{01..10}` and `{a..e}` written out, nested too. `{a}` is `a`, as in ripgrep. Braces in `[...]` or
 * after a backslash are plain characters, and so is a `{` that is never closed.
 */

/** Patterns that one pattern may become. */
export const MAX_EXPANSIONS = 1000;

/** `undefined` when there would be more than `MAX_EXPANSIONS`. */
export function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  let open = [{ head: "", rest: pattern }];
  while (open.length > 0) {
    const next: typeof open = [];
    for (const { head, rest } of open) {
      const group = firstGroup(rest);
      if (!group) done.push(head + rest);
      else
        for (const choice of group.choices)
          next.push({ head: head + rest.slice(0, group.start), rest: choice + rest.slice(group.end) });
      if (done.length + next.length > MAX_EXPANSIONS) return undefined;
    }
    open = next;
  }
  return done;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

function firstGroup(text: string): Group | undefined {
  for (let at = 0; at < text.length; at = afterCharacter(text, at)) {
    if (text[at] !== "{") continue;
    const cuts = cutsOf(text, at);
    if (!cuts) continue;
    const parts = cuts.slice(1).map((cut, index) => text.slice((cuts[index] ?? 0) + 1, cut));
    const end = (cuts.at(-1) ?? at) + 1;
    return { start: at, end, choices: (parts.length === 1 && rangeOf(parts[0] ?? "")) || parts };
  }
  return undefined;
}

/** Positions of the `{`, of its own commas, and of its `}`. */
function cutsOf(text: string, open: number): number[] | undefined {
  const cuts = [open];
  let depth = 0;
  for (let at = open + 1; at < text.length; at = afterCharacter(text, at)) {
    const sign = text[at];
    if (sign === "{") depth++;
    else if (sign === "," && depth === 0) cuts.push(at);
    else if (sign === "}" && depth-- === 0) return [...cuts, at];
  }
  return undefined;
}

function afterCharacter(text: string, at: number): number {
  if (text[at] === "\\") return at + 2;
  if (text[at] !== "[") return at + 1;
  const first = text[at + 1] === "!" || text[at + 1] === "^" ? at + 2 : at + 1;
  const close = text.indexOf("]", first + 1);
  return close < 0 || text.slice(at, close).includes("/") ? at + 1 : close + 1;
}

function rangeOf(text: string): string[] | undefined {
  const numbers = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(text);
  if (numbers) {
    const [, from = "", to = ""] = numbers;
    const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
    return count(Number(from), Number(to)).map((value) => String(value).padStart(width, "0"));
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text);
  if (!letters) return undefined;
  return count(letters[1]?.charCodeAt(0) ?? 0, letters[2]?.charCodeAt(0) ?? 0).map((code) =>
    String.fromCharCode(code),
  );
}

/** One more than allowed is enough for the caller to refuse. */
function count(from: number, to: number): number[] {
  const length = Math.min(Math.abs(to - from) + 1, MAX_EXPANSIONS + 1);
  return Array.from({ length }, (_, index) => (from <= to ? from + index : from - index));
}
