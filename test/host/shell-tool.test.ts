/**
 * The shell tool as a client meets it: reading runs, the rest is asked about or refused, and no path in a line escapes the
 * rules of the files.
 */
import { describe, expect, test } from "bun:test";
import { hostOfEachTest, openCommandHost, script, toolNames, withLauncher } from "../proc/command-host.ts";
import { settled } from "../waits/until.ts";
import { openAsker } from "./asker.ts";
import { GATED, openGate } from "./gate.ts";

const open = hostOfEachTest();

describe.skipIf(process.platform === "win32")("the shell", () => {
  const shell = { enabled: true };

  test("the shell is not there unless it is enabled", async () => {
    {
      await using other = openCommandHost({ config: { commands: { x: script("true") } as never } });
      expect(await toolNames(other)).not.toContain("shell");
    }
    expect(await toolNames(open({}, { shell }))).toContain("shell");
  });

  test("the shell runs lines that only read at once, by each of its names", async () => {
    const opened = open({}, { shell, mode: "default" }, { "a.txt": "one\ntwo\n" });
    for (const name of ["shell", "bash", "shell.exec"])
      expect((await opened.call(name, { command: "cat a.txt | head -n 1" })).text).toMatch(
        /^exit code 0, [\d.]+ m?s\none$/,
      );
  });

  test("the shell asks about the other lines, with the reasons", async () => {
    const opened = open({}, { shell, mode: "default" });
    const answer = await opened.call("shell", { command: "echo x > made.txt" });
    expect(answer.proposal?.summary).toBe("Run echo x > made.txt");
    expect(() => opened.read("made.txt")).toThrow();
    await opened.apply(answer);
    expect(opened.read("made.txt")).toBe("x\n");
  });

  test("never runs unasked what cannot be read, whatever the mode", async () => {
    const opened = open({}, { shell, mode: "bypass" });
    expect((await opened.call("shell", { command: "echo x > made.txt" })).proposal).toBeUndefined();
    expect((await opened.call("shell", { command: 'eval "$(cat made.txt)"' })).proposal).toBeDefined();
    expect((await opened.call("shell", { command: "$X made.txt" })).proposal).toBeDefined();
  });

  test("never runs what is refused, nor touches what the rules deny", async () => {
    const opened = open({}, { shell, mode: "bypass", deny: ["secret*"] }, { "secret.txt": "x", "a.txt": "x" });
    for (const command of ["rm -rf /", "cat secret.txt", "cp a.txt secret2.txt", "cat < secret.txt"])
      expect([command, (await opened.call("shell", { command })).failure?.code]).toEqual([command, "denied"]);
    const whole = await opened.call("shell", { command: "grep -r x ." }, { "dev.ringfence/mode": "default" });
    expect(whole.proposal).toBeDefined();
  });

  test("the shell explains a refused path as one of the scope, which no rule can lift", async () => {
    const opened = open({}, { shell }, { ".env": "KEY=x" });
    const explained = await opened.request("ringfence/policy/explain", {
      name: "shell",
      arguments: { command: "cat .env" },
    });
    expect(explained.result).toMatchObject({
      decision: { type: "deny", source: "scope", rule: "denied" },
      change: expect.stringContaining("secrets.except"),
    });
  });

  test("the shell asks before a whole tree or a pattern is read that holds a secret", async () => {
    const reading = ["grep -r x .", "rg x", "grep -r x d"];
    const safe = open({}, { shell, mode: "default" }, { "a.txt": "x", "d/b.txt": "x", "d/.env.example": "x" });
    for (const command of reading)
      expect([command, (await safe.call("shell", { command })).proposal]).toEqual([command, undefined]);
    const unsafe = { "a.txt": "x", "d/b.txt": "x", "d/.env": "KEY=x", "e/c.txt": "x" };
    const opened = open({}, { shell, mode: "default" }, unsafe);
    for (const command of reading)
      expect([command, (await opened.call("shell", { command })).proposal?.risk]).toEqual([command, "R3"]);
    // Names are no content, and other folders hold none.
    for (const command of ["ls -R .", "find . -name '*.txt'", "grep -r x e"])
      expect([command, (await opened.call("shell", { command })).proposal]).toEqual([command, undefined]);
  });

  test("the shell follows no link out of the roots unasked", async () => {
    const opened = open({}, { shell, mode: "bypass" });
    await opened.call("shell", { command: `ln -s ${opened.outside} way` });
    expect((await opened.call("shell", { command: "cat way/x" })).failure?.code).toBe("denied");
  });

  test("a line ends with the client that gives it up", async () => {
    const opened = open({}, { shell: { ...shell, timeout_ms: 86_400_000 } });
    const { text, result } = await opened.call("shell", { command: "echo begun; exec sleep 100000", timeout_ms: 200 });
    expect(text).toContain("its time was over");
    expect(text).toContain("begun");
    // What it was started for was not done.
    expect([result.isError, result._meta["dev.ringfence/observation"].status]).toEqual([true, "error"]);
    const ended = await opened.call("shell", { command: "exit 3" });
    expect([ended.result.isError, ended.result._meta["dev.ringfence/observation"].status]).toEqual([undefined, "ok"]);
  });
});

describe.skipIf(process.platform === "win32")("the policy of commands and lines", () => {
  const shell = { enabled: true };

  test("rules name lines, and a star stands for no second command", async () => {
    const rules = [{ allow: "shell(touch *)" }, { deny: "shell(touch never*)" }];
    const opened = open({}, { shell, mode: "default", rules });
    expect((await opened.call("shell", { command: "touch made" })).text).toMatch(/^exit code 0/);
    expect((await opened.call("shell", { command: "touch never" })).failure?.code).toBe("denied");
    const both = await opened.call("shell", { command: "touch made; rm made" });
    const [suggested = ""] = await opened.rulesOf(both);
    expect(suggested).toStartWith("shell(exact:");
    expect(suggested).toContain('["line","touch made; rm made"]');
    expect((await opened.call("shell", { command: "touch $X" })).proposal).toBeDefined();
  });

  test("a rule about paths holds for the paths in a line", async () => {
    const rules = [{ deny: "group:runtime(private/**)" }];
    const opened = open({}, { shell, mode: "bypass", rules }, { "private/a.txt": "x", "a.txt": "y" });
    expect((await opened.call("shell", { command: "cat private/a.txt" })).failure?.code).toBe("denied");
    expect((await opened.call("shell", { command: "cat a.txt" })).text).toContain("\ny");
  });

  test("what a rule says about one name of a command holds for the other", async () => {
    const rules = [{ deny: "cmd_no" }, { allow: "cmd_yes" }, { ask: "cmd_look" }];
    const look = { ...script("echo looked"), risk: "R1" };
    const opened = open({ no: script("echo ran"), yes: script("echo ran"), look }, { mode: "default", rules });
    for (const [tool, input] of [
      ["cmd_no", {}],
      ["run_command", { command: "no" }],
      ["process_start", { command: "no" }],
    ] as const)
      expect([tool, (await opened.call(tool, input)).failure?.code]).toEqual([tool, "denied"]);
    expect((await opened.call("cmd_yes")).text).toContain("ran");
    expect((await opened.call("cmd_look")).proposal).toBeDefined();
    expect((await opened.call("run_command", { command: "look" })).proposal).toBeDefined();
  });

  test("secrets in what is put out are replaced", async () => {
    const key = ["AKIA", "IOSFODNN7EXAMPLE"].join("");
    const opened = open({}, { shell, mode: "bypass" }, { "a.txt": `${key}\n` });
    const { text } = await opened.call("shell", { command: "cat a.txt" });
    expect(text).toMatch(/^exit code 0/);
    expect(text).not.toContain(key);
  });

  test("an approved command that runs long keeps no other call waiting", async () => {
    const opened = open({ slow: script(`${GATED}; echo done`) }, { mode: "default" }, { "a.txt": "x" });
    const gate = openGate(opened);
    const answer = await opened.call("cmd_slow");
    const applied = opened.apply(answer);
    await gate.reached();
    const reading = settled("the other call", opened.call("read_file", { path: "a.txt" }));
    expect((await reading).text).toContain("x");
    gate.open();
    expect((await applied).result.result.text).toMatch(/^exit code 0, .*\ndone/);
  });
});

describe.skipIf(process.platform === "win32")("the rule that is suggested", () => {
  const parameters = { to: { type: "string" }, dry: { type: "boolean", flag: "--dry" } };
  const deploy = { description: "x", program: "/bin/echo", parameters, changes: false };

  test("the rule that is suggested settles the same command with the same values by the tool that was called, and no other", async () => {
    const opened = open({ deploy }, { mode: "default" });
    const input = { command: "deploy", arguments: { to: "a b", dry: true } };
    const [rule = ""] = await opened.rulesOf(await opened.call("run_command", input));
    expect(rule).toStartWith("run_command(exact:");
    expect(rule).toContain(JSON.stringify(["line", 'deploy dry=true to="a b"']));
    await opened.request("ringfence/grants/add", { rule });
    expect((await opened.call("run_command", input)).text).toContain("a b --dry");
    expect((await opened.call("cmd_deploy", input.arguments)).proposal).toBeDefined();
    const elsewhere = { ...input, cwd: "." };
    expect((await opened.call("process_start", elsewhere)).proposal).toBeDefined();
    for (const values of [{}, { to: "a b" }, { to: "c", dry: true }, { to: 'a b" to="c', dry: true }])
      expect((await opened.call("cmd_deploy", values)).proposal).toBeDefined();
  });

  test("the rule that is suggested settles the call in the directory that was asked about, and in no other directory or root", async () => {
    const opened = open({ deploy }, { mode: "default" }, { "sub/a.txt": "" });
    const input = { command: "deploy", arguments: { to: "a" } };
    const [rule = ""] = await opened.rulesOf(await opened.call("run_command", input));
    const rules = [{ allow: rule }];
    // The same call, where the first root is another one.
    const other = open({ deploy }, { mode: "default", rules });
    expect((await other.call("run_command", input)).proposal).toBeDefined();

    const started = { ...input, cwd: "." };
    const asked = await opened.call("process_start", started);
    const [there] = await opened.rulesOf(asked);
    await opened.request("ringfence/grants/add", { rule: String(there) });
    expect((await opened.call("process_start", { ...input, cwd: "sub" })).proposal).toBeDefined();
    expect((await opened.call("process_start", started)).proposal).toBeUndefined();
  });

  test("each value may be any that a rule with a star covers, when its suggestion is granted", async () => {
    const rules = [{ allow: "run_command(deploy to=stage-*)" }];
    const opened = open({ deploy }, { mode: "default", rules });
    expect((await opened.call("run_command", { command: "deploy", arguments: { to: "stage-1" } })).text).toContain(
      "stage-1",
    );
    expect((await opened.call("cmd_deploy", { to: "stage-1;x" })).proposal).toBeDefined();
    expect((await opened.call("cmd_deploy", { to: "live" })).proposal).toBeDefined();
  });
});

describe.skipIf(process.platform === "win32").each(["2025-11-25", "2026-07-28"])("asked in %s", (version) => {
  test("a program runs when a person approves it, and not before", async () => {
    const commands = { make: script("echo made > made.txt; echo said") } as never;
    await using asker = await openAsker(version, { config: { commands }, fence: withLauncher });
    const { form, answer } = await asker.ask({ name: "cmd_make", arguments: {} });
    expect(form.message).toContain("Run make");
    expect(form.message).toContain("Program and arguments: /bin/sh");
    expect(() => asker.host.read("made.txt")).toThrow();
    const result = await answer({ action: "accept", content: { decision: "apply" } });
    expect(result.content.at(-1).text).toMatch(/^exit code 0, [\d.]+ m?s\nsaid/);
    expect(asker.host.read("made.txt")).toBe("made\n");
  });
});
