/**
 * The starter set of examples/commands: every declaration loads, and each does its work where its program is installed.
 * git is given a repository whose configuration names a program wherever it can; none of them may run.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { loadCommands } from "../../src/config/index.ts";
import { hasLandlock } from "../binary/has-landlock.ts";
import type { CallAnswer, TestHost } from "../host/in-memory-host.ts";
import { openCommandHost } from "./command-host.ts";

const FOLDER = join(import.meta.dir, "..", "..", "examples", "commands");
const FENCE = hasLandlock() ? "require" : "off";

let top = "";
let root = "";

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-starter-")));
  root = join(top, "project");
  mkdirSync(root);
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

async function open(): Promise<TestHost> {
  const raw = await loadCommands({ roots: [root], commandFolders: [FOLDER] });
  return openCommandHost({ config: { ...raw, fence: FENCE } });
}

async function call(name: string, input: object = {}): Promise<CallAnswer> {
  await using host = await open();
  return await host.call(`cmd_${name}`, input);
}

function git(...args: readonly string[]): void {
  const identity = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"];
  const { success, stderr } = Bun.spawnSync(["git", ...identity, ...args], { cwd: root });
  if (!success) throw new Error(stderr.toString());
}

/** Every place where a repository can name a program that reading it would start. */
function plant(): void {
  const trap = join(root, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${join(root, "trapped")}\ncat\n`);
  chmodSync(trap, 0o755);
  for (const hook of ["post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction"]) {
    writeFileSync(join(root, ".git", "hooks", hook), `#!/bin/sh\n${trap} ${hook}\n`);
    chmodSync(join(root, ".git", "hooks", hook), 0o755);
  }
  for (const [key, value] of [
    ["core.fsmonitor", trap],
    ["core.pager", trap],
    ["pager.log", trap],
    ["diff.external", trap],
    ["diff.trap.textconv", trap],
    ["diff.trap.command", trap],
    ["filter.trap.clean", trap],
    ["filter.trap.smudge", trap],
    ["filter.trap.required", "true"],
    ["gpg.program", trap],
    ["log.showSignature", "true"],
    ["core.sshCommand", trap],
    ["alias.status", `!${trap}`],
  ] as const)
    git("config", key, value);
  writeFileSync(join(root, ".gitattributes"), "*.txt filter=trap diff=trap\n");
}

test("every declaration loads", async () => {
  const { commands } = await loadCommands({ roots: [root], commandFolders: [FOLDER] });
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
  expect(Object.keys(commands ?? {})).toHaveLength(files.length);
});

describe.skipIf(component("git").isMissing || process.platform === "win32")(`git${component("git").note}`, () => {
  beforeEach(() => {
    git("init", "-q", "-b", "main");
    writeFileSync(join(root, "a.txt"), "one\n");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    writeFileSync(join(root, "a.txt"), "two\n");
  });

  test("shows status, differences, commits and one commit", async () => {
    expect((await call("git_status")).text).toContain("## main\n M a.txt");
    expect((await call("git_diff", { paths: ["a.txt"] })).text).toContain("-one\n+two");
    expect((await call("git_diff", { revision: "HEAD", stat: true })).text).toContain("1 file changed");
    expect((await call("git_log", { limit: 5 })).text).toContain("first");
    expect((await call("git_show", { revision: "HEAD:a.txt" })).text).toContain("\none");
    expect((await call("git_show", { revision: "--output=x" })).failure?.code).toBe("invalid_input");
  });

  test("the declared git starts nothing that the repository names", async () => {
    plant();
    for (const [name, input] of [
      ["git_status", {}],
      ["git_diff", {}],
      ["git_diff", { staged: true }],
      ["git_log", { limit: 5, patch: true }],
      ["git_show", { revision: "HEAD" }],
    ] as const)
      expect([name, (await call(name, input)).text.split(",")[0]]).toEqual([name, "exit code 0"]);
    expect(existsSync(join(root, "trapped"))).toBe(false);
    // The traps are real ones.
    Bun.spawnSync(["git", "diff"], { cwd: root });
    expect(existsSync(join(root, "trapped"))).toBe(true);
  });
});

describe.skipIf(process.platform === "win32")("the tests of", () => {
  test.skipIf(component("make").isMissing)(
    `the tests of a Makefile run behind the fence, make${component("make").note}`,
    async () => {
      writeFileSync(join(root, "Makefile"), "check:\n\t@echo made $@ > made.txt; echo checked\n");
      const { text, all } = await call("make", { target: "check" });
      expect(text).toContain("exit code 0");
      expect(all).toContain("created made.txt");
      expect((await call("make", { target: "SHELL=evil" })).failure?.code).toBe("invalid_input");
    },
  );

  test.skipIf(component("npm").isMissing)(
    `the tests of an npm package run behind the fence${component("npm").note}`,
    async () => {
      writeFileSync(join(root, "package.json"), '{"scripts": {"test": "node --version && echo tested"}}');
      const { text } = await call("npm_test");
      expect(text).toMatch(/exit code 0.*\n(?:.*\n)*tested/);
    },
  );

  test.skipIf(component("cargo").isMissing)(
    `the tests of a crate run behind the fence${component("cargo").note}`,
    async () => {
      mkdirSync(join(root, "src"));
      writeFileSync(join(root, "Cargo.toml"), '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n');
      writeFileSync(join(root, "src", "lib.rs"), "#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n");
      const { text } = await call("cargo_test");
      expect(text).toContain("1 passed");
    },
  );

  test.skipIf(component("pytest").isMissing)(
    `the tests of a Python project run behind the fence${component("pytest").note}`,
    async () => {
      writeFileSync(join(root, "test_x.py"), "def test_adds():\n    assert 1 + 1 == 2\n");
      const { text } = await call("pytest");
      expect(text).toContain("1 passed");
    },
  );

  test.skipIf(component("go").isMissing)(
    `the tests of a Go module run behind the fence${component("go").note}`,
    async () => {
      writeFileSync(join(root, "go.mod"), "module x\n\ngo 1.20\n");
      writeFileSync(join(root, "x_test.go"), 'package x\n\nimport "testing"\n\nfunc TestX(t *testing.T) {}\n');
      expect((await call("go_test")).text).toContain("ok");
    },
  );
});
