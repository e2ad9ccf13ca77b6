/**
 * A whole path against a pattern, name by name: `**` as a whole segment stands for any number of directories, every
 * other segment for exactly one name. A trailing `**` needs at least one name: `a/**` is not `a`.
 *
 * The state after a directory is a small bit set, so a walk pays only for the last name and knows which directories
 * cannot hold a match.
 */
import { compileSegment, type NameTest, type WildcardOptions } from "./wildcard.ts";

/** Bit n: the segments before n have matched. 0: nothing below can match. */
type PatternState = number;

export interface PathPattern {
  readonly start: PatternState;
  /** The state after one more name. */
  readonly step: (state: PatternState, name: string) => PatternState;
  readonly isMatch: (state: PatternState) => boolean;
  /** The test for a name after which nothing follows: whether it ends a match. */
  readonly lastName: (state: PatternState) => NameTest;
}

/** Bit operators keep so many bits of a number exact. */
export const MAX_SEGMENTS = 29;

/** `undefined` when a segment is malformed or there are too many: the pattern matches nothing. */
export function compilePath(pattern: string, options: WildcardOptions): PathPattern | undefined {
  const segments = pattern.split("/");
  if (segments.at(-1) === "**") segments.push("*");
  if (segments.length > MAX_SEGMENTS) return undefined;
  const tests: (NameTest | "**")[] = [];
  for (const segment of segments) {
    const test = segment === "**" ? "**" : compileSegment(segment, options);
    if (!test) return undefined;
    tests.push(test);
  }
  return {
    start: throughStars(tests, 1),
    step: (state, name) => stepPath(tests, state, name, options.dot),
    isMatch: (state) => (state & (1 << tests.length)) !== 0,
    lastName(state) {
      // The last segment is never `**`, so nothing else leads to the end.
      const last = tests.at(-1);
      return last !== undefined && last !== "**" && (state & (1 << (tests.length - 1))) !== 0 ? last : () => false;
    },
  };
}

/** Matches a whole path. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  let state = pattern.start;
  for (const name of path.split("/")) {
    state = pattern.step(state, name);
    if (state === 0) return false;
  }
  return pattern.isMatch(state);
}

function stepPath(tests: readonly (NameTest | "**")[], state: PatternState, name: string, dot: boolean): PatternState {
  let next = 0;
  for (let at = 0; at < tests.length; at++) {
    if ((state & (1 << at)) === 0) continue;
    const test = tests[at];
    if (test === "**") {
      if (dot || !name.startsWith(".")) next |= 1 << at;
    } else if (test?.(name)) next |= 1 << (at + 1);
  }
  return next === 0 ? 0 : throughStars(tests, next);
}

/** `**` may also stand for no directory at all. */
function throughStars(tests: readonly (NameTest | "**")[], state: PatternState): PatternState {
  let through = state;
  for (let at = 0; at < tests.length; at++)
    if ((through & (1 << at)) !== 0 && tests[at] === "**") through |= 1 << (at + 1);
  return through;
}
