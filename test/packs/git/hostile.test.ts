/**
 * Repositories that would run something: each plants a program that leaves a mark, in every place where git looks for one. No
 * mark may be there after every tool that reads was called, and the answers are right all the same.
 *
 * The fence is switched off for most of them, so that a mark is kept away by the configuration alone.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { git, makeRepository, openRepositoryHost, runGit, type RepositoryHost } from "./repository.ts";

interface Trap {
  readonly name: string;
  /** @param mark a command line that leaves a mark */
  readonly plant: (host: RepositoryHost, mark: string) => void;
}

const setting =
  (key: string, value: (mark: string) => string) =>
  (host: RepositoryHost, mark: string): void =>
    void host.git("config", key, value(mark));

/** A file that is there with an old time looks changed, so git has to read it. */
function touchAll(host: RepositoryHost): void {
  host.write("a.txt", "one\n");
  host.write("b.txt", "changed\n");
}

const TRAPS: readonly Trap[] = [
  { name: "core.fsmonitor", plant: setting("core.fsmonitor", (mark) => `${mark}; false`) },
  { name: "core.pager", plant: setting("core.pager", (mark) => mark) },
  { name: "pager.log", plant: setting("pager.log", (mark) => mark) },
  { name: "core.sshCommand", plant: setting("core.sshCommand", (mark) => mark) },
  { name: "core.editor", plant: setting("core.editor", (mark) => mark) },
  { name: "core.alternateRefsCommand", plant: setting("core.alternateRefsCommand", (mark) => mark) },
  { name: "diff.external", plant: setting("diff.external", (mark) => mark) },
  { name: "an alias with the name of a verb", plant: setting("alias.status", (mark) => `!${mark}`) },
  {
    name: "a clean filter",
    plant(host, mark) {
      host.git("config", "filter.evil.clean", `${mark}; cat`);
      host.git("config", "filter.evil.required", "true");
      host.write(".gitattributes", "* filter=evil\n");
    },
  },
  {
    name: "a process filter in the attributes of the repository itself",
    plant(host, mark) {
      host.git("config", "filter.evil.process", mark);
      mkdirSync(join(host.root, ".git", "info"), { recursive: true });
      writeFileSync(join(host.root, ".git", "info", "attributes"), "* filter=evil\n");
    },
  },
  {
    name: "textconv and a diff driver",
    plant(host, mark) {
      host.git("config", "diff.evil.textconv", `${mark}; cat`);
      host.git("config", "diff.evil.command", mark);
      host.write(".gitattributes", "* diff=evil\n");
    },
  },
  {
    name: "gpg programs and signatures that are to be shown",
    plant(host, mark) {
      host.git("config", "gpg.program", mark);
      host.git("config", "log.showSignature", "true");
      const tree = host.git("rev-parse", "HEAD^{tree}").trim();
      const person = "Ada <ada@example.com> 1714557600 +0000";
      const raw = `tree ${tree}\nauthor ${person}\ncommitter ${person}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\nsigned\n`;
      writeFileSync(join(host.outside, "raw"), raw);
      host.git(
        "reset",
        "--quiet",
        "--hard",
        host.git("hash-object", "-t", "commit", "-w", join(host.outside, "raw")).trim(),
      );
    },
  },
  {
    name: "an included file of the repository",
    plant(host, mark) {
      host.write("evil.config", `[core]\n\tfsmonitor = "${mark}; false"\n\tpager = "${mark}"\n`);
      host.git("config", "include.path", "../evil.config");
    },
  },
  {
    name: "a configuration for the work tree",
    plant(host, mark) {
      host.git("config", "extensions.worktreeConfig", "true");
      host.git("config", "--worktree", "core.fsmonitor", `${mark}; false`);
    },
  },
  {
    name: "hooks",
    plant(host, mark) {
      const hooks = join(host.root, ".git", "hooks");
      mkdirSync(hooks, { recursive: true });
      for (const name of ["post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc"]) {
        writeFileSync(join(hooks, name), `#!/bin/sh\n${mark}\n`);
        chmodSync(join(hooks, name), 0o755);
      }
    },
  },
  {
    name: "a submodule with a configuration of its own",
    plant(host, mark) {
      const sub = join(host.root, "sub");
      makeRepository(sub);
      writeFileSync(join(sub, "s.txt"), "s\n");
      runGit(sub, "add", "--all");
      runGit(sub, "commit", "--quiet", "--message", "sub");
      host.write(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
      host.git("-c", "advice.addEmbeddedRepo=false", "add", "--all");
      host.git("commit", "--quiet", "--message", "with a submodule");
      runGit(sub, "config", "core.fsmonitor", `${mark}; false`);
      runGit(sub, "config", "filter.evil.clean", `${mark}; cat`);
      writeFileSync(join(sub, ".gitattributes"), "* filter=evil\n");
      writeFileSync(join(sub, "s.txt"), "changed\n");
    },
  },
  {
    name: "a store that is fetched from when something is missing",
    plant(host, mark) {
      host.git("config", "core.repositoryFormatVersion", "1");
      host.git("config", "extensions.partialClone", "origin");
      host.git("config", "remote.origin.promisor", "true");
      host.git("config", "remote.origin.url", `ext::sh -c "${mark}"`);
      host.git("config", "protocol.ext.allow", "always");
      host.write("missing.txt", "missing\n");
      host.commit("with a file that will be missing");
      const blob = host.git("rev-parse", "HEAD:missing.txt").trim();
      chmodSync(join(host.root, ".git", "objects", blob.slice(0, 2)), 0o755);
      Bun.spawnSync(["rm", "-f", join(host.root, ".git", "objects", blob.slice(0, 2), blob.slice(2))]);
      host.write("missing.txt", "changed\n");
    },
  },
];

const CALLS: readonly (readonly [string, object])[] = [
  ["git_status", { untracked: "all" }],
  ["git_diff", {}],
  ["git_diff", { from: "HEAD" }],
  ["git_log", { files: true }],
  ["git_show", {}],
  ["git_blame", { path: "a.txt" }],
  ["git_branches", { remotes: true }],
];

for (const { name, plant } of TRAPS)
  test.skipIf(git.isMissing)(`no tool of git runs what a repository names by ${name}${git.note}`, async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n", "b.txt": "two\n" }, { fence: "off" });
    const mark = join(host.outside, "mark");
    plant(host, `touch ${mark}`);
    if (existsSync(mark)) Bun.spawnSync(["rm", mark]);
    touchAll(host);
    for (const [tool, args] of CALLS) {
      const { failure } = await host.call(tool, args);
      // Of a store with a hole in it a patch cannot be had.
      if (!name.startsWith("a store")) expect([tool, failure?.message]).toEqual([tool, undefined]);
    }
    expect(existsSync(mark)).toBe(false);
    const status = await host.call("git_status", {});
    expect(status.text).toContain("modified: b.txt");
  });

test.skipIf(git.isMissing)(`the variables of the host that steer git do not reach it${git.note}`, async () => {
  const before = { ...process.env };
  try {
    process.env["GIT_EXTERNAL_DIFF"] = "/bin/false";
    process.env["GIT_DIR"] = "/nonexistent";
    process.env["GIT_CONFIG_COUNT"] = "1";
    process.env["GIT_CONFIG_KEY_0"] = "core.bare";
    process.env["GIT_CONFIG_VALUE_0"] = "true";
    await using host = openRepositoryHost({ "a.txt": "one\n" });
    host.write("a.txt", "two\n");
    expect((await host.call("git_diff")).text).toContain("-one\n+two");
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  }
});

test.skipIf(git.isMissing)(`git reads the roots and nothing else, and changes nothing in them${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n" });
  const { facts } = { facts: await host.call("git_status") };
  expect(facts.failure).toBeUndefined();
  host.write("a.txt", "two\n");
  const before = readdirSync(join(host.root, ".git")).sort();
  for (const [tool, args] of CALLS) await host.call(tool, args);
  expect(readdirSync(join(host.root, ".git")).sort()).toEqual(before);
  expect(host.git("status", "--porcelain").trim()).toBe("M a.txt");
});

const ELSEWHERE: readonly { readonly name: string; readonly lead: (host: RepositoryHost, other: string) => void }[] = [
  {
    name: "a .git file",
    lead(host, other) {
      Bun.spawnSync(["rm", "-rf", join(host.root, ".git")]);
      host.write(".git", `gitdir: ${other}/.git\n`);
    },
  },
  {
    name: "a link in the place of .git",
    lead(host, other) {
      Bun.spawnSync(["rm", "-rf", join(host.root, ".git")]);
      symlinkSync(join(other, ".git"), join(host.root, ".git"));
    },
  },
  {
    name: "a store of objects that it borrows from",
    lead: (host, other) => host.write(".git/objects/info/alternates", `${other}/.git/objects\n`),
  },
  {
    name: "a link in the place of its objects",
    lead(host, other) {
      Bun.spawnSync(["rm", "-rf", join(host.root, ".git", "objects")]);
      symlinkSync(join(other, ".git", "objects"), join(host.root, ".git", "objects"));
    },
  },
  {
    name: "a shared directory of work trees",
    lead: (host, other) => host.write(".git/commondir", `${other}/.git\n`),
  },
];

for (const { name, lead } of ELSEWHERE)
  test.skipIf(git.isMissing)(`a repository that leads out of the roots by ${name} is refused${git.note}`, async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { fence: "off" });
    const other = join(host.outside, "other");
    makeRepository(other);
    writeFileSync(join(other, "private.txt"), "private\n");
    runGit(other, "add", "--all");
    runGit(other, "commit", "--quiet", "--message", "private words");
    lead(host, other);
    for (const [tool, args] of CALLS) {
      const { failure, all } = await host.call(tool, args);
      expect([tool, failure?.code]).toEqual([tool, "outside_scope"]);
      expect(all).not.toContain("private words");
    }
  });

test.skipIf(git.isMissing)(
  `a work tree that the configuration puts elsewhere stays where it is${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { fence: "off" });
    writeFileSync(join(host.outside, "a.txt"), "outside\n");
    host.git("config", "core.worktree", host.outside);
    expect((await host.call("git_diff")).text).toBe("No differences.");
  },
);

test.skipIf(git.isMissing)(`a revision is never an option, a file or an object by its hash${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n", ".env": "TOKEN=hunter2hunter2\n" });
  const blob = host.git("rev-parse", "HEAD:.env").trim();
  for (const revision of ["--output=/tmp/x", "-p", "HEAD:.env", ":/first", "a b", "^main", blob, `${blob}..HEAD`]) {
    for (const [tool, args] of [
      ["git_diff", { from: revision }],
      ["git_log", { revision }],
      ["git_show", { revision }],
      ["git_blame", { path: "a.txt", revision }],
    ] as const) {
      const { failure, all } = await host.call(tool, args);
      expect([tool, revision, ["invalid_input", "not_found", "command_failed"].includes(failure?.code ?? "")]).toEqual([
        tool,
        revision,
        true,
      ]);
      expect(all).not.toContain("hunter2");
    }
  }
});
