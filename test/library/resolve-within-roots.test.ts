/**
 * `resolveWithinRoots` and `resolvePath` of a tool: where a path leads, also one that is to be made, and nothing outside.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineLocalTool, resolveWithinRoots } from "ringfence";
import { z } from "zod";
import { codeOf, Workspace } from "./workspace.ts";

const FILES = { "a.txt": "one\n", "sub/b.txt": "two\n" };

/** Links that lead about in the root, out of it and to nothing. */
function withLinks(): Workspace {
  const place = new Workspace(FILES);
  mkdirSync(join(place.path, "outside"));
  writeFileSync(join(place.path, "outside", "c.txt"), "");
  const links = {
    inside: "sub",
    out: "../outside",
    file: "../outside/c.txt",
    nowhere: "../outside/new.txt",
    gone: "no",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(place.root, name));
  return place;
}

const CASES: readonly (readonly [path: string, leadsTo: string])[] = [
  ["a.txt", "a.txt"],
  [".", ""],
  ["sub/../a.txt", "a.txt"],
  ["inside/b.txt", "sub/b.txt"],
  ["new.txt", "new.txt"],
  ["inside/new/deep/er.txt", "sub/new/deep/er.txt"],
  ["new/", "new"],
  ["./sub//new.txt", "sub/new.txt"],
];

const REFUSED: readonly (readonly [path: string, code: string])[] = [
  ["../outside/c.txt", "outside_scope"],
  ["../outside/new.txt", "outside_scope"],
  ["/etc/hosts", "outside_scope"],
  ["out/c.txt", "outside_scope"],
  ["out/new.txt", "outside_scope"],
  ["out/new/deep.txt", "outside_scope"],
  ["file", "outside_scope"],
  ["nowhere", "outside_scope"],
  ["gone", "not_found"],
  ["gone/new.txt", "not_found"],
  ["a.txt/new.txt", "not_found"],
  ["new/../../outside/c.txt", "outside_scope"],
  ["new/../a.txt", "not_found"],
  ["", "invalid_input"],
  ["~/a.txt", "invalid_input"],
  ["a\0b", "invalid_input"],
];

describe("resolveWithinRoots()", () => {
  test.each(CASES)("resolveWithinRoots() leads %j to %j", async (path, leadsTo) => {
    using place = withLinks();
    expect(await resolveWithinRoots(path, [place.root])).toBe(join(place.root, leadsTo));
  });

  test.each(REFUSED)("resolveWithinRoots() refuses %j as %s", async (path, code) => {
    using place = withLinks();
    const refused = await codeOf(resolveWithinRoots(path, [place.root]));
    // What leads out may be told as missing behind a missing name, and is never answered with a path.
    expect(code === "outside_scope" ? [code, "not_found"] : [code]).toContain(refused);
  });

  test("resolveWithinRoots() takes absolute paths of every root, and refuses a root that does not exist", async () => {
    using place = withLinks();
    const outside = join(place.path, "outside");
    expect(await resolveWithinRoots(join(outside, "c.txt"), [place.root, outside])).toBe(join(outside, "c.txt"));
    expect(await resolveWithinRoots("out/new.txt", [place.root, outside])).toBe(join(outside, "new.txt"));
    expect(await codeOf(resolveWithinRoots("a.txt", [join(place.path, "none")]))).toBe("not_found");
    expect(await codeOf(resolveWithinRoots("a.txt", []))).not.toBe("nothing was thrown");
  });
});

describe("resolvePath() of a tool", () => {
  const where = defineLocalTool({
    name: "where",
    description: "Says where a path leads.",
    input: z.strictObject({ path: z.string().describe("The path.") }),
    execute: async ({ path }, ctx) => await ctx.resolvePath(path),
  });

  test.each([...CASES.slice(0, 2), ...CASES.slice(4)])("resolvePath() leads %j to %j", async (path, leadsTo) => {
    using place = withLinks();
    await using host = await place.open({ tools: [where] });
    expect((await host.callTool("where", { path })).text).toBe(join(place.root, leadsTo));
  });

  test("resolvePath() refuses what is denied, also by the name that a new file would have", async () => {
    using place = withLinks();
    await using host = await place.open({ tools: [where], deny: ["sub/secret", "sub/new/deep", "**/*.key"] });
    const codes = ["inside/secret/new.txt", "inside/new/deep/er.txt", "inside/new/a.key", ".env", "inside/ok.txt"].map(
      async (path) => (await host.callTool("where", { path })).failure?.code,
    );
    expect(await Promise.all(codes)).toEqual(["denied", "denied", "denied", "denied", undefined]);
  });
});
