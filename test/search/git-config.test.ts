/**
 * `core.excludesFile` of a repository: taken when it lies inside a root, and as git reads it.
 */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { excludesFileIn } from "../../src/search/ignore/ignore-chain.ts";
import { glob } from "../../src/search/index.ts";
import { makeTree, plant } from "./make-tree.ts";

describe("the setting", () => {
  const cases: [text: string, wanted: string | undefined][] = [
    ["[core]\n\texcludesFile = /srv/rules\n", "/srv/rules"],
    ["[Core]\nEXCLUDESFILE=a/b # comment\n", "a/b"],
    ['[core]\nexcludesfile = "a b;c" ; comment\n', "a b;c"],
    ["[core] excludesfile = one\nexcludesfile = two\n", "two"],
    ["[core]\nexcludesfile = a\\\\b\n", "a\\b"],
    ["[core]\nexcludesfile = a\\\nb\n", "ab"],
    ['[core "sub"]\nexcludesfile = no\n', undefined],
    ["[other]\nexcludesfile = no\n[core]\nbare = false\n", undefined],
    ["[core]\nexcludesfile = yes\n[other]\nexcludesfile = no\n", "yes"],
    ["[core]\nexcludesfile =\n", undefined],
    ["[core]\nexcludesfile = ~/.rules\n", undefined],
    ["", undefined],
  ];
  test.each(cases)("excludesFileIn() reads the setting in %j", (text, wanted) => {
    expect(excludesFileIn(text)).toBe(wanted as never);
  });
});

function named(path: string): string {
  return `[core]\n\texcludesFile = ${JSON.stringify(path)}\n`;
}

describe("the rules", () => {
  const files = { "a.txt": "", "b.log": "", "keep.log": "", "sub/c.log": "", rules: "*.log\n" };

  async function pathsOf(config: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
    using tree = makeTree({ ...files, ".git/HEAD": "", ...more });
    plant(tree.path, { ".git/config": config.replaceAll("{TOP}", tree.path) });
    return (await glob(tree.ctx, { pattern: "**/*", sort: "name" })).paths;
  }

  test("core.excludesFile is found by a path from the working tree, and by an absolute one", async () => {
    const wanted = ["a.txt", "rules"];
    expect(await pathsOf(named("rules"))).toEqual(wanted);
    expect(await pathsOf(named("{TOP}/rules"))).toEqual(wanted);
  });

  test("every other rule of the repository beats it", async () => {
    expect(await pathsOf(named("rules"), { ".gitignore": "!keep.log\n" })).toEqual(["a.txt", "keep.log", "rules"]);
    expect(await pathsOf(named("rules"), { ".git/info/exclude": "!c.log\n" })).toEqual(["a.txt", "rules", "sub/c.log"]);
  });

  test("core.excludesFile is ignored when it lies outside of the roots or does not exist", async () => {
    const outside = mkdtempSync(join(tmpdir(), "ringfence-rules-"));
    try {
      writeFileSync(join(outside, "rules"), "*.txt\n");
      const all = ["a.txt", "b.log", "keep.log", "rules", "sub/c.log"];
      expect(await pathsOf(named(join(outside, "rules")))).toEqual(all);
      expect(await pathsOf(named("../rules"))).toEqual(all);
      expect(await pathsOf(named("missing"))).toEqual(all);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});
