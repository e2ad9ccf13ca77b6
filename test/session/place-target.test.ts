/**
 * Where a caller's path lies, as rules are matched against it.
 */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlacePath } from "../../src/session/index.ts";

function placesOf(...roots: string[]): (path: string) => unknown {
  return createPlacePath(roots.map((path) => ({ path, readOnly: false })));
}

test.each([
  [["/a"], "b/c", { rel: "b/c", absolute: "/a/b/c", root: "/a" }],
  [["/a"], "/a", { rel: "", absolute: "/a", root: "/a" }],
  [["/a"], "/a/", { rel: "", absolute: "/a", root: "/a" }],
  [["/a"], "../a/./b", { rel: "b", absolute: "/a/b", root: "/a" }],
  [["/a"], "/ab/c", {}],
  [["/a"], "../b", {}],
  [["/a", "/a/in"], "in/x", { rel: "x", absolute: "/a/in/x", root: "/a/in" }],
  [["/a/in", "/a"], "/a/inner", { rel: "inner", absolute: "/a/inner", root: "/a" }],
  [["/"], "/etc/x", { rel: "etc/x", absolute: "/etc/x", root: "/" }],
  [["/"], "/", { rel: "", absolute: "/", root: "/" }],
] as const)("with the roots %j the path %s lies at %j", (roots, path, place) => {
  expect(placesOf(...roots)(path)).toEqual(place);
});

test("a root that is a link is known by both of its names, and by what it leads to", () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-place-")));
  try {
    const [real, link] = [join(base, "real"), join(base, "link")];
    mkdirSync(real);
    symlinkSync(real, link);
    const place = placesOf(link);
    expect(place("x")).toEqual({ rel: "x", absolute: join(link, "x"), root: real });
    expect(place(join(real, "x"))).toEqual({ rel: "x", absolute: join(real, "x"), root: real });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
