/**
 * The commands about the policy and the record, with the compiled binary: what they print, what they exit with, that a
 * host behind its fence obeys its configuration, and that the record survives a kill and two hosts at once.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, proposalOf, ServeProcess } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\n");
});
afterEach(() => place[Symbol.dispose]());

const RULES = {
  mode: "accept_edits",
  rules: [
    { deny: "write_file(gen/**)", reason: "made by a tool", match: ["write_file(gen/a)"] },
    { ask: "read_file(src/**)" },
  ],
};

function configure(config: object | string): string {
  const path = join(place.path, "ringfence.json");
  writeFileSync(path, typeof config === "string" ? config : JSON.stringify(config, null, 1));
  return path;
}

const run = async (...args: string[]): Promise<CliResult> =>
  await runRingfence(place, [...args, "--state-dir", place.stateDir]);

describe("check", () => {
  test("prints every value with its origin, and exits with 0", async () => {
    const path = configure(RULES);
    const { code, stdout } = await run("check", "--root", ".", "--config", path, "--results", "structured");
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^mode +${path} +"accept_edits"$`, "m"));
    expect(stdout).toMatch(/^results +command line +"structured"$/m);
    expect(stdout).toMatch(/^fence +built-in +"auto"$/m);
    expect(stdout).toContain("2 rules; 1 example holds.");
  });

  test("names dead and impossible rules, and names of tools that are not there", async () => {
    const path = configure({
      rules: [{ deny: "write_file" }, { allow: "write_file(a)" }, { ask: "wrte_file" }],
      tools: { deny: ["group:nope"] },
    });
    const { code, stdout } = await run("check", "--config", path);
    expect(code).toBe(1);
    expect(stdout).toContain("problem: dead rule write_file(a)");
    expect(stdout).toContain("problem: impossible rule wrte_file");
    expect(stdout).toContain('problem: there is no tool or group "group:nope"');
  });

  test("check and doctor say that a pack is not there, each once", async () => {
    const path = configure({ packs: { documents: {} } });
    const said = 'packs.documents: there is no pack "documents"';
    const checked = await run("check", "--root", ".", "--config", path);
    expect([checked.code, checked.stdout.split(said).length]).toEqual([1, 2]);
    const examined = await run("doctor", "--root", ".", "--config", path);
    expect([examined.code, `${examined.stdout}${examined.stderr}`.split(said).length]).toEqual([2, 2]);
  });

  test.each([
    ['{"mdoe": "plan"}', "did you mean mode?"],
    ['{"rules": [{"deny": "write_file(a)", "match": ["write_file(b)"]}]}', "does not match its example"],
    ["{", "it is not JSON"],
  ])("%s is wrong usage, here and for serve", async (text, said) => {
    const path = configure(text);
    for (const command of ["check", "serve"]) {
      const { code, stderr } = await run(command, "--root", ".", "--config", path);
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
  });

  test("check finds the file of the user, and lets that of a root only narrow", async () => {
    mkdirSync(join(place.path, "config", "ringfence"), { recursive: true });
    writeFileSync(join(place.path, "config", "ringfence", "ringfence.yaml"), "mode: default\n");
    writeFileSync(join(place.root, ".ringfence.json"), '{"mode": "bypass", "deny": ["x"]}');
    const { stdout } = await runRingfence(place, ["check", "--root", ".", "--state-dir", place.stateDir], {
      env: { XDG_CONFIG_HOME: join(place.path, "config") },
    });
    expect(stdout).toMatch(/^mode +\S+ringfence\.yaml +"default"$/m);
    expect(stdout).toMatch(/^deny +\S+\.ringfence\.json +\["x"\]$/m);
  });
});

test("two configuration files in one directory are refused by name, because the second would not hold", async () => {
  const folder = join(place.path, "config", "ringfence");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ringfence.json"), "{}");
  writeFileSync(join(folder, "ringfence.yaml"), "rules: [{deny: 'read_file(a.txt)'}]\n");
  const env = { XDG_CONFIG_HOME: join(place.path, "config") };
  for (const args of [["check"], ["call", "read_file", "path=a.txt"]]) {
    const { code, stderr } = await runRingfence(place, [...args, "--root", "."], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(
      `Cannot use the configuration "${join(folder, "ringfence.json")}": "${join(folder, "ringfence.yaml")}" is there too`,
    );
  }
});

test("check knows that a client may bring tools of its own", async () => {
  const rules = '{"rules": [{"allow": "client_space_*"}], "tools": {"deny": ["client_x"]}}';
  expect((await run("check", "--root", ".", "--config", configure(rules))).code).toBe(0);
});

test("policy explain names the rule with its file and line", async () => {
  const path = configure(RULES);
  const given = ["--root", ".", "--config", path];
  const denied = await run("explain", "write_file", "path=gen/a", "content=x", ...given);
  expect(denied.stdout).toContain("deny: write_file, made by a tool\n");
  expect(denied.stdout).toContain(`rule: write_file(gen/**) (${path}:5)`);
  const asked = await run("explain", "read_file", "path=src/a", ...given);
  const call = { risk: "R1", acts: [["read", place.root, "src/a"]] };
  expect(asked.stdout).toContain(`ringfence grants add 'read_file(exact:${JSON.stringify({ call })})'`);
  expect((await run("explain", "nope", ...given)).code).toBe(2);
});

test("grants are added, hold behind the fence, are listed and revoked", async () => {
  const given = ["--root", ".", "--config", configure(RULES)];
  mkdirSync(join(place.root, "src"));
  writeFileSync(join(place.root, "src", "a"), "inside\n");
  expect((await run("call", "read_file", "path=src/a", ...given)).code).toBe(1);
  const added = await run("grants", "add", "read_file(src/**)", ...given);
  const [, id = ""] = /\((g_\S+)\)/.exec(added.stdout) ?? [];
  expect((await run("call", "read_file", "path=src/a", ...given)).stdout).toContain("inside");
  expect((await run("grants")).stdout).toContain(id);
  expect((await run("grants", "revoke", id)).code).toBe(0);
  expect((await run("grants", "revoke", id)).code).toBe(1);
  expect((await run("call", "read_file", "path=src/a", ...given)).code).toBe(1);
  expect((await run("grants", "add")).code).toBe(2);
});

describe("the record", () => {
  test("the record is shown, filtered, exported and verified", async () => {
    await run("call", "read_file", "path=a.txt", "--root", ".");
    await run("call", "read_file", "path=missing", "--root", ".");
    const shown = await run("audit", "show", "--event", "failed", "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ event: "failed", tool: "read_file", code: "not_found" });
    expect((await run("audit", "show", "--tool", "read_file")).stdout).toMatch(/completed +read_file/);
    const otlp = JSON.parse((await run("audit", "export", "--format", "otlp")).stdout);
    expect(otlp.resourceLogs[0].scopeLogs[0].logRecords.length).toBeGreaterThan(8);
    const ocsf = (await run("audit", "export", "--format", "ocsf")).stdout.trim().split("\n");
    expect(ocsf.map((line) => JSON.parse(line).class_uid)).toEqual(ocsf.map(() => 6003));
    expect((await run("audit", "key")).stdout).toStartWith("-----BEGIN PUBLIC KEY-----");
    expect((await run("audit", "verify")).code).toBe(0);
    expect((await run("audit", "export")).code).toBe(2);
  });

  test("the record does not verify when it was emptied and its key is there, and does when it was never begun", async () => {
    expect((await run("audit", "verify")).stdout).toBe("No record was begun here so far.\n");
    expect((await run("audit", "verify")).code).toBe(0);
    expect((await run("audit", "key")).stdout).toStartWith("-----BEGIN PUBLIC KEY-----");
    expect((await run("audit", "verify")).stdout).toContain("The record is as it was written.");
    await run("call", "read_file", "path=a.txt", "--root", ".");
    for (const part of ["audit", "checkpoints"])
      for (const name of readdirSync(join(place.stateDir, part))) rmSync(join(place.stateDir, part, name));
    const emptied = await run("audit", "verify");
    expect(emptied.stdout).toContain("the record is empty, and its key shows that there was one");
    expect(emptied).toMatchObject({ code: 1, stdout: expect.stringContaining("was tampered with") });
    await run("call", "read_file", "path=a.txt", "--root", ".");
    expect(await run("audit", "verify")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("was begun when nothing but the key was left"),
    });
  });

  test("the record does not verify when a line was edited, which is named", async () => {
    await run("call", "read_file", "path=a.txt", "--root", ".");
    const folder = join(place.stateDir, "audit");
    const path = join(folder, readdirSync(folder)[0]!);
    writeFileSync(path, readFileSync(path, "utf8").replace('"a.txt"', '"b.txt"'));
    const { code, stdout } = await run("audit", "verify");
    expect(code).toBe(1);
    expect(stdout).toContain("line 4 is not what was written");
  });

  test("the record is whole when two hosts write at once and one of them is killed", async () => {
    await using first = await ServeProcess.start(place);
    await using second = await ServeProcess.start(place);
    for (let n = 1; n <= 300; n++) {
      first.call(n, "read_file", { path: "a.txt" });
      second.call(n, "append_file", { path: `b${n % 7}.txt`, content: "x\n" });
    }
    await first.answer(300);
    await second.answer(20);
    await second[Symbol.asyncDispose]();
    expect(await first.close()).toBe(0);
    const { code, stdout } = await run("audit", "verify", "--json");
    expect(code).toBe(0);
    const { segments } = JSON.parse(stdout) as { segments: { lines: number }[] };
    expect(segments).toHaveLength(2);
    expect(Math.max(...segments.map(({ lines }) => lines))).toBe(3 + 300 * 4);
  });
});

test("ringfence serve holds changes to what was read, unless it is told not to", async () => {
  const command = ["serve", "--root", place.root, "--state-dir", place.stateDir];
  await using host = await ServeProcess.start(place, { command });
  const edit = { path: "a.txt", old_text: "one", new_text: "1" };
  host.call(1, "edit_file", edit);
  expect((await host.answer(1)).result?.content?.at(-1)?.text).toContain("was not read");
  host.call(2, "read_file", { path: "a.txt" });
  await host.answer(2);
  host.call(3, "edit_file", edit);
  expect((await host.answer(3)).result?.content?.at(-1)?.text).toContain("Proposed");
});

describe.skipIf(process.platform !== "linux")("commands of a configuration file", () => {
  test("commands of a configuration file are tools of the host, behind its fence too, and those of a folder beside them", async () => {
    const folder = join(place.path, "declared");
    mkdirSync(folder);
    writeFileSync(join(folder, "there.yaml"), "description: x\nprogram: /bin/pwd\nrisk: R1\n");
    const here = { description: "x", program: "/bin/echo", args: ["here"], risk: "R1" };
    const rules = [{ deny: "cmd_never" }];
    const path = configure({
      rules,
      command_folders: ["declared"],
      commands: { here },
      shell: { enabled: true },
    });
    for (const [tool, said] of [
      ["cmd_here", "\nhere"],
      ["cmd_there", `\n${place.root}`],
    ] as const) {
      const { code, stdout, stderr } = await run("call", tool, "--root", ".", "--config", path);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(said);
    }
    const checked = await run("check", "--root", ".", "--config", path);
    expect(checked.stdout).toContain("cmd_never");
    expect(checked.stdout).not.toContain("cmd_here");
  });

  test("commands of a configuration file are asked about, and their proposals are run only by the host that made them", async () => {
    const make = { description: "x", program: "/bin/sh", args: ["-c", "echo x > made"] };
    const path = configure({ commands: { make } });
    const args = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--config", path];
    const host = await ServeProcess.start(place, { command: args });
    host.call(1, "cmd_make", {});
    const { id } = proposalOf(await host.answer(1));
    const { code, stdout } = await run("proposals", "show", id, "--json");
    expect(code).toBe(0);
    const label = `${id}@${(JSON.parse(stdout) as { digest: string }).digest}`;
    await host.close();
    const applied = await run("proposals", "apply", label);
    expect(applied.code).toBe(1);
    expect(applied.stderr).toContain("the host that proposed it has ended");
    expect(readdirSync(place.root)).not.toContain("made");
  });

  test("a command that is asked about leaves no proposal behind `call`, which ends with its answer", async () => {
    const make = { description: "x", program: "/bin/sh", args: ["-c", "echo x > made"] };
    const path = configure({ commands: { make } });
    const made = await run("call", "cmd_make", "--root", ".", "--config", path);
    expect(made.code).toBe(1);
    expect(made.stdout).toStartWith('needs_approval: Cannot call "cmd_make" yet');
    expect(made.stdout).toContain("ringfence grants add");
    expect((await run("proposals", "list", "--json")).stdout.trim()).toBe("[]");
    expect(readdirSync(place.root)).not.toContain("made");
  });
});

test("policy explain takes a path alone, and says what else could matter", async () => {
  const path = configure(RULES);
  const said = async (...args: string[]): Promise<string> =>
    (await run("explain", ...args, "--root", ".", "--config", path)).stdout;
  expect(await said("write_file", "path=gen/x")).toContain("deny: write_file, made by a tool");
  const ordinary = await said("write_file", "path=a.txt");
  expect(ordinary).toContain("not given: content, which does not change the decision");
  expect(ordinary).toContain("not given: if_hash, which could change the decision");
  const nothing = await run("explain", "copy", "--root", ".");
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toContain("without source, destination");
});
