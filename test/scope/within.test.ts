/**
 * What is left of narrowed roots, by text: a name that only begins like another is another, and `..` may not leave.
 */
import { expect, test } from "bun:test";
import { isInside, createWithin } from "../../src/scope/within.ts";
import type { OpenRoot } from "../../src/scope/backend.ts";

const inside: [path: string, directory: string, is: boolean][] = [
  ["/a", "/a", true],
  ["/a/b", "/a", true],
  ["/ab", "/a", false],
  ["/a", "/a/b", false],
  ["/a", "/", true],
  ["/", "/", true],
  ["/", "/a", false],
];
test.each(inside)("within() says whether %s lies in %s: %p", (path, directory, is) => {
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
  expect(createWithin({ within: ["/top/sub"] }).admits("/top", rel)).toBe(is);
});

test("without a narrowing everything is admitted, with an empty one nothing is", () => {
  const all = createWithin({});
  expect([all.active, all.holds("/x"), all.admits("/", ""), all.isAtop("/")]).toEqual([false, true, true, false]);
  const none = createWithin({ within: [] });
  expect([none.active, none.holds("/"), none.admits("/", ""), none.isAtop("/")]).toEqual([true, false, false, false]);
});

test("the failure names at most three of the directories and nothing else", () => {
  const root = { handle: { canonical: "/r" }, spellings: ["/link/r"] } as unknown as OpenRoot;
  const within = ["/r/a", "/r/b", "/r/c", "/r/d"];
  const { data } = createWithin({ within, offered: ["/o"] }).failure({ asked: "x\n", root }, "read");
  expect(data.message).toBe('Cannot read "bytes:x%0A": it is outside the roots of the client');
  expect(data.hint).toBe(
    'Give a path in "/r/a" or "/r/b" or "/r/c" or another of its roots. The client left only "/r/a", "/r/b", "/r/c" and 1 more of the root "/link/r": it offered only "/o" as its roots. The person who runs this host can keep its roots open with --client-roots=ignore (client_roots in the configuration).',
  );
});
