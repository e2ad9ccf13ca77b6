/**
 * Ignore rules: git's meaning, checked against git itself on random trees, and ripgrep's additions.
 */
import { expect, test } from "bun:test";
import { execFileSync, spawnSync } from "node:child_process";
import ignore from "ignore";
import { fc } from "../property.ts";
import type * as search from "../../src/search/index.ts";
import { glob } from "../../src/search/index.ts";
import { expectGrowthOf } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { makeTree, type TreeSpec } from "./make-tree.ts";

async function filesOf(
  spec: TreeSpec,
  options: { no_ignore?: boolean; hidden?: boolean; path?: string } = {},
): Promise<string[]> {
  using tree = makeTree(spec);
  return (await glob(tree.ctx, { pattern: "**/*", sort: "name", ...options })).paths;
}

function sorted(paths: string[]): string[] {
  return [...paths].sort();
}

test("each rule of gitignore(5) holds against the file system", async () => {
  const files = {
    "a.log": "",
    "keep.log": "",
    "build/x": "",
    "src/build/x": "",
    "src/a.log": "",
    "doc/a/b/c.txt": "",
    "#x": "",
    "!y": "",
    "sp ": "",
  };
  const left = async (rules: string): Promise<string[]> =>
    await filesOf({ ...files, ".git/HEAD": "", ".gitignore": rules });
  const all = Object.keys(files).sort();
  const without = (...gone: string[]): string[] => all.filter((path) => !gone.includes(path));
  expect(sorted(await left("*.log\n!keep.log\n"))).toEqual(without("a.log", "src/a.log"));
  expect(sorted(await left("/build\n"))).toEqual(without("build/x"));
  expect(sorted(await left("build/\r\n"))).toEqual(without("build/x", "src/build/x"));
  expect(sorted(await left("src/*\n!src/build\n"))).toEqual(without("src/a.log"));
  expect(sorted(await left("doc/**/c.txt"))).toEqual(without("doc/a/b/c.txt"));
  expect(sorted(await left("\\#x\n\\!y\n# comment\n\n"))).toEqual(without("#x", "!y"));
  expect(sorted(await left("sp \n"))).toEqual(all);
  expect(sorted(await left("sp\\ \n"))).toEqual(without("sp "));
  expect(sorted(await left("[a\n"))).toEqual(all);
  expect(sorted(await left("build\n!build/x\n"))).toEqual(without("build/x", "src/build/x"));
});

test("deeper files win, and .rgignore beats .ignore beats .gitignore", async () => {
  const spec = {
    ".git/HEAD": "",
    ".gitignore": "*.a\n",
    "sub/.gitignore": "!x.a\n",
    "sub/x.a": "",
    "sub/y.a": "",
    "z.a": "",
  };
  expect(await filesOf(spec)).toEqual(["sub/x.a"]);
  expect(await filesOf({ ...spec, ".ignore": "x.a\n" })).toEqual([]);
  expect(await filesOf({ ...spec, ".ignore": "x.a\n", ".rgignore": "!x.a\n" })).toEqual(["sub/x.a"]);
});

test("git's files count only inside a repository, and end at its border", async () => {
  expect(await filesOf({ ".gitignore": "a\n", a: "", b: "" })).toEqual(["a", "b"]);
  expect(await filesOf({ ".ignore": "a\n", a: "", b: "" })).toEqual(["b"]);
  expect(await filesOf({ ".git/HEAD": "", ".git/info/exclude": "a\n", a: "", b: "" })).toEqual(["b"]);
  expect(await filesOf({ ".git/HEAD": "", ".gitignore": "a\n", "in/.git": "gitdir: x", "in/a": "", a: "" })).toEqual([
    "in/a",
  ]);
});

test("rules above the start hold, and a start that is ignored is searched all the same", async () => {
  const spec = {
    ".git/HEAD": "",
    ".gitignore": "*.log\nbuild/\n",
    "build/x.log": "",
    "build/y": "",
    "node_modules/p/z": "",
  };
  expect(await filesOf(spec, { path: "build" })).toEqual(["build/y"]);
  expect(await filesOf(spec, { path: "node_modules" })).toEqual(["node_modules/p/z"]);
});

test("skipped names, hidden names and no_ignore", async () => {
  const spec = {
    "dist/a": "",
    "node_modules/b": "",
    "coverage/c": "",
    ".git/HEAD": "",
    ".github/w": "",
    ".gitignore": "!.github\nd\n",
    d: "",
    dist2: "",
  };
  expect(await filesOf(spec)).toEqual([".github/w", "dist2"]);
  expect(await filesOf(spec, { hidden: true })).toEqual([".github/w", ".gitignore", "dist2"]);
  expect(await filesOf(spec, { no_ignore: true })).toEqual(["coverage/c", "d", "dist/a", "dist2", "node_modules/b"]);
  using tree = makeTree(spec);
  expect((await glob(tree.ctx, { pattern: "**/*" })).totals).toMatchObject({
    ignored: 5,
    ignored_by: expect.arrayContaining([
      { rule: "default: dist", count: 1 },
      { rule: ".gitignore", count: 1 },
    ]),
  });
});

function starsAnd(letters: number): string {
  return `${"*a".repeat(letters)}*b\n`;
}

test("a rule that would hang an expression does not", async () => {
  const names = { ["a".repeat(200)]: "", ["a".repeat(200) + "b"]: "" };
  const counted = await loadCounted<typeof search>("src/search/index.ts");
  // Every part of the rule against every place in the name, once.
  await expectGrowthOf({ size: 20, mostGrowth: 2.1, mostPerUnit: 3500 }, (letters) => {
    const tree = makeTree({ ".ignore": starsAnd(letters), ...names });
    return async () => {
      using planted = tree;
      await counted.glob(planted.ctx, { pattern: "**/*" });
    };
  });
  expect(await filesOf({ ".ignore": starsAnd(40), ...names })).toEqual(["a".repeat(200)]);
});

const part = fc.constantFrom("a", "b", "ab", "*", "a*", "*b", "?", "[ab]", "[!a]", "**", "*.c", "a.c");
const rule = fc
  .tuple(fc.constantFrom("", "!", "/", "!/"), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/"))
  .map(([head, parts, tail]) => head + parts.join("/") + tail);
const name = fc.constantFrom("a", "b", "ab", "c", "a.c", "ba", "a-b");
const filePath = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));

test("a slash between square brackets is one of the characters of a class, as for git", async () => {
  const files = { a: "", b: "", "a-b": "", "q/a": "", "q/b": "", "q/r/b": "" };
  const left = async (rules: string): Promise<string[]> =>
    await filesOf({ ...files, ".git/HEAD": "", ".gitignore": `${rules}\n` });
  const without = (...gone: string[]): string[] =>
    Object.keys(files)
      .filter((path) => !gone.includes(path))
      .sort();
  // The slash ties the rule to the directory of its file, and a class stands for no slash.
  expect(sorted(await left("[a/b]"))).toEqual(without("a", "b"));
  expect(sorted(await left("[/a]"))).toEqual(without("a"));
  expect(sorted(await left("[a/]"))).toEqual(without("a"));
  expect(sorted(await left("[!/]"))).toEqual(without("a", "b", "q/a", "q/b", "q/r/b"));
  expect(sorted(await left("a[-/]b"))).toEqual(without("a-b"));
  expect(sorted(await left("**/[a/b]"))).toEqual(without("a", "b", "q/a", "q/b", "q/r/b"));
  expect(sorted(await left("q/[a/b]"))).toEqual(without("q/a", "q/b"));
  expect(sorted(await left("[pq/]/[a/b]"))).toEqual(without("q/a", "q/b"));
  // A slash behind a backslash is a slash, and a class without an end matches nothing.
  expect(sorted(await left("q\\/a"))).toEqual(without("q/a"));
  expect(sorted(await left("[a/b"))).toEqual(without());
});

const classPart = fc.constantFrom("[a/b]", "[/a]", "[a/]", "[!/]", "[^/a]", "a[-/]b", "[.-0]", "[]/a]", "[[:alpha:]/]");
const gitRule = fc
  .tuple(
    fc.constantFrom("", "!", "/"),
    fc.array(fc.oneof(part, classPart), { minLength: 1, maxLength: 3 }),
    fc.constantFrom("/", "\\/"),
    fc.constantFrom("", "/"),
  )
  // Before an escaped slash git has `**` stand for at least one directory, which nobody relies on.
  .map(([head, parts, by, tail]) => head + parts.join(parts.includes("**") ? "/" : by) + tail);

test("random rules leave the files that git would not ignore", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(rule, gitRule), { maxLength: 5 }),
      fc.array(fc.oneof(rule, gitRule), { maxLength: 2 }),
      fc.array(filePath, { maxLength: 10 }),
      async (top, sub, paths) => {
        const files = paths.filter(
          (path, at) => !paths.some((other, index) => other.startsWith(`${path}/`) || (other === path && index < at)),
        );
        const spec: Record<string, string> = { ".gitignore": `${top.join("\n")}\n` };
        for (const path of files) spec[path] = "";
        if (files.some((path) => path.startsWith("a/"))) spec["a/.gitignore"] = `${sub.join("\n")}\n`;
        using tree = makeTree(spec);
        execFileSync("git", ["init", "-q"], { cwd: tree.path });
        const listed = spawnSync("git", ["-c", "core.excludesFile=", "ls-files", "-o", "--exclude-standard", "-z"], {
          cwd: tree.path,
        });
        const wanted = listed.stdout
          .toString()
          .split("\0")
          .filter((path) => path !== "" && !path.endsWith(".gitignore"));
        // A rule such as `!*` brings dot names back; git lists its own files too.
        const found = (await glob(tree.ctx, { pattern: "**/*" })).paths.filter((path) => !path.endsWith(".gitignore"));
        expect([...found].sort()).toEqual(wanted.sort());
      },
    ),
    { numRuns: 60 },
  );
});

test("random rules: the package `ignore` agrees", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { maxLength: 4 }),
      fc.array(filePath, { minLength: 1, maxLength: 8 }),
      async (rules, paths) => {
        const files = paths.filter(
          (path, at) => !paths.some((other, index) => other.startsWith(`${path}/`) || (other === path && index < at)),
        );
        const oracle = ignore().add(rules);
        const wanted = files.filter((path) => !oracle.ignores(path)).sort();
        const spec = Object.fromEntries(files.map((path) => [path, ""]));
        const found = await filesOf({ ...spec, ".ignore": `${rules.join("\n")}\n` });
        expect(found.filter((path) => path !== ".ignore").sort()).toEqual(wanted);
      },
    ),
    { numRuns: 200 },
  );
});
