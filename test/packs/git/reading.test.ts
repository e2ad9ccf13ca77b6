/**
 * The tools of git that read, on real repositories.
 */
import { expect, test } from "bun:test";
import { toolNames } from "../../proc/command-host.ts";
import { openTestHost } from "../../host/in-memory-host.ts";
import { git, openRepositoryHost } from "./repository.ts";

const NAMES = ["git_status", "git_diff", "git_log", "git_show", "git_blame", "git_branches"];

test.skipIf(git.isMissing)(`the tools of git are listed where a root is a work tree${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n" });
  expect((await toolNames(host)).filter((name) => name.startsWith("git_"))).toEqual(NAMES);
});

test("the tools of git are not listed where no root is a work tree", async () => {
  await using host = openTestHost();
  expect((await toolNames(host)).filter((name) => name.startsWith("git_"))).toEqual([]);
});

test.skipIf(git.isMissing)(`git_status tells the branch and every kind of entry${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" });
  host.write("a.txt", "changed\n");
  host.git("mv", "b.txt", "d.txt");
  host.write("new/e.txt", "new\n");
  const { text, result } = await host.call("git_status", {});
  expect(text).toBe(
    "On main\nStaged:\n  renamed: b.txt -> d.txt\nChanged, not staged:\n  modified: a.txt\nUntracked:\n  new/",
  );
  expect(result.structuredContent).toBeUndefined();
  const all = await host.call("git_status", { untracked: "all", limit: 1 });
  expect(all.text).toContain("modified: a.txt");
  expect(all.all).toContain('To go on: git_status {"untracked":"all","offset":1}');
});

test.skipIf(git.isMissing)(
  `git_status tells what is ahead, behind, detached, unborn and in conflict${git.note}`,
  async () => {
    await using host = openRepositoryHost();
    expect((await host.call("git_status")).text).toBe("On main, no commits yet\nNothing is changed.");
    host.write("a.txt", "one\n");
    const first = host.commit("first");
    host.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    host.git("config", "branch.main.remote", "origin");
    host.git("config", "branch.main.merge", "refs/heads/main");
    host.git("update-ref", "refs/remotes/origin/main", first);
    host.write("a.txt", "ours\n");
    host.commit("second");
    expect((await host.call("git_status")).text).toContain("On main, 1 ahead of and 0 behind origin/main");
    host.git("switch", "--quiet", "--create", "other", first);
    host.write("a.txt", "theirs\n");
    host.commit("third");
    expect(() => host.git("merge", "--quiet", "main")).toThrow();
    const merging = await host.call("git_status");
    expect(merging.text).toBe("On other, a merge is not finished\nConflicts:\n  a.txt");
    host.git("merge", "--abort");
    host.git("switch", "--quiet", "--detach", "main");
    expect((await host.call("git_status")).text).toMatch(/^HEAD is detached at [0-9a-f]{10}\n/);
  },
);

test.skipIf(git.isMissing)(`git_diff shows the files with their sizes and their patches${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\ntwo\n", "b.bin": "\0\x01" }, { results: "structured" });
  host.write("a.txt", "one\n2\n3\n");
  host.write("b.bin", new Uint8Array([0, 2, 3]));
  const { text, result } = await host.call("git_diff");
  expect(text).toContain("2 files, +2 -1\nmodified  a.txt  +2 -1\ndiff --git a/a.txt b/a.txt\n");
  expect(text).toContain("-two\n+2\n+3");
  expect(text).toContain("modified  b.bin  binary");
  const [first] = result.structuredContent.files;
  expect(first).toMatchObject({ path: "a.txt", status: "modified", added: 2, removed: 1 });
  const stat = await host.call("git_diff", { stat: true });
  expect(stat.text).toBe("2 files, +2 -1\nmodified  a.txt  +2 -1\nmodified  b.bin  binary");
  host.git("add", "a.txt");
  expect((await host.call("git_diff", { staged: true, stat: true })).text).toBe(
    "1 file, +2 -1\nmodified  a.txt  +2 -1",
  );
  host.commit("second");
  expect((await host.call("git_diff", { from: "HEAD~1", to: "HEAD", stat: true })).text).toContain("2 files");
  expect((await host.call("git_diff", { from: "HEAD~1..HEAD", path: "b.bin", stat: true })).text).toContain("1 file");
  expect((await host.call("git_diff")).text).toBe("No differences.");
});

test.skipIf(git.isMissing)(`git_diff goes on where an answer ends, until all of it was shown${git.note}`, async () => {
  await using host = openRepositoryHost(
    { "a.txt": "", "b.txt": "", "c.txt": "" },
    { answerBytes: "4096", results: "structured" },
  );
  const lines = Array.from({ length: 400 }, (_, at) => `line number ${at}`);
  for (const name of ["a.txt", "b.txt", "c.txt"]) host.write(name, `${lines.join("\n")}\n`);
  let [args, seen]: [object | undefined, string] = [{}, ""];
  for (; args !== undefined;) {
    const { text, result } = await host.call("git_diff", args);
    expect(Buffer.byteLength(text)).toBeLessThan(6000);
    for (const { patch } of result.structuredContent.files) seen += `${patch ?? ""}\n`;
    args = result.structuredContent.next;
  }
  for (const line of lines) expect(seen.split(`+${line}\n`).length - 1).toBe(3);
});

test.skipIf(git.isMissing)(
  `git_log tells commits, pages them, and finds them by author, words and path${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { results: "structured" });
    host.write("b.txt", "two\n");
    host.commit("second\n\nwith a body");
    host.write("a.txt", "three\n");
    const third = host.commit("third");
    const all = await host.call("git_log", { files: true });
    expect(all.result.structuredContent.commits.map(({ subject }: { subject: string }) => subject)).toEqual([
      "third",
      "second",
      "first",
    ]);
    expect(all.result.structuredContent.commits[0]).toEqual({
      hash: third,
      parents: [host.git("rev-parse", "HEAD~1").trim()],
      author: "Ada",
      email: "ada@example.com",
      date: "2024-05-01T10:00:00+00:00",
      refs: ["HEAD -> main"],
      subject: "third",
      files: [{ status: "M", path: "a.txt" }],
    });
    expect(all.result.structuredContent.commits[1]).toMatchObject({ body: "with a body" });
    const page = await host.call("git_log", { limit: 1 });
    expect(page.result.structuredContent.next).toEqual({ limit: 1, offset: 1 });
    expect((await host.call("git_log", { path: "b.txt" })).text).toContain("second");
    expect((await host.call("git_log", { path: "b.txt" })).text).not.toContain("third");
    expect((await host.call("git_log", { grep: "thi" })).text).not.toContain("second");
    expect((await host.call("git_log", { author: "nobody" })).text).toBe("No commits.");
  },
);

test.skipIf(git.isMissing)(`git_show shows a commit, and a file as it was in one${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n" });
  host.write("a.txt", "two\n");
  host.commit("second");
  const shown = await host.call("git_show");
  expect(shown.text).toContain(
    "author Ada <ada@example.com>\ndate 2024-05-01T10:00:00+00:00\n\nsecond\n\n1 file, +1 -1\n",
  );
  expect(shown.text).toContain("-one\n+two");
  expect((await host.call("git_show", { revision: "HEAD~1" })).text).toContain("added  a.txt  +1 -0");
  expect((await host.call("git_show", { revision: "HEAD~1", path: "a.txt", content: true })).text).toBe("one\n");
});

test.skipIf(git.isMissing)(`git_blame tells which commit wrote which lines${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\ntwo\nthree\n" }, { results: "structured" });
  host.write("a.txt", "one\n2\nthree\n");
  const second = host.commit("second");
  const { text, result } = await host.call("git_blame", { path: "a.txt" });
  expect(result.structuredContent.ranges).toMatchObject([
    { start: 1, end: 1, summary: "first" },
    { start: 2, end: 2, commit: second, author: "Ada", summary: "second" },
    { start: 3, end: 3, summary: "first" },
  ]);
  expect(text.split("\n")[1]).toBe(`${second.slice(0, 10)} 2024-05-01 Ada  2  2`);
  const page = await host.call("git_blame", { path: "a.txt", limit: 2 });
  expect(page.result.structuredContent.next).toEqual({ path: "a.txt", limit: 2, offset: 3 });
});

test.skipIf(git.isMissing)(
  `git_branches names the branches, which is checked out, and tags if asked${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { results: "structured" });
    host.git("branch", "topic/one");
    host.git("tag", "v1");
    const { result } = await host.call("git_branches");
    expect(result.structuredContent.branches).toMatchObject([
      { name: "main", kind: "branch", current: true, subject: "first" },
      { name: "topic/one", kind: "branch" },
    ]);
    expect((await host.call("git_branches", { tags: true })).text).toContain("v1");
  },
);
