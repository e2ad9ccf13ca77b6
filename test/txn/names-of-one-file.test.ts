/**
 * A set of changes that names one file two ways, and writes it in place: refused before anything is written, because one of
 * the names would show what the other had before.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { parsePatch } from "../../src/text/index.ts";
import type { Change } from "../../src/txn/index.ts";
import { layFiles } from "../host/file-tree.ts";
import { copy, deleted, edit, inPlace, move, PrepareKit, write } from "./prepare-kit.ts";

let kit: PrepareKit;
beforeEach(() => {
  kit = new PrepareKit();
});
afterEach(() => kit[Symbol.dispose]());

describe("names of one file", () => {
  beforeEach(() => {
    layFiles(kit.root, { h1: "x\n", "one/n": "n\n" });
    for (const name of ["h2", "one/h3"]) linkSync(join(kit.root, "h1"), join(kit.root, name));
  });

  const written = inPlace("h1", "x", "zzz");
  const others: [what: string, other: Change][] = [
    ["an edit", edit("h2", "x", "z")],
    ["another edit in place", inPlace("h2", "x", "z")],
    ["new content", write("h2", "new\n")],
    ["an append", { op: "append", path: "h2", content: "more\n" }],
    ["a move", move("h2", "m")],
    ["a copy", copy("h2", "c")],
    ["a copy to it", copy("a.txt", "h2")],
    ["a delete", deleted("h2")],
    ["a move of its directory", move("one", "m")],
    ["a copy of its directory", copy("one", "c")],
    ["a delete of its directory", deleted("one")],
  ];
  test.each(others)("one file is not written in place and changed by another name in one set: %s", (_what, other) => {
    const name = JSON.stringify(other).includes("h2") ? "h2" : "one/h3";
    for (const both of [
      [written, other],
      [other, written],
    ]) {
      const { code, message, hint } = kit.failureOf(...both);
      expect(code).toBe("conflict");
      expect(message).toContain("operation 2");
      for (const shown of ["h1", name]) expect(message).toContain(`"${shown}"`);
      expect(message).toContain("names of one file, which one of the operations writes in place");
      expect(hint).toContain("two calls");
    }
  });

  test("what an edit in place has made is not looked for by another name", () => {
    const { code } = kit.failureOf(inPlace("h2", "x", "z"), inPlace("h1", "z", "y"));
    expect(code).toBe("conflict");
  });

  test("a patch after an edit in place is refused too, by whatever spelling of the name", () => {
    const parsed = parsePatch("--- a/h2\n+++ b/h2\n@@ -1 +1 @@\n-x\n+y\n");
    if (parsed.kind === "problem") throw new Error(parsed.message);
    const { files, tolerances } = parsed;
    const patch: Change = { op: "patch", files, tolerances, ifHashes: {}, overwrite: false };
    expect(kit.failureOf(written, patch).message).toContain('"h2" and "h1" are names of one file');
  });

  test("names of one file are changed in one set as long as it is not written in place", () => {
    expect(kit.prepare(edit("h1", "x", "y"), edit("h2", "x", "z"), move("one", "m"), deleted("h2")).steps).toHaveLength(
      4,
    );
  });

  test("one name of a file is written in place and changed further in one set", () => {
    const { steps } = kit.prepare(
      move("one", "m"),
      inPlace("m/h3", "x", "y"),
      edit("m/h3", "y", "z"),
      copy("m/h3", "c"),
    );
    expect(steps.map(({ op }) => op)).toEqual(["move", "put", "put", "copy"]);
    expect(kit.prepare(written, edit("a.txt", "one", "1"), move("h1", "n"), deleted("d")).steps).toHaveLength(4);
  });
});
