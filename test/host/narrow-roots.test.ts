/**
 * What offered directories leave of the roots, on a real tree: never more than the roots, whatever is offered.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { narrowRoots } from "../../src/host/narrow-roots.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-narrow-")));
const at = (path: string): string => join(top, path);
for (const path of ["one/sub/deep", "one/näme #1", "two/sub", "beside"]) mkdirSync(at(path), { recursive: true });
writeFileSync(at("one/file"), "");
symlinkSync("one/sub", at("in"));
symlinkSync("../beside", at("one/out"));
symlinkSync("../two", at("one/two"));
afterAll(() => rmSync(top, { recursive: true }));

const ONE = { path: at("one"), readOnly: false };
const TWO = { path: at("two"), readOnly: true };
const BOTH = [ONE, TWO];
type Case = [what: string, offered: string[], roots: typeof BOTH, within: string[] | undefined];

const cases: Case[] = [
  ["a root itself", ["one"], [ONE], undefined],
  ["a directory above all roots", ["."], BOTH, undefined],
  ["all roots, one by one", ["two", "one"], BOTH, undefined],
  ["a directory in a root", ["one/sub"], [ONE], ["one/sub"]],
  ["one of two roots", ["two"], BOTH, ["two"]],
  ["parts of both", ["two/sub", "one/sub"], BOTH, ["one/sub", "two/sub"]],
  ["a root and a part of it", ["one/sub", "one"], BOTH, ["one"]],
  ["a part twice, and a part of it", ["one/sub/deep", "one/sub", "one/sub"], [ONE], ["one/sub"]],
  ["a name that has to be escaped", ["one/näme #1"], [ONE], ["one/näme #1"]],
  ["a directory beside", ["beside"], BOTH, []],
  ["one beside and one inside", ["beside", "one/sub"], BOTH, ["one/sub"]],
  ["a name that begins like a root's", ["on"], [ONE], []],
  ["a link from outside into a root", ["in"], [ONE], ["one/sub"]],
  ["a link out of a root", ["one/out"], [ONE], []],
  ["a link from one root to the other", ["one/two"], BOTH, ["two"]],
  ["something that does not exist", ["one/missing", "missing"], [ONE], []],
  ["a file", ["one/file"], [ONE], []],
  ["nothing", [], [ONE], undefined],
  ["a nested root, and the outer one", ["one"], [ONE, { path: at("one/sub"), readOnly: true }], undefined],
  ["a nested root alone", ["one/sub"], [ONE, { path: at("one/sub"), readOnly: true }], ["one/sub"]],
];
test.each(cases)("narrowRoots() keeps within the host: %s", (_what, offered, roots, within) => {
  const uris = offered.map((path) => ({ uri: pathToFileURL(at(path)).href, name: "ignored" }));
  expect(narrowRoots(uris, roots)).toEqual({ within: within?.map(at), ignored: 0 });
});

test("what is no usable URI is ignored and counted", () => {
  const garbage = [null, 5, "file:///", {}, { uri: 5 }, { uri: "https://a/b" }, { uri: "file://host/x" }, []];
  expect(narrowRoots(garbage, BOTH)).toEqual({ within: [], ignored: garbage.length });
  const some = [...garbage, { uri: pathToFileURL(at("one/sub")).href }];
  expect(narrowRoots(some, BOTH)).toEqual({ within: [at("one/sub")], ignored: garbage.length });
});

test("narrowRoots() looks only at the first of very many", () => {
  const many = Array.from({ length: 300 }, () => ({ uri: pathToFileURL(at("beside")).href }));
  const offered = [...many, { uri: pathToFileURL(at("one")).href }];
  expect(narrowRoots(offered, [ONE])).toEqual({ within: [], ignored: 45 });
});

test("a root given through a link is the directory that it leads to", () => {
  const roots = [{ path: at("in"), readOnly: false }];
  const uri = pathToFileURL(at("one/sub/deep")).href;
  expect(narrowRoots([{ uri }], roots).within).toEqual([at("one/sub/deep")]);
  expect(narrowRoots([{ uri: pathToFileURL(at("one")).href }], roots).within).toBeUndefined();
});
