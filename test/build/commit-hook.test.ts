/**
 * The commit hook, as git runs it: a temporary repository with the hooks of this one, set up in the way the gate does it.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { component } from "../components/component.ts";

const HOOKS = join("scripts", "hooks");
const tools = component("git");
let top: string;

beforeAll(() => {
  if (!tools.isMissing) top = newRepository();
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

function newRepository(): string {
  const made = mkdtempSync(join(tmpdir(), "ringfence-hook-"));
  git(made, "init", "--quiet", "--initial-branch=main");
  cpSync(join(REPOSITORY, HOOKS), join(made, HOOKS), { recursive: true });
  return made;
}

/** Without the settings of whoever runs the tests, and without what a hook that runs them has set. */
function git(cwd: string, ...args: string[]): { code: number; stdout: string; stderr: string } {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const who = { NAME: "A", EMAIL: "a@example.org" };
  const env = {
    ...Object.fromEntries(own),
    ...Object.fromEntries(
      Object.entries(who).flatMap(([name, value]) => [
        [`GIT_AUTHOR_${name}`, value],
        [`GIT_COMMITTER_${name}`, value],
      ]),
    ),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...args], { cwd, env });
  return { code: exitCode, stdout: stdout.toString().trim(), stderr: stderr.toString() };
}

function setUp(cwd: string): void {
  const script = `import { setUpHooks } from ${JSON.stringify(join(REPOSITORY, HOOKS, "set-up-hooks.mjs"))}; setUpHooks(process.cwd());`;
  const { env } = process;
  const done = Bun.spawnSync(["node", "--input-type=module", "-e", script], {
    cwd,
    env: { ...env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
  expect(done.stderr.toString()).toBe("");
}

/** Commits a file of so many lines. */
function commit(message: string, lines = 1): { code: number; stderr: string } {
  writeFileSync(join(top, "a.txt"), Array.from({ length: lines }, () => `${Bun.randomUUIDv7()}\n`).join(""));
  git(top, "add", "a.txt");
  return git(top, "commit", "--quiet", "-m", message);
}

function subject(length: number): string {
  return `test: add ${"x".repeat(length - 10)}`;
}

describe.skipIf(tools.isMissing)(`the commit hook${tools.note}`, () => {
  test("the commit hook is set up by the gate in a checkout, and a setting of one's own stays", () => {
    setUp(top);
    expect(git(top, "config", "core.hooksPath").stdout).toBe("scripts/hooks");
    git(top, "config", "core.hooksPath", "elsewhere");
    setUp(top);
    expect(git(top, "config", "core.hooksPath").stdout).toBe("elsewhere");
    git(top, "config", "core.hooksPath", HOOKS);
  });

  const refused: [what: string, message: string, lines: number, said: string][] = [
    ["a subject of 73 characters", subject(73), 1, "73 characters"],
    ["a subject without an area", "Fix the thing", 1, "area: imperative"],
    ["a sentence about what is", "test: the hook is there", 1, "area: imperative"],
    ["a past tense", "test: added a hook", 1, "area: imperative"],
    ["a third person", "test: adds a hook", 1, "area: imperative"],
    ["a capital after the area", "test: Add a hook", 1, "area: imperative"],
    ["no body at 50 changed lines", "test: add a file", 60, "changed lines need a body"],
    ["a body without an empty line before it", "test: add a file\nbecause", 1, "empty line"],
  ];
  test.each(refused)("the commit hook refuses %s", (_what, message, lines, said) => {
    const { code, stderr } = commit(message, lines);
    expect(code).not.toBe(0);
    expect(stderr).toContain(said);
  });

  const taken: [what: string, message: string, lines: number][] = [
    ["a subject of 72 characters", subject(72), 1],
    ["two areas", "config, cli: make flags from one table", 1],
    ["an imperative that ends like a third person", "pool: process pings", 1],
    ["an imperative that ends like a past tense", "wire: embed the version", 1],
    ["50 changed lines with a body", "test: add a file\n\nIt shows that bodies are read.", 60],
    ["a mark for an earlier commit", "fixup! anything", 60],
  ];
  test.each(taken)("the commit hook takes %s", (_what, message, lines) => {
    expect(commit(message, lines)).toMatchObject({ code: 0, stderr: "" });
  });

  test("the commit hook leaves merges alone", () => {
    git(top, "switch", "--quiet", "-c", "side");
    writeFileSync(join(top, "side.txt"), "side\n".repeat(60));
    git(top, "add", "side.txt");
    expect(git(top, "commit", "--quiet", "-m", "test: add a side\n\nIt is merged.").code).toBe(0);
    git(top, "switch", "--quiet", "main");
    expect(commit("test: change the main line\n\nIt is merged too.").code).toBe(0);
    expect(git(top, "merge", "--no-ff", "-m", "Merge branch 'side'", "side")).toMatchObject({ code: 0 });
    expect(git(top, "log", "-1", "--format=%s").stdout).toBe("Merge branch 'side'");
  });
});
