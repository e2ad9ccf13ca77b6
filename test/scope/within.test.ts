/**
 * What is left of narrowed roots, by text: a name that only begins like another is another, and `..` may not leave.
 */
import { expect, test } from "bun:test";
import { createWithin, isInside } from "../../src/scope/within.ts";

const inside: [path: string, directory: string, is: boolean][] = [
  ["/a", "/a", true],
  ["/a/b", "/a", true],
  ["/ab", "/a", false],
  ["/a", "/a/b", false],
  ["/a", "/", true],
  ["/", "/", true],
  ["/", "/a", false],
];
test.each(inside)("%s in %s: %p", (path, directory, is) => {
  expect(isInside(path, directory)).toBe(is);
});

const admitted: [rel: string, is: boolean][] = [
  ["sub", true],
  ["sub/a", true],
  ["sub/..a", true],
  ["sub/a/../b", true],
  ["sub/a/..", true],
  ["sub/a/b/../../c", true],
  ["", false],
  ["subway", false],
  ["other", false],
  ["sub/..", false],
  ["sub/../sub/a", false],
  ["other/../sub/a", false],
  ["sub/a/../../other", false],
  ["sub/a/../../sub/a", false],
  ["../top/sub/a", false],
];
test.each(admitted)("/top/sub left of /top admits %j: %p", (rel, is) => {
  expect(createWithin(["/top/sub"]).admits("/top", rel)).toBe(is);
});

test("without a narrowing everything is admitted, with an empty one nothing is", () => {
  const all = createWithin(undefined);
  expect([all.active, all.holds("/x"), all.admits("/", ""), all.isAtop("/")]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const none = createWithin([]);
  expect([none.active, none.holds("/"), none.admits("/", ""), none.isAtop("/")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("the failure names at most three of the directories and nothing else", () => {
  const { data } = createWithin(["/r/a", "/r/b", "/r/c", "/r/d"]).failure("x\n", "read");
  expect(data.message).toBe('Cannot read "bytes:x%0A": it is outside the roots of the client');
  expect(data.hint).toBe('Give a path in "/r/a" or "/r/b" or "/r/c" or another of its roots.');
});
