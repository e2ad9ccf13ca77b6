/**
 * The tools of git that change a repository: each is a proposal that shows what would change, is made only if that is still so,
 * and runs nothing that the repository names.
 */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import type { RawConfig } from "../../../src/config/index.ts";
import { createRegistry } from "../../../src/contract/index.ts";
import { gitPack } from "../../../src/packs/git/pack.ts";
import { builtinTools } from "../../../src/packs/index.ts";
import { toolNames } from "../../proc/command-host.ts";
import { git, openRepositoryHost, type RepositoryHost } from "./repository.ts";

const WRITES = ["git_add", "git_restore", "git_commit", "git_switch", "git_stash"];

/** With the tools that the pack has in such a configuration. */
function openWriting(files: Readonly<Record<string, string>>, config: RawConfig = {}): RepositoryHost {
  const packs = { git: { write: true } };
  const host = openRepositoryHost(files, { packSettings: packs, results: "structured", ...config }, [
    ...builtinTools,
    ...gitPack.tools(packs.git),
  ]);
  host.git("config", "user.name", "Ada");
  host.git("config", "user.email", "ada@example.com");
  return host;
}

function namesOf(settings: object): readonly string[] {
  const registry = createRegistry(gitPack.tools(settings));
  return registry.list().map(({ name }) => name);
}

test("the tools of git that change something are there only where the configuration says so", () => {
  expect(namesOf({}).filter((name) => WRITES.includes(name))).toEqual([]);
  expect(namesOf({ write: true }).slice(-WRITES.length)).toEqual(WRITES);
  expect(namesOf({ enabled: false, write: true })).toEqual([]);
});

test.skipIf(git.isMissing)(
  `a launcher that was not told so runs no verb that changes something${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { packSettings: { git: {} } }, [
      ...builtinTools,
      ...gitPack.tools({ write: true }),
    ]);
    host.write("a.txt", "two\n");
    const added = await host.call("git_add", { paths: ["a.txt"] });
    const { error } = await host.apply(added);
    expect(error.message).toContain("this host does not offer it");
    expect(host.git("diff", "--cached", "--name-only")).toBe("");
    expect(await toolNames(host)).toContain("git_add");
  },
);

test.skipIf(git.isMissing)(
  `git_add and git_commit show the diff and the message, and happen when they are applied${git.note}`,
  async () => {
    await using host = openWriting({ "a.txt": "one\n" });
    host.write("a.txt", "two\n");
    host.write("b.txt", "new\n");
    const added = await host.call("git_add", { paths: ["a.txt", "b.txt"] });
    expect(added.proposal?.summary).toBe("git add a.txt, b.txt");
    expect(added.all).toContain("new  b.txt");
    expect(added.all).toContain("+two");
    expect(host.git("diff", "--cached", "--name-only")).toBe("");
    await host.apply(added);
    expect(host.git("diff", "--cached", "--name-only")).toBe("a.txt\nb.txt\n");
    const committed = await host.call("git_commit", { message: "second\n\nwhy" });
    expect(committed.all).toContain("message:\n  second\n  \n  why");
    const { result } = await host.apply(committed);
    expect(result.result.commit).toBe(host.git("rev-parse", "HEAD").trim());
    expect(host.git("log", "-1", "--format=%an|%s|%b").trim()).toBe("Ada|second|why");
  },
);

test.skipIf(git.isMissing)(
  `a proposal is stale when HEAD, the index or a file has changed since${git.note}`,
  async () => {
    await using host = openWriting({ "a.txt": "one\n" });
    host.write("a.txt", "two\n");
    const added = await host.call("git_add", { paths: ["a.txt"] });
    host.write("a.txt", "three\n");
    expect((await host.apply(added)).error.data.code).toBe("stale");
    host.git("add", "a.txt");
    const committed = await host.call("git_commit", { message: "second" });
    host.write("b.txt", "new\n");
    host.git("add", "b.txt");
    expect((await host.apply(committed)).error.data.code).toBe("stale");
    const again = await host.call("git_commit", { message: "second" });
    host.git("commit", "--quiet", "--message", "by somebody else");
    expect((await host.apply(again)).error.data.code).toBe("stale");
    expect(host.git("log", "-1", "--format=%s").trim()).toBe("by somebody else");
  },
);

test.skipIf(git.isMissing)(`git_restore, git_switch and git_stash do what they have shown${git.note}`, async () => {
  await using host = openWriting({ "a.txt": "one\n" });
  host.write("a.txt", "two\n");
  const restored = await host.call("git_restore", { paths: ["a.txt"] });
  expect(restored.all).toContain("-two\n+one");
  await host.apply(restored);
  expect(host.read("a.txt")).toBe("one\n");
  await host.apply(await host.call("git_switch", { branch: "topic", create: true }));
  expect(host.git("branch", "--show-current").trim()).toBe("topic");
  host.write("a.txt", "three\n");
  host.commit("third");
  const back = await host.call("git_switch", { branch: "main" });
  expect(back.all).toContain("-three\n+one");
  await host.apply(back);
  expect(host.read("a.txt")).toBe("one\n");
  host.write("a.txt", "four\n");
  await host.apply(await host.call("git_stash", { action: "push", message: "aside" }));
  expect(host.read("a.txt")).toBe("one\n");
  await host.apply(await host.call("git_stash", { action: "pop" }));
  expect(host.read("a.txt")).toBe("four\n");
  expect((await host.call("git_switch", { branch: "--orphan" })).failure?.code).toBe("invalid_input");
});

test.skipIf(git.isMissing)(`no verb that changes something runs a hook, a filter or a signer${git.note}`, async () => {
  await using host = openWriting({ "a.txt": "one\n" });
  const mark = join(host.outside, "mark");
  const hooks = join(host.root, ".git", "hooks");
  mkdirSync(hooks, { recursive: true });
  for (const name of [
    "pre-commit",
    "commit-msg",
    "post-commit",
    "post-checkout",
    "reference-transaction",
    "post-index-change",
  ]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${mark}\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  host.git("config", "commit.gpgSign", "true");
  for (const key of ["gpg.program", "core.fsmonitor", "core.editor", "filter.evil.clean", "filter.evil.smudge"])
    host.git("config", key, `touch ${mark}; cat`);
  host.write(".gitattributes", "* filter=evil\n");
  host.write("a.txt", "two\n");
  for (const [tool, args] of [
    ["git_add", { paths: ["a.txt", ".gitattributes"] }],
    ["git_commit", { message: "second" }],
    ["git_switch", { branch: "topic", create: true }],
    ["git_restore", { paths: ["a.txt"], from: "HEAD~1" }],
    ["git_stash", { action: "push" }],
    ["git_stash", { action: "pop" }],
  ] as const) {
    const { error } = await host.apply(await host.call(tool, args));
    expect([tool, error]).toEqual([tool, undefined]);
  }
  expect(existsSync(mark)).toBe(false);
});

test.skipIf(git.isMissing)(
  `no verb that changes something takes a closed file or a repository with submodules${git.note}`,
  async () => {
    await using host = openWriting({ "a.txt": "one\n" });
    host.write(".env", "PASSWORD=correct-horse-battery\n");
    expect((await host.call("git_add", { paths: ["."] })).failure?.code).toBe("denied");
    expect((await host.call("git_add", { paths: [".env"] })).failure?.code).toBe("denied");
    host.git("add", ".env");
    expect((await host.call("git_commit", { message: "second" })).failure?.code).toBe("denied");
    host.git("rm", "--quiet", "--cached", ".env");
    host.git("update-index", "--add", "--cacheinfo", `160000,${host.git("rev-parse", "HEAD").trim()},sub`);
    expect((await host.call("git_commit", { message: "second" })).failure?.code).toBe("unsupported");
  },
);

test.skipIf(git.isMissing)(
  `a proposal is stale when its verb would now change a file that it did not show${git.note}`,
  async () => {
    await using host = openWriting({ "src/a.txt": "one\n", "src/b.txt": "one\n" });
    host.write("src/a.txt", "two\n");
    const restored = await host.call("git_restore", { paths: ["src"] });
    host.write("src/b.txt", "what a person wrote\n");
    const { error } = await host.apply(restored);
    expect(error.data).toMatchObject({ code: "stale" });
    expect([host.read("src/a.txt"), host.read("src/b.txt")]).toEqual(["two\n", "what a person wrote\n"]);
  },
);

test.skipIf(git.isMissing)(`a verb that is made at once refuses closed files too${git.note}`, async () => {
  await using host = openWriting({ "a.txt": "one\n" }, { mode: "bypass" });
  host.write("a.txt", "two\n");
  host.write(".env", "PASSWORD=correct-horse-battery\n");
  expect((await host.call("git_add", { paths: ["."] })).failure).toMatchObject({ code: "denied" });
  expect(host.git("diff", "--cached", "--name-only")).toBe("");
  expect((await host.call("git_add", { paths: ["a.txt"] })).failure).toBeUndefined();
  expect(host.git("diff", "--cached", "--name-only").trim()).toBe("a.txt");
});

test.skipIf(git.isMissing)(`a stash with files that were not tracked is not brought back${git.note}`, async () => {
  await using host = openWriting({ "a.txt": "one\n" });
  host.write("new.txt", "new\n");
  host.git("stash", "push", "--quiet", "--include-untracked");
  expect((await host.call("git_stash", { action: "pop" })).failure).toMatchObject({ code: "unsupported" });
});
