/**
 * Matchers of the last searches: the parts and the pages of a search come one after the other and ask for the same one,
 * and the engine never gives back all that a pattern took. Searches that take turns may hold more of them at once.
 */
import { createLinearMatcher } from "./create-matcher.ts";
import type { Matcher, MatcherOptions } from "./matcher.ts";

const MAX_KEPT = 4;

interface Kept {
  readonly key: string;
  readonly matcher: Matcher;
  users: number;
}

/** The last used stand last. */
const kept = new Map<string, Kept>();

/** To be disposed of when the search is over; the matcher itself is kept. */
export interface KeptMatcher extends Disposable {
  readonly matcher: Matcher;
}

/** `undefined`: no linear engine does. @throws Failure as `createLinearMatcher` */
export async function keptMatcher(options: MatcherOptions): Promise<KeptMatcher | undefined> {
  const { pattern, literal, case: sense, word, line, multiline, dotall, engine } = options;
  const key = JSON.stringify([pattern, literal, sense, word, line, multiline, dotall, engine]);
  const one = kept.get(key) ?? (await newlyKept(key, options));
  if (!one) return undefined;
  one.users++;
  kept.delete(key);
  kept.set(key, one);
  dropUnused();
  return {
    matcher: one.matcher,
    [Symbol.dispose]() {
      one.users--;
      dropUnused();
    },
  };
}

async function newlyKept(key: string, options: MatcherOptions): Promise<Kept | undefined> {
  const matcher = await createLinearMatcher(options);
  return matcher && { key, matcher, users: 0 };
}

function dropUnused(): void {
  for (const { key, matcher, users } of kept.values()) {
    if (kept.size <= MAX_KEPT) return;
    if (users > 0) continue;
    kept.delete(key);
    matcher[Symbol.dispose]();
  }
}
