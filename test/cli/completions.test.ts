/**
 * The completion scripts are made from the commands themselves; the one for bash is run by bash.
 */
import { describe, expect, test } from "bun:test";
import { component } from "../components/component.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence } from "./run-ringfence.ts";

const COMMANDS = ["serve", "call", "proposals", "tools", "doctor", "version", "completions"];

async function scriptFor(shell: string): Promise<string> {
  using place = new Place();
  return (await runRingfence(place, ["completions", shell])).stdout;
}

test.each(["bash", "zsh", "fish"])("the script for %s names every command, tool and flag", async (shell) => {
  const script = await scriptFor(shell);
  const words = [...COMMANDS, "read_file", "edit_file", "reject", "--root", "--state-dir", "--json", "--help"];
  expect(words.filter((word) => !script.includes(word))).toEqual([]);
});

test.each([
  ["bash", 'compgen -W "default accept_edits plan bypass"'],
  ["zsh", "compadd -- default accept_edits plan bypass; return"],
  ["fish", '-l mode -x -a "default accept_edits plan bypass"'],
])("the script for %s offers the values of a flag behind it", async (shell, line) => {
  expect(await scriptFor(shell)).toContain(line);
});

describe.each(["bash", "zsh", "fish"] as const)("%s", (shell) => {
  const { isMissing, note } = component(shell);
  test.skipIf(isMissing)(`the completions are read by the shell without an error${note}`, async () => {
    const check = Bun.spawn([shell, "-n"], { stdin: Buffer.from(await scriptFor(shell)), stderr: "pipe" });
    expect({ code: await check.exited, stderr: await check.stderr.text() }).toEqual({ code: 0, stderr: "" });
  });
});

describe.skipIf(component("bash").isMissing)(`bash completes${component("bash").note}`, () => {
  const cases: [typed: string[], expected: string[]][] = [
    [["pro"], ["proposals"]],
    [
      ["call", "read_"],
      ["read_file", "read_files"],
    ],
    [["proposals", "re"], ["reject"]],
    [["serve", "--ro"], ["--root"]],
    [["completions", "z"], ["zsh"]],
    [
      ["serve", "--mode", ""],
      ["accept_edits", "bypass", "default", "plan"],
    ],
    [["init", "--scope", "u"], ["user"]],
    [["call", "read_file", "--config", import.meta.path.slice(0, -1)], [import.meta.path]],
    [["serve", "--state-dir", "/et"], ["/etc"]],
    [["sessions", "--limit", ""], [""]],
  ];
  test.each(cases)("bash completes %j", async (typed, expected) => {
    const line = `${await scriptFor("bash")}
COMP_WORDS=(ringfence "$@"); COMP_CWORD=$#
_ringfence
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const shell = Bun.spawn(["bash", "-c", line, "bash", ...typed], { stdout: "pipe", stderr: "pipe" });
    const [said, errors] = await Promise.all([shell.stdout.text(), shell.stderr.text()]);
    expect([errors, said.trim().split("\n").sort()]).toEqual(["", expected]);
  });
});
