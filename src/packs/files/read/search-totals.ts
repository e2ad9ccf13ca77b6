/**
 * What a search saw and left out, in words: "0 matches" is only an answer together with what was not looked at.
 */
import type { countsOf } from "../../../contract/index.ts";
import { count } from "../../../text/index.ts";

interface Totalled {
  readonly truncated: boolean;
  readonly totals: object;
  readonly stopped_by?: "timed_out" | "cancelled" | undefined;
  readonly tree_changed?: true | undefined;
}

/** Totals that are worth a word when they are not zero, in the order they are said. */
const WORDS: readonly (readonly [string, string])[] = [
  ["ignored", "ignored"],
  ["hidden", "hidden"],
  ["binary", "binary"],
  ["too_large", "too large"],
  ["unreadable", "unreadable"],
  ["denied", "denied"],
  ["special", "not regular files"],
];

const TREE_CHANGED =
  "the tree changed since the page before: to see all as it is now, leave out cursor and start again";

export function describeTotals(answer: Totalled): string[] {
  const totals = answer.totals as Readonly<Record<string, unknown>>;
  const least = totals["at_least"] === true ? "at least " : "";
  const number = (name: string): number | undefined => (typeof totals[name] === "number" ? totals[name] : undefined);
  const matches = number("matches");
  const searched = number("files_searched") ?? number("files");
  const head = [
    matches === undefined ? "" : `${least}${count(matches, "match", "matches")}`,
    searched === undefined ? "" : `${matches === undefined ? least : ""}${count(searched, "file")} looked at`,
  ].filter((part) => part !== "");
  return [
    head.join(" in "),
    describeSkipped(answer.totals),
    notUtf8(number("invalid_utf8") ?? 0),
    answer.stopped_by === "timed_out" ? "the time limit was reached, so this is not all" : "",
    answer.truncated && answer.stopped_by === undefined ? "cut at the limit" : "",
    answer.tree_changed ? TREE_CHANGED : "",
  ];
}

/** The engine takes such a byte for a sign of its own; see docs/tools.md. */
function notUtf8(files: number): string {
  return files === 0 ? "" : `${count(files, "file")} not UTF-8 in part`;
}

/** `20 entries shown of at least 113`, for an answer that was cut. */
export function describeShown(
  { matched, returned, at_least }: ReturnType<typeof countsOf>,
  one: string,
  many: string,
): string {
  return `${count(returned, one, many)} shown of ${at_least ? "at least " : ""}${matched}`;
}

/** `skipped: 3 hidden, 1 denied`; "" when nothing was. */
export function describeSkipped(given: object): string {
  const totals = given as Readonly<Record<string, unknown>>;
  const skipped = WORDS.flatMap(([name, word]) => {
    const n = totals[name];
    return typeof n === "number" && n > 0 ? [`${n} ${word}`] : [];
  });
  return skipped.length > 0 ? `skipped: ${skipped.join(", ")}${rules(totals)}` : "";
}

function rules(totals: Readonly<Record<string, unknown>>): string {
  const by = totals["ignored_by"] ?? totals["ignoredBy"];
  if (!Array.isArray(by) || by.length === 0) return "";
  const named = (by as { rule: string; count: number }[]).slice(0, 3).map(({ rule, count: n }) => `${rule}: ${n}`);
  return ` (${named.join(", ")})`;
}
