/**
 * A call as a person reads it: `edit_file(notes/a.txt)`. All that is compared is named, so that nobody allows what they were
 * not shown; the root only where there is more than one.
 */
import { isExactText, parseExact, placeOf, type Act, type ExactCall } from "./exact-call.ts";

/** A rule in words: the point of it for a glance, and all of it. */
export interface RuleWords {
  readonly tool: string;
  /** The paths, or the command line. */
  readonly what: string;
  /** More is compared than that: options, a directory. */
  readonly more: boolean;
  readonly whole: string;
}

/** @param roots of the host. Any other rule as it stands */
export function describeRule(text: string, roots: readonly string[]): RuleWords {
  const exact = isExactText(text) ? parseExact(text) : text;
  return typeof exact === "string"
    ? { tool: text, what: "", more: false, whole: text }
    : describeExact(exact, roots);
}

function describeExact({ tool, call, change }: ExactCall, roots: readonly string[]): RuleWords {
  const acts = call?.acts ?? change?.acts ?? [];
  const line = acts.find(([kind]) => kind === "line");
  const rest = acts.filter((act) => act !== line);
  const said = (of: readonly Act[]): string[] => of.flatMap((act) => wordsOf(act, roots) ?? []);
  const places = said(rest.filter((act) => placeOf(act) !== undefined));
  const whole = line
    ? `${tool}(${String(line[1])})${said(rest)
        .map((one) => ` ${one}`)
        .join("")}`
    : `${tool}(${said(rest).join(", ")})`;
  return {
    tool,
    what: line ? String(line[1]) : places.join(", "),
    more: rest.length > (line ? 0 : places.length),
    whole,
  };
}

function wordsOf(act: Act, roots: readonly string[]): string | undefined {
  const place = placeOf(act);
  if (place) {
    const rel = place.rel === "" ? "." : place.rel;
    const path = roots.length > 1 ? `${place.root}/${rel}` : rel;
    return place.deep ? (place.rel === "" && roots.length <= 1 ? "**" : `${path}/**`) : path;
  }
  const [kind, ...rest] = act;
  return kind === "cwd" ? `in ${rest.join(" ")}` : `${String(kind)} ${rest.map(String).join(" ")}`;
}
