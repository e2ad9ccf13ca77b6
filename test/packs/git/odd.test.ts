/**
 * Repositories that are not what a test usually makes: names of any bytes, many work trees, none, and very much of everything.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { git, makeRepository, openRepositoryHost, runGit } from "./repository.ts";

test.skipIf(git.isMissing)(
  `git takes names with line ends, blanks, signs and bytes that are no UTF-8${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { results: "structured" });
    const names = ["line\nend.txt", " blank", "-dash", ":(top)magic", "*", "ü.txt"];
    for (const name of names) host.write(name, "old\n");
    writeFileSync(Buffer.concat([Buffer.from(`${host.root}/bytes`), Buffer.from([0xff])]), "old\n");
    host.commit("odd");
    for (const name of names) host.write(name, "new\n");
    writeFileSync(Buffer.concat([Buffer.from(`${host.root}/bytes`), Buffer.from([0xff])]), "new\n");
    const shown = ["*", "-dash", ":(top)magic", " blank", "bytes:bytes%FF", "bytes:line%0Aend.txt", "ü.txt"].sort();
    const status = await host.call("git_status");
    expect(status.result.structuredContent.entries.map(({ path }: { path: string }) => path).sort()).toEqual(shown);
    const { files } = (await host.call("git_diff")).result.structuredContent;
    expect(files.map(({ path }: { path: string }) => path).sort()).toEqual(shown);
    const patched = files.filter(({ patch }: { patch?: string }) => patch?.includes("+new") === true);
    expect(patched.length).toBe(shown.length - 1);
    for (const path of ["-dash", ":(top)magic", "*"])
      expect(
        (await host.call("git_diff", { path })).result.structuredContent.files.map((one: { path: string }) => one.path),
      ).toEqual([path]);
  },
);

test.skipIf(git.isMissing)(
  `git works in a repository below a root, in a linked work tree, and in a bare one${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" });
    const below = join(host.root, "below", "repository");
    makeRepository(below);
    writeFileSync(join(below, "b.txt"), "two\n");
    runGit(below, "add", "--all");
    runGit(below, "commit", "--quiet", "--message", "below");
    mkdirSync(join(below, "deep"));
    expect((await host.call("git_log", { path: "below/repository/deep" })).text).toBe("No commits.");
    expect((await host.call("git_log", { path: "below/repository" })).text).toContain("below");
    expect((await host.call("git_log")).text).toContain("first");
    host.git("worktree", "add", "--quiet", join(host.root, "linked"), "-b", "topic");
    host.write("linked/a.txt", "changed\n");
    expect((await host.call("git_status", { path: "linked" })).text).toContain(
      "On topic\nChanged, not staged:\n  modified: linked/a.txt",
    );
    host.git("clone", "--quiet", "--bare", ".", join(host.root, "bare.git"));
    expect((await host.call("git_log", { path: "bare.git" })).text).toContain("first");
    expect((await host.call("git_branches", { path: "bare.git" })).text).toContain("main");
    expect((await host.call("git_status", { path: "bare.git" })).failure?.code).toBe("unsupported");
  },
);

test.skipIf(git.isMissing)(`git says what a broken repository is, and where there is none${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n" });
  for (const [name, head] of [
    ["empty", ""],
    ["words", "no head\n"],
  ] as const) {
    host.write(`${name}/.git/HEAD`, head);
    const { failure } = await host.call("git_status", { path: name });
    expect([name, failure?.code, failure?.message]).toEqual([
      name,
      "invalid_input",
      `Cannot use git in "${name}": its HEAD has not the right form`,
    ]);
  }
  host.write("file/.git", "gitdir: ../nowhere\n");
  expect((await host.call("git_status", { path: "file" })).failure?.code).toBe("invalid_input");
  expect((await host.call("git_log", { revision: "nothing" })).failure?.code).toBe("not_found");
  expect((await host.call("git_blame", { path: "none.txt" })).failure?.code).toBe("command_failed");
});

test.skipIf(git.isMissing)(
  `a hundred thousand commits and a diff of fifty megabytes are answered in bounds${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { results: "structured" });
    const commits = Array.from(
      { length: 100_000 },
      (_, at) =>
        `commit refs/heads/long\nmark :${at + 1}\ncommitter Ada <ada@example.com> ${1_700_000_000 + at} +0000\ndata 3\nc${at % 10}\n${at === 0 ? "" : `from :${at}\n`}\n`,
    );
    const made = Bun.spawnSync(["git", "fast-import", "--quiet"], {
      cwd: host.root,
      stdin: Buffer.from(commits.join("")),
    });
    expect(made.exitCode).toBe(0);
    const log = await host.call("git_log", { revision: "long", offset: 99_990, limit: 20 });
    expect(log.result.structuredContent.commits.length).toBe(10);
    const page = await host.call("git_log", { revision: "long", limit: 500 });
    expect(page.result.structuredContent.next).toEqual({ revision: "long", limit: 500, offset: 500 });
    host.write("a.txt", "a line that is not there yet\n".repeat(2_000_000));
    const { text, result } = await host.call("git_diff");
    expect(Buffer.byteLength(text)).toBeLessThan(40_000);
    expect(result.structuredContent.totals).toEqual({ files: 1, added: 2_000_000, removed: 1 });
    expect(result.structuredContent.next.line).toBeGreaterThan(500);
  },
);

test.skipIf(git.isMissing)(
  `git_status and git_diff of a path that neither exists nor is tracked are not found${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n", "gone.txt": "two\n", "d/b.txt": "three\n" });
    host.write(".gitignore", "ignored\n");
    host.write("ignored/c.txt", "four\n");
    host.commit("second");
    mkdirSync(join(host.root, "empty"));
    for (const name of ["git_status", "git_diff"]) {
      for (const path of ["nope", "d/nope.txt", "nope/deep", ":(top)", "*"])
        expect([name, path, (await host.call(name, { path })).failure?.code]).toEqual([name, path, "not_found"]);
      for (const path of [".", "a.txt", "d", "ignored", "ignored/c.txt", "empty"])
        expect([name, path, (await host.call(name, { path })).failure]).toEqual([name, path, undefined]);
    }
    const first = host.git("rev-parse", "HEAD~1").trim();
    host.git("rm", "--quiet", "gone.txt");
    expect((await host.call("git_status", { path: "gone.txt" })).text).toContain("deleted: gone.txt");
    host.commit("third");
    expect((await host.call("git_diff", { path: "gone.txt" })).failure?.code).toBe("not_found");
    expect((await host.call("git_diff", { path: "gone.txt", from: first, to: "HEAD~1" })).text).toBe("No differences.");
    expect((await host.call("git_diff", { path: "gone.txt", from: first })).text).toContain("deleted");
  },
);
