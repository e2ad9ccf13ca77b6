/**
 * What no tool may see is not seen through git either: secrets and denied files, in the work tree, in history, and in a command
 * line that calls git.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { git, openRepositoryHost } from "./repository.ts";

const SECRET = "PASSWORD=correct-horse-battery\n";
const files = { "a.txt": "one\n", ".env": SECRET, "private/b.txt": "hidden words\n" };

test.skipIf(git.isMissing)(`a diff leaves out secret and denied files, and names them${git.note}`, async () => {
  await using host = openRepositoryHost(files, { deny: ["private/**"], results: "structured" });
  host.write("a.txt", "two\n");
  host.write(".env", "PASSWORD=other-words\n");
  host.write("private/b.txt", "other hidden words\n");
  const { all, result } = await host.call("git_diff");
  expect(all).toContain("-one\n+two");
  expect(all).toContain("Left out, because it is closed to the tools: .env, private/b.txt");
  expect(all).not.toMatch(/horse|other-words|hidden words/);
  expect(result.structuredContent.left_out).toEqual([".env", "private/b.txt"]);
  expect(result.structuredContent.totals).toEqual({ files: 1, added: 1, removed: 1 });
});

test.skipIf(git.isMissing)(
  `history shows no secret file, by its name, in a commit or in a blame${git.note}`,
  async () => {
    await using host = openRepositoryHost(files);
    host.git("rm", "--quiet", "--force", ".env");
    host.commit("second");
    const shown = await host.call("git_show", { revision: "HEAD~1" });
    expect(shown.all).toContain("Left out, because it is closed to the tools: .env");
    expect(shown.all).not.toContain("horse");
    for (const [tool, args] of [
      ["git_show", { revision: "HEAD~1", path: ".env", content: true }],
      ["git_blame", { path: ".env", revision: "HEAD~1" }],
      ["git_log", { path: ".env" }],
      ["git_diff", { from: "HEAD~1", path: ".env" }],
    ] as const) {
      const { failure, all } = await host.call(tool, args);
      expect([tool, failure?.code]).toEqual([tool, "denied"]);
      expect(all).not.toContain("horse");
    }
    expect((await host.call("git_log", { files: true })).all).not.toContain(".env");
  },
);

test.skipIf(git.isMissing)(
  `a closed file in the place of a directory is not shown under the name of an open one${git.note}`,
  async () => {
    await using host = openRepositoryHost({ x: "a file\n" });
    host.git("rm", "--quiet", "x");
    host.write("x/.env", SECRET);
    host.commit("second");
    const { all } = await host.call("git_diff", { from: "HEAD~1", to: "HEAD" });
    expect(all).toContain("deleted  x");
    expect(all).not.toContain("horse");
  },
);

test.skipIf(git.isMissing)(`rules about a tool of git close paths to it${git.note}`, async () => {
  await using host = openRepositoryHost(files, { rules: [{ deny: "git_diff(private/**)" }] });
  host.write("private/b.txt", "other hidden words\n");
  expect((await host.call("git_diff")).all).not.toContain("hidden words");
  expect((await host.call("git_diff", { path: "private" })).failure?.code).toBe("denied");
  expect((await host.call("git_blame", { path: "private/b.txt" })).text).toContain("other hidden words");
});

test.skipIf(git.isMissing)(`secrets in what git shows are replaced${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n" });
  host.write("a.txt", "AKIAIOSFODNN7EXAMPLQ\n");
  host.commit("second AKIAIOSFODNN7EXAMPLQ");
  for (const tool of ["git_log", "git_show"]) expect((await host.call(tool)).all).not.toContain("AKIAIOSFODNN7EXAMPLQ");
});

const shell = { enabled: true };

test.skipIf(git.isMissing)(
  `command lines that read with git run at once, with a configuration that runs nothing${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n", "sub/b.txt": "two\n" }, { shell, fence: "off" });
    const mark = join(host.outside, "mark");
    for (const key of ["core.fsmonitor", "core.pager", "diff.external", "alias.status"])
      host.git("config", key, `touch ${mark}; false`);
    host.git("config", "filter.evil.clean", `touch ${mark}; cat`);
    host.write(".gitattributes", "* filter=evil\n");
    host.write("a.txt", "changed\n");
    const said: Record<string, string> = {
      "git status": "modified:   a.txt",
      "git status --short": " M a.txt",
      "git diff": "-one\n+changed",
      "git diff HEAD -- a.txt": "+changed",
      "git diff a.txt": "+changed",
      "git diff --stat | cat": "a.txt | 2",
      "git log --oneline -n 5": "first",
      "git log -p -1": "+two",
      "git show --stat HEAD": "sub/b.txt",
      "git branch --show-current": "main",
      "git blame sub/b.txt": "two",
    };
    for (const [command, expected] of Object.entries(said)) {
      const { all, proposal } = await host.call("shell", { command });
      expect([command, proposal?.summary, all.includes(expected) ? expected : all]).toEqual([
        command,
        undefined,
        expected,
      ]);
    }
    expect(existsSync(mark)).toBe(false);
  },
);

test.skipIf(git.isMissing)(`command lines that call git in any other way are asked about${git.note}`, async () => {
  await using host = openRepositoryHost(files, { shell });
  host.write(".env", "PASSWORD=other-words\n");
  const blob = host.git("rev-parse", "HEAD:.env").trim();
  for (const command of [
    "git diff",
    "git status",
    "git show",
    "git log -p",
    "git log --unified=3",
    "git log -U3",
    "git log -- .env",
    "git log .env",
    "git rev-parse HEAD:.env",
    "git diff --no-index a.txt .env",
    "git ls-files",
    "git show HEAD:.env",
    `git show ${blob}`,
    "git commit -m x",
    "git -c core.pager=x status",
    "git status; touch x",
    "GIT_DIR=/x git status",
    "cd / && git status",
  ]) {
    const { proposal, failure, all } = await host.call("shell", { command });
    expect([command, proposal !== undefined || failure?.code === "denied"]).toEqual([command, true]);
    expect(all).not.toMatch(/horse|other-words/);
  }
  expect((await host.call("shell", { command: "git log --oneline" })).text).toContain("first");
});

test.skipIf(git.isMissing)(
  `what is staged for removal is in the last commit, and closed as it was there${git.note}`,
  async () => {
    const tree = { "a.txt": "one\n", "sub/.env": SECRET, "sub/b.txt": "two\n", "open/c.txt": "three\n" };
    await using host = openRepositoryHost(tree, { shell });
    host.git("rm", "--quiet", "--cached", "sub/.env", "open/c.txt");
    for (const command of [
      "git diff --cached",
      "git diff --cached sub",
      "git diff --staged -p ./",
      "git diff --cached sub/",
    ]) {
      const { proposal, all } = await host.call("shell", { command });
      expect([command, proposal !== undefined]).toEqual([command, true]);
      expect(all).not.toContain("horse");
    }
  },
);

test.skipIf(git.isMissing)(
  `no rule lets a line of git name a closed file, however it does that${git.note}`,
  async () => {
    const rules = [{ allow: "shell(git *)" }, { deny: "group:fs(private/**)" }];
    await using host = openRepositoryHost(files, { shell, rules });
    for (const command of [
      "git diff --no-index a.txt .env",
      "git diff --no-index /dev/null private/b.txt",
      "git show HEAD:private/b.txt",
      "git cat-file -p HEAD:.env",
      "git cat-file -p HEAD:./.env",
      "git grep hidden private/b.txt",
      "git grep hidden -- private",
      "git blame private/b.txt",
      "git -C private show HEAD:./b.txt",
      "git commit -F private/b.txt",
      "git commit -Fprivate/b.txt",
      "git commit --file=private/b.txt",
    ]) {
      const { failure, all } = await host.call("shell", { command });
      expect([command, failure?.code as string]).toEqual([command, "denied"]);
      expect(all).not.toMatch(/horse|hidden words/);
    }
    expect((await host.call("shell", { command: "git log --oneline -- a.txt" })).text).toContain("first");
  },
);

test.skipIf(git.isMissing)(
  `a command line with git is asked about in a repository with submodules${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { shell });
    host.git("update-index", "--add", "--cacheinfo", `160000,${host.git("rev-parse", "HEAD").trim()},sub`);
    for (const command of ["git status", "git diff"])
      expect((await host.call("shell", { command })).proposal).toBeDefined();
    expect((await host.call("shell", { command: "git log --oneline" })).text).toContain("first");
  },
);

test.skipIf(git.isMissing)(
  `a line that shows old commits is asked about where git could mean others than it was asked about${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { shell, mode: "accept_edits" });
    host.write(".env", SECRET);
    host.git("add", "--force", ".env");
    host.commit("with a secret file");
    host.git("rm", "--quiet", "--force", ".env");
    host.commit("without it");
    host.write("a.txt", "two\n");
    host.git("add", "a.txt");
    host.commit("last");
    for (const command of [
      "git log -p",
      "git log -p -E --author='.+'",
      "git log -p -n 1 -n 1000",
      "git log -p -n 1 --author ada",
      "git log -p --follow -- a.txt",
      "git log -p --no-merges",
      "git show HEAD~2",
    ]) {
      const { all, proposal } = await host.call("shell", { command });
      expect([command, proposal?.tool]).toEqual([command, "shell"]);
      expect(all).not.toContain("horse");
    }
    expect((await host.call("shell", { command: "git log -p -n1" })).text).toContain("+two");
    expect((await host.call("shell", { command: "git show --stat HEAD" })).text).toContain("a.txt");
  },
);
