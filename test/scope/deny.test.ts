/**
 * Deny globs: what a pattern matches, and that everything below a denied directory is denied with it.
 */
import { expect, test } from "bun:test";
import { createDenyRules } from "../../src/scope/deny.ts";

const cases: [globs: string[], denied: string[], allowed: string[]][] = [
  [[], [], ["a", ""]],
  [["secret"], ["secret", "secret/a", "SECRET/a/b"], ["a/secret", "secrets", "secre", ""]],
  [["**/secret"], ["secret", "a/secret", "a/b/secret/c"], ["a/secrets"]],
  [["*.pem"], ["k.pem", "K.PEM", ".pem"], ["a/k.pem", "k.pem2"]],
  [["**/*.pem", "!keep.pem"], ["a/k.pem"], []],
  [["private/**"], ["private/a", "private/.b/c", "private"], ["privates", "a/private/b"]],
  [["**/.env*"], [".env", "a/.env.local", ".ENV"], ["env", "a.env"]],
  [["{a,b}/c"], ["a/c", "b/c/d"], ["a", "c"]],
];
test.each(cases)("the pattern of a denied path matches as it says: %j", (globs, denied, allowed) => {
  const rules = createDenyRules(globs.map((glob) => ({ glob, top: "" })));
  expect(denied.filter((path) => !rules.denies(path))).toEqual([]);
  expect(allowed.filter((path) => rules.denies(path))).toEqual([]);
});
