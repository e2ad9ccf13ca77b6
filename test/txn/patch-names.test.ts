/**
 * Which file the names in a patch mean, where more than one file could be: the one that has the name as it stands, also when
 * that ends in a blank or a time stamp, or begins with what is a prefix elsewhere.
 */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

const ONE = "one\ntwo\n";
const CHANGED = "ONE\ntwo\n";
const HUNK = "@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n";
const STAMPED = "a 2020-01-01 00:00:00";

function open(...names: readonly string[]): TestHost {
  const files = Object.fromEntries(names.map((name) => [name, ONE]));
  return openTestHost({ files, config: { mode: "bypass", baseline: "if_known" } });
}

const begin = (header: string, ...lines: string[]): string =>
  ["*** Begin Patch", header, ...lines, "*** End Patch", ""].join("\n");
const names = (old: string, changed: string): string => `--- ${old}\n+++ ${changed}\n${HUNK}`;

type Case = readonly [what: string, patch: string, meant: string, other: string];

const CHANGES: readonly Case[] = [
  ["git ends a name with a tab", `diff --git a/a  b/a \n${names("a/a \t", "b/a \t")}`, "a ", "a"],
  ["a time stamp is its name", names(`a/${STAMPED}\t`, `b/${STAMPED}\t`), STAMPED, "a"],
  ["no tab ends a time stamp", names(STAMPED, STAMPED), STAMPED, "a"],
  ["no tab ends a blank", names("a/a ", "b/a "), "a ", "a"],
  ["*** Update File has a blank", begin("*** Update File: a ", "@@", "-one", "+ONE"), "a ", "a"],
  ["a block has a blank", "a \n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n", "a ", "a"],
  ["both headers have one name", names("c/x", "c/x"), "c/x", "x"],
  ["both headers have one name of git", `diff --git a/x a/x\n${names("a/x", "a/x")}`, "a/x", "x"],
  ["the prefixes differ", names("a/x", "b/x"), "x", "a/x"],
];

test.each(CHANGES)("a patch changes the file that has its very name: %s", async (_what, patch, meant, other) => {
  await using host = open(meant, other);
  expect((await host.call("apply_patch", { patch })).failure).toBeUndefined();
  expect([host.read(meant), host.read(other)]).toEqual([CHANGED, ONE]);
});

const SLIPS: readonly (readonly [what: string, patch: string, path: string])[] = [
  ["a time stamp", names(`a/a 2020-01-01 00:00:00`, `b/a 2020-01-01 00:00:00`), "a"],
  ["a blank", names("a/a ", "b/a "), "a"],
  ["a blank behind *** Update File", begin("*** Update File: a ", "@@", "-one", "+ONE"), "a"],
  ["a blank above a block", "a \n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n", "a"],
  ["a prefix on both sides", names("a/x", "a/x"), "x"],
  ["folders of diff -r", `diff -ru old/x new/x\n${names("old/x\t2020", "new/x\t2021")}`, "x"],
];

test.each(SLIPS)("a patch changes the only file that can be meant: %s", async (_what, patch, path) => {
  await using host = open(path);
  expect((await host.call("apply_patch", { patch })).failure).toBeUndefined();
  expect(host.read(path)).toBe(CHANGED);
});

const DELETED = "deleted file mode 100644\n--- a/a \t\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";

test.each([
  ["git", `diff --git a/a  b/a \n${DELETED}`],
  ["git, of an empty hunk", "diff --git a/a  b/a \ndeleted file mode 100644\n"],
  ["*** Delete File", begin("*** Delete File: a ")],
])("a patch deletes the file that has its very name: %s", async (_what, patch) => {
  await using host = open("a ", "a");
  const { failure } = await host.call("apply_patch", { patch });
  expect(failure).toBeUndefined();
  expect([existsSync(join(host.root, "a ")), existsSync(join(host.root, "a"))]).toEqual([false, true]);
});

test("a patch makes and moves files under their very names", async () => {
  await using host = open("q", "r");
  const made = "new file mode 100644\n--- /dev/null\n+++ b/n \t\n@@ -0,0 +1 @@\n+new\n";
  const patch = `diff --git a/n  b/n \n${made}diff --git a/q b/q \nsimilarity index 100%\nrename from q\nrename to q \n`;
  expect((await host.call("apply_patch", { patch })).failure).toBeUndefined();
  expect([host.read("n "), host.read("q ")]).toEqual(["new\n", ONE]);
  const bare = `diff --git b/m b/m\nnew file mode 100644\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+new\n`;
  expect((await host.call("apply_patch", { patch: bare })).failure).toBeUndefined();
  expect(host.read("b/m")).toBe("new\n");
});

test("a patch makes no file with a blank that is only a slip", async () => {
  await using host = open("q");
  expect((await host.call("apply_patch", { patch: begin("*** Add File: n ", "+new") })).failure).toBeUndefined();
  expect(host.read("n")).toBe("new\n");
  expect((await host.call("apply_patch", { patch: begin('*** Add File: "m "', "+new") })).failure).toBeUndefined();
  expect(host.read("m ")).toBe("new\n");
});

test("a patch moves a file between folders that are there", async () => {
  await using host = open("old/x", "x");
  expect((await host.call("apply_patch", { patch: names("old/x", "new/x") })).failure).toBeUndefined();
  expect([host.read("new/x"), host.read("x")]).toEqual([CHANGED, ONE]);
});
