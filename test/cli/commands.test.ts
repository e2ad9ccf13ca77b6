/**
 * Every command, with the exit codes pinned: 0 done, 1 the tool, proposal or check failed, 2 wrong usage, 3 the host
 * could not work. Wrong input is named, with the nearest right one, and never shown as a stack trace.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { binaryPath } from "../binary/build-binary.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence } from "./run-ringfence.ts";

let place: Place;

beforeAll(async () => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\n");
  await binaryPath();
});

afterAll(() => place[Symbol.dispose]());

const COMMANDS = [
  "init",
  "guard",
  "serve",
  "call",
  "review",
  "notify",
  "proposals",
  "history",
  "undo",
  "check",
  "explain",
  "grants",
  "rules",
  "report",
  "import",
  "upstream",
  "spaces",
  "audit",
  "sessions",
  "replay",
  "receipt",
  "tools",
  "doctor",
  "version",
  "completions",
];

describe("exit codes", () => {
  const cases: [args: string, code: number, said: string][] = [
    ["", 2, "Usage: ringfence COMMAND"],
    ["help", 0, "Usage: ringfence COMMAND"],
    ["--help", 0, "Exit codes: 0 done"],
    ["help --help", 0, "Usage: ringfence COMMAND"],
    ["help nope", 2, 'there is no command "nope"'],
    ["nope --help", 2, 'there is no command "nope"'],
    ["cal", 2, "did you mean call?"],
    ["proposal", 2, "did you mean proposals?"],
    ["--root .", 2, 'there is no command "--root"'],
    ["version", 0, "ringfence 0."],
    ["--version", 0, "ringfence 0."],
    ["-V", 0, "ringfence 0."],
    ["version extra", 2, '"extra" is one too many'],
    ["version --verbose", 2, "there is no flag --verbose"],
    ["sessions show", 2, "takes the ID of a session"],
    ["sessions shw", 2, "sessions takes list, show or delete"],
    ["sessions --limit=0", 2, "--limit takes a whole number"],
    ["sessions show ../x", 2, "that is no id of a session"],
    ["receipt", 2, "takes an AUDIT_ID"],
    ["receipt verify", 2, "takes the FILE of a receipt"],
    ["replay", 2, "takes the ID of a session"],
    ["tools", 0, "edit_file"],
    ["tools --jsn", 2, "did you mean --json?"],
    ["tools --dialect=claude", 0, "MultiEdit"],
    ["tools --dialect=claud", 2, "Did you mean claude?"],
    ["call --dialect=claude Read file_path=a.txt --root .", 0, "     1\tone"],
    ["call --dialect=claude Reed file_path=a.txt --root .", 2, "did you mean Read?"],
    ["explain --dialect=gemini replace file_path=a.txt old_string=a new_string=b --root .", 0, "edit_file"],
    ["serve some", 2, "a root is given as --root DIR"],
    ["serve --dialect=claude some", 2, "one too many"],
    ["serve --dialect=filesytem some", 2, "Did you mean filesystem?"],
    ["tools --json=yes", 2, "--json takes no value"],
    ["serve", 2, "no root was given"],
    ["serve --root", 2, "--root needs a value"],
    ["serve --root --strict", 2, "--root needs a value"],
    ["serve --rot .", 2, "did you mean --root?"],
    ["serve -r .", 2, "there is no flag -r"],
    ["serve .", 2, '"." is one too many'],
    ["serve --root . --mode edits", 2, "It is one of default, accept_edits, plan, bypass"],
    ["serve --root . --results json", 2, "text, structured"],
    ["serve --root . --legacy-encoding klingon", 2, "klingon"],
    ["serve --root . --containment none", 2, "auto, handle, portable"],
    ["serve --root a.txt", 2, "it is not a directory"],
    ["serve --root missing", 3, "it does not exist"],
    ["serve --root . --state-dir a.txt", 3, "Cannot use the state folder"],
    ["serve --root .", 0, ""],
    ["call", 2, "name the tool"],
    ["call read_file path=a.txt", 2, "no root was given"],
    ["call read_file path=a.txt --root missing", 3, "it does not exist"],
    ["call read_file path=a.txt --root .", 0, "one"],
    ["call read_file --root .", 1, "the argument path is missing"],
    ["call read_file path=b.txt --root .", 1, "not_found: "],
    ["call read_file path=/etc/passwd --root .", 1, "outside_scope: "],
    ["call raed_file path=a.txt --root .", 2, "did you mean read_file"],
    ["call read_file path --root .", 2, '"path" is not key=value'],
    ["call read_file =a.txt --root .", 2, '"=a.txt" is not key=value'],
    [`call grep {"pattern":"x"} --root .`, 2, "is not key=value; give a JSON object with --json"],
    ["call read_file pth=a.txt --root .", 1, "path"],
    ["call read_file --json {bad --root .", 2, "is not JSON"],
    ["call read_file --json [1] --root .", 1, "must be an object"],
    ["call read_file path=a.txt --root . --strict", 2, "there is no flag --strict"],
    ["proposals", 0, "No proposals are waiting"],
    ["proposals frobnicate", 2, "list, show, apply or reject"],
    ["proposals toString", 2, "list, show, apply or reject"],
    ["proposals show", 2, "ringfence proposals show ID"],
    ["proposals list p_x", 2, "takes no ids"],
    ["proposals show p_x", 1, 'Cannot find the proposal "p_x"'],
    ["proposals apply p_x", 1, 'Cannot find the proposal "p_x"'],
    ["proposals reject p_x", 1, 'Cannot find the proposal "p_x"'],
    ["proposals apply ../../etc/passwd", 1, "Cannot find the proposal"],
    ["proposals list --state-dir a.txt", 3, "Cannot use the state folder"],
    ["completions", 2, "bash, zsh or fish"],
    ["completions tcsh", 2, 'not "tcsh"'],
    ["completions bash zsh", 2, '"zsh" is one too many'],
    ["doctor", 0, "no root was given"],
    ["doctor --root .", 0, "(read-write)"],
    ["doctor --root .:ro", 0, "(read-only)"],
    ["doctor --root missing", 1, "FAIL"],
    ["doctor --root . --state-dir a.txt", 1, "FAIL"],
    ["doctor --mode x", 2, "--mode cannot be"],
    ["doctor --durability fast", 0, "not flushed to the disk (--durability=fast)"],
    ["serve --root . --undo-max-bytes lots", 2, "500M or 2G"],
    ["serve --root . --undo-max-age 7", 2, "12h or 30d"],
    ["serve --root . --answer-bytes much", 2, "64k or 1M"],
    ["serve --root . --answer-bytes 2M", 2, "1k at least and 1M at most"],
    ["serve --root . --answer-bytes 64k", 0, ""],
    ["serve --root . --tasks-after-ms soon", 2, "takes a whole number"],
    ["serve --root . --tasks-after-ms 9999999999", 2, "0 means that no call becomes a task"],
    ["serve --root . --undo-max-bytes 2G --undo-max-age 30d", 0, ""],
  ];
  test.each(cases)("`ringfence %s` exits with %i", async (args, code, said) => {
    const result = await runRingfence(place, args === "" ? [] : args.split(" "));
    expect({ code: result.code, all: result.stdout + result.stderr }).toEqual({
      code,
      all: expect.stringContaining(said),
    });
    // What went wrong is for the person; what was asked for is for the next program. A tool's failure is an answer.
    if (code >= 2 && args !== "") expect(result.stdout).toBe("");
    if (code >= 2 && args !== "") expect(result.stderr).toMatch(/^error: [a-z_]+: /);
  });
});

describe("help", () => {
  test.each(COMMANDS)("for %s has a line for every flag, examples and no line that is too wide", async (name) => {
    const { code, stdout } = await runRingfence(place, [name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: ringfence ${name}`);
    expect(stdout).toMatch(/Examples:\n {2}\S/);
    expect(stdout.split("\n").filter((line) => line.length > 140 || line !== line.trimEnd())).toEqual([]);
    expect((await runRingfence(place, ["help", name])).stdout).toBe(stdout);
  });

  test("the program without a command names every command", async () => {
    const { stdout } = await runRingfence(place, ["help"]);
    const rows = stdout.split("\n").flatMap((line) => /^ {2}([a-z]+) {2,}\S/.exec(line)?.[1] ?? []);
    expect(rows).toEqual(COMMANDS);
  });
});

test("version prints version, commit, runtime and target", async () => {
  const { stdout } = await runRingfence(place, ["version"]);
  expect(stdout).toMatch(
    /^ringfence \d+\.\d+\.\d+ \(commit (?:[0-9a-f]{7,}|unknown), bun \d+\.\d+\.\d+, [a-z]+-[a-z0-9-]+\)\n$/,
  );
});

test("tools --json prints what clients get", async () => {
  const { stdout } = await runRingfence(place, ["tools", "--json"]);
  const tools = JSON.parse(stdout) as { name: string; inputSchema: { type: string } }[];
  const shown = builtinTools.filter(({ effect }) => effect !== "show").map(({ name }) => name);
  expect(tools.map(({ name }) => name)).toEqual(shown);
  expect(tools.filter(({ inputSchema }) => inputSchema.type !== "object")).toEqual([]);
  const all = await runRingfence(place, ["tools", "--json", "--all"]);
  expect(JSON.parse(all.stdout)).toHaveLength(builtinTools.length);
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "doctor names a root that cannot be read",
  async () => {
    using locked = new Place();
    chmodSync(locked.root, 0);
    const { code, stdout } = await runRingfence(place, ["doctor", "--root", locked.root]);
    chmodSync(locked.root, 0o700);
    expect(code).toBe(1);
    expect(stdout).toContain("FAIL");
  },
);

const script = component("script");
const hasScript = process.platform === "linux" && !script.isMissing;

describe(`colours${script.note}`, () => {
  const line = '"$BINARY" serve --rot x';

  test.skipIf(!hasScript)("colours are printed on a terminal", async () => {
    expect(await onTerminal(line)).toContain("\u001b[31merror:\u001b[0m invalid_input: there is no flag --rot");
  });

  test.skipIf(!hasScript)("colours are not printed when NO_COLOR is set", async () => {
    expect(await onTerminal(`NO_COLOR=1 ${line}`)).not.toContain("\u001b");
  });
});

async function onTerminal(line: string): Promise<string> {
  const child = Bun.spawn(["script", "-qec", line, "/dev/null"], {
    env: { PATH: process.env["PATH"], BINARY: await binaryPath(), HOME: place.path, TERM: "xterm" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return await child.stdout.text();
}
