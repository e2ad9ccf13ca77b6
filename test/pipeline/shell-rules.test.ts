/**
 * What rules say of command lines: one that denies or asks holds for the program wherever it stands in the line and however it is
 * written, and one that allows lets nothing through that no tool may touch. Nothing runs: the decision is explained.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import type { Explanation } from "../../src/calls/index.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { openCommandHost, type CommandHostOptions } from "../proc/command-host.ts";

const FILES = {
  "a.txt": "one\n",
  ".env": "KEY=zanzibar\n",
  "private/x.txt": "hidden\n",
  "open/b.txt": "two\n",
  "nested/deep/.ringfence.json": "{}\n",
};

function open(config: CommandHostOptions["config"]): TestHost {
  return openCommandHost({ files: FILES, config: { mode: "default", shell: { enabled: true }, ...config } });
}

async function decide(host: TestHost, command: string): Promise<string> {
  const { result, error } = await host.request("ringfence/policy/explain", { name: "shell", arguments: { command } });
  expect(error).toBeUndefined();
  return (result as Explanation).decision.type;
}

async function decisions(host: TestHost, commands: readonly string[]): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const command of commands) all[command] = await decide(host, command);
  return all;
}

function each(commands: readonly string[], type: string): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, type]));
}

test("a line is not started in a directory that is closed, whatever it names", async () => {
  await using host = open({ rules: [{ deny: "group:fs(private/**)" }, { allow: "shell(make)" }] });
  for (const [cwd, type] of [
    ["private", "deny"],
    ["open", "allow"],
    [host.outside, "deny"],
  ] as const) {
    const call = { command: "make", cwd };
    const { result } = await host.request("ringfence/policy/explain", { name: "shell", arguments: call });
    expect([cwd, (result as Explanation).decision.type]).toEqual([cwd, type]);
  }
  expect((await host.call("shell", { command: "make", cwd: "private" })).failure?.code).toBe("denied");
  const call = { name: "shell", arguments: { command: "make", cwd: host.outside } };
  const said = (await host.request("ringfence/policy/explain", call)).result as Explanation;
  expect(said.decision.reason).toBe(`Cannot run in "${host.outside}": it is outside the roots`);
});

describe("a rule that denies or asks about a program", () => {
  const PUSHES = [
    "git push",
    "git  push",
    " git push",
    'git "push"',
    "git pu\\sh",
    "git -C . push",
    "git --no-pager -C open push origin",
    "git -c a=b push",
    "/usr/bin/git push",
    "true; git push",
    "ls\ngit push",
    "(git push)",
    "{ git push; }",
    "env git push",
    "X=1 git push",
    "timeout 5 git push",
    "bash -c 'git push'",
    "echo origin | xargs git push",
  ];

  test.each(["default", "bypass"] as const)(
    "a rule against a program holds however the line is written, in mode %s",
    async (mode) => {
      await using host = open({ mode, rules: [{ allow: "shell(git *)" }, { deny: "shell(git push*)" }] });
      expect(await decisions(host, PUSHES)).toEqual(each(PUSHES, "deny"));
      expect(await decide(host, "git log --oneline")).toBe("allow");
    },
  );

  test("a rule that asks is stricter than one that allows more", async () => {
    await using host = open({ rules: [{ allow: "shell(npm *)" }, { ask: "shell(npm run deploy*)" }] });
    const deploys = ["npm run  deploy", 'npm run "deploy"', "npm run --silent deploy", "npm --prefix open run deploy"];
    expect(await decisions(host, deploys)).toEqual(each(deploys, "ask"));
    expect(await decide(host, "npm run build")).toBe("allow");
  });

  test("a rule that denies holds for names that are written with a folder or behind --", async () => {
    await using host = open({ mode: "bypass", rules: [{ deny: "shell(touch x*)" }] });
    const touches = ["touch  x1", "touch -- x1", "touch ./x1", "touch 'x1'", "touch -a x1"];
    expect(await decisions(host, touches)).toEqual(each(touches, "deny"));
    expect(await decide(host, "touch y1")).toBe("allow");
  });
});

describe("a rule that allows a program", () => {
  const rules = ["cat", "cp", "mv", "rm", "grep", "wc", "xargs", "env", "sh"].map((name) => ({
    allow: `shell(${name} *)`,
  }));

  test("a program that is allowed may touch what is open, by name and by pattern", async () => {
    await using host = open({ rules, deny: ["private/**"] });
    const lines = ["cat a.txt", "cat *.txt", "cat open/*", "cp open/b.txt c.txt", "rm -r open", "grep -r two open"];
    expect(await decisions(host, lines)).toEqual(each(lines, "allow"));
  });

  test("a program that is allowed may touch nothing that is closed", async () => {
    await using host = open({ rules, deny: ["private/**"] });
    const named = ["cat .env", "cat private/x.txt", "wc --files0-from=private/x.txt", "xargs -a private/x.txt echo"];
    expect(await decisions(host, named)).toEqual(each(named, "deny"));
    const found = [
      "cat .en*",
      "cat .e[n]v",
      "cat p*/x.txt",
      "cat p?ivate/*",
      "mv p*e open",
      "cp -r p* copy",
      "sh -c 'cat .e*'",
      "grep -r '' .",
      "env -C private cat x.txt",
    ];
    expect(await decisions(host, found)).toEqual(each(found, "ask"));
  });

  test("a program that is allowed may carry away no file that decides about the tools", async () => {
    await using host = open({ rules });
    const lines = ["mv nested n2", "rm -r nested/deep", "mv nested/deep/.ringfence.json b"];
    expect(await decisions(host, lines)).toEqual(each(lines, "deny"));
    expect(await decide(host, "mv neste* n2")).toBe("ask");
  });

  test("a program that is allowed may leave the roots only behind a fence", async () => {
    await using host = open({ rules });
    symlinkSync(host.outside, join(host.root, "out"));
    mkdirSync(join(host.outside, "d"));
    writeFileSync(join(host.outside, "d/x"), "x");
    const lines = ["cat /etc/hostname", "cat ../outside/d/x", "cp a.txt /srv/x"];
    expect(await decisions(host, lines)).toEqual(each(lines, "ask"));
  });
});

test("the mode bypass expands a pattern over closed files no more than a rule does", async () => {
  await using host = open({ mode: "bypass", deny: ["private/**"] });
  const lines = ["cat ./.en[v]", "sed -i s/a/b/ p*/x.txt", "mv p*e open"];
  expect(await decisions(host, lines)).toEqual(each(lines, "ask"));
  expect(await decide(host, "rm -f *.txt")).toBe("allow");
});

test("a line that searches for secrets is asked about as the tool that searches is", async () => {
  await using host = open({});
  const lines = [
    "grep -rn 'password=' open",
    "rg AKIA open",
    "cat a.txt | grep 'PRIVATE KEY'",
    "grep -e api_key open/b.txt",
    "grep --regexp=password open/b.txt",
    "git grep 'PRIVATE KEY'",
  ];
  expect(await decisions(host, lines)).toEqual(each(lines, "ask"));
  expect(await decide(host, "grep -rn two open")).toBe("allow");
  await using other = open({ secrets: { search_terms: "allow" } });
  expect(await decide(other, "grep -rn 'password=' open")).toBe("allow");
});
