/**
 * What a call means is decided on what it really touches and on every parameter that it gives: other spellings, links and
 * nested roots get around nothing, and no parameter is ignored.
 */
import { describe, expect, test } from "bun:test";
import { linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost } from "./in-memory-host.ts";

const SEARCHED = {
  ".git/HEAD": "ref",
  ".gitignore": "out.txt\n",
  "out.txt": "TODO ignored\n",
  "a.txt": "TODO one TODO\nTODO two\nTODO three\n",
};

describe("every parameter of a search counts", () => {
  test("grep counts every spelling of its parameters: no_ignore, max_count, only_matching", async () => {
    await using host = await openTestHost({ files: SEARCHED });
    const grep = async (more: object): Promise<string> => (await host.call("grep", { pattern: "TODO", ...more })).text;
    expect(await grep({})).not.toContain("out.txt");
    expect(await grep({ no_ignore: true })).toContain("out.txt:1:TODO ignored");
    expect(await grep({ max_count: 1 })).toBe("a.txt:1:TODO one TODO");
    expect(await grep({ only_matching: true, max_count: 1 })).toBe("a.txt:1:TODO\na.txt:1:TODO");
  });

  test("glob and tree take no_ignore by every spelling", async () => {
    await using host = await openTestHost({ files: SEARCHED });
    expect((await host.call("glob", { pattern: "*.txt" })).text).toBe("a.txt");
    expect((await host.call("glob", { pattern: "*.txt", no_ignore: true, sort: "name" })).text).toBe("a.txt\nout.txt");
    expect((await host.call("tree", {})).text).not.toContain("out.txt");
    expect((await host.call("tree", { no_ignore: true })).text).toContain("out.txt");
  });
});

describe("accept_edits holds what steers other programs, however it is named", () => {
  for (const path of [".git/config", "bytes:%2Egit/config", "link", "folder/config", ".GIT/x", "package-lock.json"])
    test(path, async () => {
      await using host = await openTestHost({
        files: { ".git/config": "old\n" },
        config: { mode: "accept_edits" },
      });
      symlinkSync(".git/config", join(host.root, "link"));
      symlinkSync(".git", join(host.root, "folder"));
      const answer = await host.call("write_file", { path, content: "new\n" });
      expect(answer.proposal?.risk).toBe("R4");
      expect(readFileSync(join(host.root, ".git/config"), "utf8")).toBe("old\n");
    });

  test("an ordinary file is written at once", async () => {
    await using host = await openTestHost({ files: { "a.txt": "old\n" }, config: { mode: "accept_edits" } });
    expect((await host.call("write_file", { path: "a.txt", content: "new\n" })).proposal?.risk).toBe("R4");
    await host.call("read_file", { path: "a.txt" });
    expect((await host.call("write_file", { path: "a.txt", content: "new\n" })).proposal).toBeUndefined();
    expect(host.read("a.txt")).toBe("new\n");
  });
});

describe("one file under two names", () => {
  test("a file under two names is not moved over itself", async () => {
    await using host = await openTestHost({ files: { "a.txt": "same\n" } });
    linkSync(join(host.root, "a.txt"), join(host.root, "b.txt"));
    const answer = await host.call("move", { source: "a.txt", destination: "b.txt", overwrite: true });
    expect(answer.failure?.code).toBe("invalid_input");
    expect(host.read("a.txt")).toBe("same\n");
  });
});

describe("nested roots", () => {
  test("the inner one rules: read-only stays read-only, and does not go away with its parent", async () => {
    await using first = await openTestHost({ files: { "inner/a.txt": "kept\n", "b.txt": "b\n" } });
    const inner = join(first.root, "inner");
    symlinkSync("inner", join(first.root, "link"));
    await using host = await openTestHost({
      top: first.top,
      config: { roots: [first.root, `${inner}:ro`], mode: "bypass" },
    });
    for (const path of ["inner/a.txt", "link/a.txt", `${inner}/a.txt`, "inner/new.txt"])
      expect(`${path} ${(await host.call("write_file", { path, content: "x" })).failure?.code}`).toBe(`${path} denied`);
    expect((await host.call("delete", { path: "inner", recursive: true })).failure?.code).toBe("denied");
    expect((await host.call("move", { source: "inner", destination: "other" })).failure?.code).toBe("denied");
    expect(first.read("inner/a.txt")).toBe("kept\n");
    expect((await host.call("write_file", { path: "b.txt", content: "new" })).failure).toBeUndefined();
  });
});

describe("what cannot be recorded does not happen", () => {
  test("a change is refused, a read is not", async () => {
    await using first = await openTestHost({ files: { "a.txt": "old\n" } });
    await using host = await openTestHost({
      top: first.top,
      config: { roots: [first.root], stateDir: join(first.top, "full"), mode: "bypass" },
    });
    expect((await host.call("read_file", { path: "a.txt" })).text).toBe("old\n");
    rmSync(join(first.top, "full", "audit"), { recursive: true });
    writeFileSync(join(first.top, "full", "audit"), "");
    const answer = await host.call("write_file", { path: "a.txt", content: "new\n" });
    expect(answer.failure?.code).toBe("denied");
    expect(answer.failure?.message).toContain("record");
    expect(first.read("a.txt")).toBe("old\n");
    expect((await host.call("read_file", { path: "a.txt" })).text).toBe("old\n");
  });
});
