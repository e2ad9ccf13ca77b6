/**
 * Rules that allow more than they seem to: `check` names them with an exit code of its own, `doctor` warns of them, and a
 * reason in the rule accepts one.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

const run = async (command: string, rules: readonly object[], ...more: string[]): Promise<CliResult> => {
  const path = join(place.path, "ringfence.json");
  writeFileSync(path, JSON.stringify({ shell: { enabled: true }, rules }, null, 1));
  const given = ["--root", place.root, "--state-dir", place.stateDir, "--config", path];
  return await runRingfence(place, [command, ...given, ...more]);
};

interface Found {
  readonly problems: readonly string[];
  readonly wide: readonly { readonly rule: string; readonly allows: string }[];
}

const findWide = async (allowed: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  const { stdout } = await run(
    "check",
    allowed.map((allow) => ({ allow })),
    "--json",
  );
  const { wide } = JSON.parse(stdout) as Found;
  return Object.fromEntries(wide.map(({ rule, allows }) => [rule, allows]));
};

test("check names every rule that lets through more than it seems to", async () => {
  const found = {
    "*": "every call of every tool",
    "group:all": "every call of every tool",
    shell: "any command line",
    "shell(*)": "any command line",
    "group:runtime": "any command line",
    "process_start(sh *)": "sh, a shell, which runs any command",
    "shell(bash*)": "bash, a shell, which runs any command",
    "shell(/bin/bash -c *)": "bash, a shell, which runs any command",
    "shell(bash -c 'echo *')": "bash, a shell, which runs any command",
    "shell(bash)": "bash, a shell, which runs any command",
    "shell(npm test && sh *)": "sh, a shell, which runs any command",
    "shell(A=* npm test)": "any command line",
    'shell(A=1 "node" *)': "node, an interpreter, which runs any code",
    "shell(python3.11 *)": "python3.11, an interpreter, which runs any code",
    "shell(curl https://example.com/*)": "curl, a downloader, which reaches any address",
    "shell(npx *)": "npx, a package runner, which fetches and runs any package",
    "shell(npm exec *)": "npm, a package manager, which fetches and runs any package",
    "shell(npm e*)": "npm, a package manager, which fetches and runs any package",
    "shell(timeout 5 *)": "timeout, which starts any other program",
    "shell(env A=1 perl *)": "perl, an interpreter, which runs any code",
    "shell(cat*)": "catchsegv, which starts any other program",
    "shell(find . *)": "find, a program that can start any other one",
    "shell(git *)": "git, every command of git, and aliases that start any program",
    "shell(eval *)": "eval, a command that runs its words as a command",
    "Bash(*)": "any command line",
    "Bash(sh *)": "sh, a shell, which runs any command",
    "shell(tar *)": "tar, a program that can start any other one",
    "shell(rsync -a *)": "rsync, a program that can start any other one",
    "shell(zip *)": "zip, a program that can start any other one",
    "shell(rg TODO *)": "rg, a program that can start any other one",
    "shell(ls && sort *)": "sort, a program that can start any other one",
    "shell(crontab *)": "crontab, which leaves any command for later",
    "shell(ansible-playbook *)": "ansible-playbook, which runs any task on any machine",
    "shell(docker *)": "docker, which runs any program of any image",
    "shell(docker run *)": "docker, which runs any program of any image",
    "shell(sudo docker ex*)": "docker, which runs any program of any image",
    "shell(docke*)": "docker, which runs any program of any image",
    "shell(kubectl exec pod *)": "kubectl, which runs any program in a cluster",
    "shell(go run *)": "go, which fetches, builds and runs any code",
    "shell(A=1 cargo *)": "cargo, which fetches, builds and runs any code",
    "shell(dotnet *)": "dotnet, which fetches, builds and runs any code",
    "shell(terraform apply *)": "terraform, which runs any provider and what a file names",
    "shell(make *)": "make, which runs whatever a file or an option names",
    "read_file(/**)": `paths outside of the root ${place.root} too`,
  };
  expect(await findWide(Object.keys(found))).toEqual(found);
});

test("check names no rule in which what is run stands before the star", async () => {
  const narrow = [
    "shell(npm test*)",
    "shell(npm run build *)",
    "shell(npx vitest *)",
    "shell(bash build.sh *)",
    "shell(python -m pytest *)",
    "shell(git status*)",
    "shell(ls *)",
    "shell(env)",
    "shell(docker ps*)",
    "shell(kubectl get *)",
    "shell(go test *)",
    "shell(cargo build*)",
    "shell(dotnet test *)",
    "shell(terraform fmt *)",
    "shell(make test*)",
    "shell(crontab -l)",
    "shell(cat *)",
    "shell(cp *)",
    "shell(mv *)",
    "shell(nice -n 5 make test*)",
    "shell(curl https://example.com/a)",
    "write_file(notes/**)",
    `read_file(${place.root}/**)`,
    "group:read",
    "run_command",
  ];
  expect(await findWide(narrow)).toEqual({});
});

test("check names a wide rule in the form NAME:* of other programs' settings as wide", async () => {
  const rules = [
    { allow: "Bash(sh:*)" },
    { deny: "Bash(npm:*)" },
    { ask: "shell(git commit:*)" },
    { allow: "shell(npm run a:*)" },
  ];
  const { code, stdout } = await run("check", rules, "--json");
  expect(code).toBe(4);
  const { problems, wide } = JSON.parse(stdout) as Found;
  expect([problems, wide.map(({ rule }) => rule)]).toEqual([[], ["Bash(sh:*)"]]);
});

test("check exits with 4 where a rule is wide and nothing else is wrong, and says where it stands", async () => {
  const { code, stdout } = await run("check", [{ allow: "shell(bash*)" }]);
  expect(code).toBe(4);
  expect(stdout).toMatch(
    /^wide: rule shell\(bash\*\) \(\S+ringfence\.json:\d+\) allows bash, a shell, which runs any/m,
  );
  expect(stdout).toContain('{"allow": "...", "accepted": "WHY"}');
  const broken = await run("check", [{ allow: "shell(bash*)" }, { deny: "no_such_tool" }]);
  expect(broken.code).toBe(1);
});

test("a reason in the rule accepts it, for check and for doctor", async () => {
  const rules = [{ allow: "shell(*)", accepted: "a throw-away container" }];
  const { code, stdout } = await run("check", rules);
  expect([code, stdout.includes("wide:")]).toEqual([0, false]);
  expect((await run("doctor", rules)).stdout).not.toContain("warn  the rule");
  expect((await run("check", [{ allow: "shell(*)", accepted: "" }])).code).toBe(2);
});

test("doctor warns of a rule that is wide, and does not fail for it", async () => {
  const { code, stdout } = await run("doctor", [{ allow: "shell(curl *)" }]);
  expect(stdout).toMatch(
    /^warn {2}the rule shell\(curl \*\) \(\S+\) allows curl, a downloader, which reaches any address$/m,
  );
  expect(code).toBe(0);
});
