/**
 * The walk that follows links by hand, on a tree that is only data: where it ends, and above all what it looks at.
 */
import { describe, expect, test } from "bun:test";
import { errnoError } from "../../src/sys/index.ts";
import { expandLinks } from "../../src/scope/expand-links.ts";
import type { Look, OpenRoot } from "../../src/scope/backend.ts";

const ROOTS = ["/r/one", "/r/two", "/r/one/in"].map(rootAt);
const LINKS: Readonly<Record<string, string>> = {
  "/r/one/rel": "../two/d",
  "/r/one/abs": "/r/two/d/",
  "/r/one/in/up": "..",
  "/r/one/up": "../..",
  "/r/one/near": "/r/two-x/f",
  "/r/one/wander": "../../etc/../r/two/./d",
  "/r/one/file-slash": "../two/d/f/",
  "/r/one/dir-dot": "d/.",
  "/r/one/loop": "/r/two/loop",
  "/r/two/loop": "../one/loop",
  "/r/two/home": "/r/one/in/f",
};
const DIRECTORIES = ["/r/one/d", "/r/two/d", "/r/one/in"];
const FILES = ["/r/one/f", "/r/two/d/f", "/r/one/in/f"];

const cases: [rel: string, ends: string][] = [
  ["f", "0:f"],
  ["d/../f", "0:f"],
  ["rel", "1:d"],
  ["rel/f", "1:d/f"],
  ["abs/../d/f", "1:d/f"],
  ["wander/f", "1:d/f"],
  ["rel/none", "1:d/none"],
  ["in/up/f", "0:f"],
  // By the outermost root on the way; which root rules there is for the scope to say.
  ["rel/../home", "0:in/f"],
  ["rel/../..", "EXDEV"],
  ["..", "EXDEV"],
  ["../two/d/f", "EXDEV"],
  ["up/two/d/f", "EXDEV"],
  ["up", "EXDEV"],
  ["near", "EXDEV"],
  ["file-slash", "ENOTDIR"],
  ["dir-dot/../f", "0:f"],
  ["loop", "ELOOP"],
  ["f/x", "ENOTDIR"],
  ["f/..", "ENOTDIR"],
  ["none/..", "ENOENT"],
];
test.each(cases)("%s ends at %s, and nothing outside was looked at", (rel, ends) => {
  const { end, seen } = walk(rel, "follow");
  expect(end).toBe(ends);
  expect(seen.filter((path) => !/^\/r\/(?:one|two)\//.test(path))).toEqual([]);
});

test("a caller's own step out of a root is refused also where another root holds it", () => {
  expect(walk("../f", "follow", 2).end).toBe("EXDEV");
  expect(walk("up/f", "follow", 2).end).toBe("0:f");
});

describe("where links are refused", () => {
  test.each([
    ["d/../f", "0:f"],
    ["rel", "ELOOP"],
    ["in/up", "ELOOP"],
  ])("%s ends at %s", (rel, ends) => {
    expect(walk(rel, "refuse").end).toBe(ends);
  });
});

function walk(rel: string, links: "follow" | "refuse", from = 0): { end: string; seen: string[] } {
  const seen: string[] = [];
  const look: Look = (root, below) => {
    const path = `${root.handle.canonical}/${below}`;
    seen.push(path);
    const link = LINKS[path];
    if (link !== undefined) return { link };
    return DIRECTORIES.includes(path) ? "directory" : FILES.includes(path) ? "other" : "missing";
  };
  const root = ROOTS[from];
  if (!root) throw errnoError("EINVAL");
  try {
    const found = expandLinks({ roots: ROOTS, root, rel, links }, look);
    return { end: `${found.root.index}:${found.rel}`, seen };
  } catch (thrown) {
    return { end: (thrown as NodeJS.ErrnoException).code ?? String(thrown), seen };
  }
}

function rootAt(path: string, index: number): OpenRoot {
  const handle = { fd: -1, path, canonical: path, dev: 0n, ino: BigInt(index), isBorrowed: true };
  return { index, handle, readOnly: false, spellings: [path] };
}
