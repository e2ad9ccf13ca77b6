/**
 * A call as a person reads it: `edit_file(notes/a.txt)`. All that is compared is named, so that nobody allows what they were
 * not shown; the root only where there is more than one.
 */
import { isExactText, parseExact, placeOf, type Act, type ExactCall } from "./exact-call.ts";

/** @param roots of the host. Any other rule as it stands */
export function describeRule(text: string, roots: readonly string[]): string {
  const exact = isExactText(text) ? parseExact(text) : text;
  return typeof exact === "string" ? text : describeExact(exact, roots);
}

function describeExact({ tool, call, change }: ExactCall, roots: readonly string[]): string {
  const acts = call?.acts ?? change?.acts ?? [];
  const line = acts.find(([kind]) => kind === "line");
  const said = acts.flatMap((act) => (act === line ? [] : (wordsOf(act, roots) ?? [])));
  const what = line ? String(line[1]) : said.join(", ");
  const around = line ? said.map((one) => ` ${one}`).join("") : "";
  return `${tool}(${what})${around}`;
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
