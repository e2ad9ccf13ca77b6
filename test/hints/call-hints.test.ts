/**
 * Every hint that names a call or an argument does what it says: a call is told it, obeys, and gets what was promised.
 */
import { describe, test } from "bun:test";
import { obey, type CallHint } from "./call-hint.ts";
import { CHANGE_HINTS } from "./change-hints.ts";
import { READ_HINTS } from "./read-hints.ts";
import { SEARCH_HINTS } from "./search-hints.ts";

const titled = (hints: readonly CallHint[]): [string, CallHint][] =>
  hints.map((hint, index) => [`${index}: ${hint.says}`, hint]);

describe.each([
  ["a change", CHANGE_HINTS],
  ["a call that reads", READ_HINTS],
  ["a search", SEARCH_HINTS],
] as const)("what %s is told", (_, hints) => {
  test.each(titled(hints))("the hint can be followed: %s", async (_title, hint) => await obey(hint));
});
