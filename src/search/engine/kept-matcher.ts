/**
 * Matchers of the last searches: the parts and the pages of a search come one after the other and ask for the same one,
 * and the engine never gives back all that a pattern took.
 */
import { createLinearMatcher } from "./create-matcher.ts";
import type { Matcher, MatcherOptions } from "./matcher.ts";

const MAX_KEPT = 4;
/** The last used stand last. */
const kept = new Map<string, Matcher>();

/** Not the caller's to dispose of. `undefined`: no linear engine does. @throws Failure as `createLinearMatcher` */
export async function keptMatcher(options: MatcherOptions): Promise<Matcher | undefined> {
  const { pattern, literal, case: sense, word, line, multiline, dotall, engine } = options;
  const key = JSON.stringify([pattern, literal, sense, word, line, multiline, dotall, engine]);
  const matcher = kept.get(key) ?? (await createLinearMatcher(options));
  if (!matcher) return undefined;
  kept.delete(key);
  kept.set(key, matcher);
  const [oldest] = kept;
  if (kept.size > MAX_KEPT && oldest) {
    kept.delete(oldest[0]);
    // Not at once: a search that was begun in the same tick may be about to use it.
    setTimeout(() => oldest[1][Symbol.dispose](), 0);
  }
  return matcher;
}
