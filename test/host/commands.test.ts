/**
 * The tools for commands, as a client meets them: which there are, what they take, who is asked, and what is on record.
 */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { hostOfEachTest, openCommandHost, script, toolNames } from "../proc/command-host.ts";
import { settled } from "../waits/until.ts";
import { GATED, openGate } from "./gate.ts";
import { connect } from "./roots-client.ts";

const open = hostOfEachTest();

describe.skipIf(process.platform === "win32")("declared commands", () => {
  test("declared commands are tools of their own beside run_command, where their program is there", async () => {
    const names = await toolNames(
      open({ hello: script("echo hi"), gone: { description: "x", program: "/nonexistent/program" } }),
    );
    expect(names.slice(names.indexOf("run_command"))).toEqual([
      "run_command",
      "cmd_hello",
      "process_start",
      "process_output",
      "process_list",
      "process_stop",
    ]);
  });

  test("declared commands take typed values, and say what they take", async () => {
    const opened = open({
      greet: {
        description: "Greets.",
        program: "/bin/echo",
        args: ["hello", "{name}"],
        parameters: {
          name: { type: "string", required: true, pattern: "[a-z]+" },
          loud: { type: "boolean", flag: "!" },
        },
        changes: false,
      },
    });
    expect((await opened.call("cmd_greet", { name: "ann", loud: true })).text).toContain("\nhello ann !");
    expect((await opened.call("run_command", { command: "greet", arguments: { name: "bob" } })).text).toContain(
      "hello bob",
    );
    expect((await opened.call("cmd_greet", { name: "Ann;" })).failure).toMatchObject({
      code: "invalid_input",
      hint: expect.stringContaining("that matches ^(?:[a-z]+)$"),
    });
    expect((await opened.call("cmd_greet", { name: "ann", more: 1 })).failure?.code).toBe("invalid_input");
    const named = await opened.call("run_command", { command: "greet", arguments: { name: "-n" } });
    expect(named.failure?.code).toBe("invalid_input");
  });

  test("a declared command takes no value that its pattern could match in any number of ways", async () => {
    const name = { type: "string" as const, pattern: "(a+)+b" };
    const opened = open({
      greet: { description: "Greets.", program: "/bin/echo", parameters: { name }, changes: false },
    });
    for (const value of ["a".repeat(60_000), "a".repeat(900_000)]) {
      expect((await opened.call("cmd_greet", { name: value })).failure?.code).toBe("invalid_input");
      const given = { command: "greet", arguments: { name: value } };
      expect((await opened.call("run_command", given)).failure?.code).toBe("invalid_input");
    }
  });

  test("declared commands reach only paths that the tools for files reach", async () => {
    const show = {
      description: "x",
      program: "/bin/cat",
      args: ["{file}"],
      parameters: { file: { type: "path", required: true } },
      changes: false,
      risk: "R1",
    };
    const opened = open({ show }, { deny: ["secret*"] }, { "a.txt": "content\n", "secret.txt": "x" });
    expect((await opened.call("cmd_show", { file: "a.txt" })).text).toContain("\ncontent");
    expect((await opened.call("cmd_show", { file: "../outside" })).failure?.code).toBe("outside_scope");
    expect((await opened.call("cmd_show", { file: "secret.txt" })).failure?.code).toBe("denied");
    expect((await opened.call("cmd_show", { file: "missing" })).failure?.code).toBe("not_found");
  });

  test("declared commands that were pinned run only as the program that was pinned", async () => {
    const opened = open({ x: script("true") });
    const program = join(opened.outside, "tool");
    writeFileSync(program, "#!/bin/sh\necho the real one\n");
    chmodSync(program, 0o755);
    const sha256 = createHash("sha256").update(readFileSync(program)).digest("hex");
    await using pinned = openCommandHost({
      config: { commands: { tool: { description: "x", program, sha256, changes: false } } },
    });
    expect((await pinned.call("cmd_tool")).text).toContain("the real one");
    writeFileSync(program, "#!/bin/sh\necho another one\n");
    const refused = await pinned.call("cmd_tool");
    expect(refused.failure?.code).toBe("denied");
    expect(refused.failure?.message).toContain("not the program that was pinned");
  });

  test("a declared command fails in words where the state folder takes nothing more", async () => {
    const opened = open({ hello: script("echo hi") });
    expect((await opened.call("cmd_hello", {})).text).toContain("hi");
    const folder = join(opened.stateDir, "run");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    const { failure } = await opened.call("cmd_hello", {});
    expect(failure?.code).toBe("conflict");
    expect(failure?.message).toContain("the operating system answered E");
  });

  test("declared commands are never looked for where a tool can write", async () => {
    const path = process.env["PATH"];
    const opened = open({ x: script("true") });
    writeFileSync(join(opened.root, "planted"), "#!/bin/sh\necho planted\n");
    chmodSync(join(opened.root, "planted"), 0o755);
    process.env["PATH"] = `${opened.root}:${path}`;
    try {
      await using other = openCommandHost({
        config: {
          roots: [opened.root],
          commands: {
            planted: { description: "x", program: "planted" },
            whole: { description: "x", program: join(opened.root, "planted") },
          },
        },
      });
      expect((await toolNames(other)).filter((name) => name.startsWith("cmd_"))).toEqual([]);
    } finally {
      process.env["PATH"] = path;
    }
  });

  test("declared commands see what was changed before them, and hold nothing up that comes later", async () => {
    const opened = open({ show: script(`cat a.txt; ${GATED}`) });
    const gate = openGate(opened);
    const write = async (text: string) => await opened.call("write_file", { path: "a.txt", content: text });
    const first = write("before\n");
    const shown = opened.call("cmd_show");
    await first;
    await gate.reached();
    await settled("the later call", opened.call("append_file", { path: "a.txt", content: "after\n" }));
    expect(opened.read("a.txt")).toBe("before\nafter\n");
    gate.open();
    expect((await shown).text).toMatch(/^exit code 0, .*\nbefore$/);
  });

  test("declared commands say which files they changed", async () => {
    const work = script("echo 1 > new.txt; echo 2 >> kept.txt; rm old.txt", { changes: true });
    const { all } = await open({ work }, {}, { "kept.txt": "1", "old.txt": "1", "same.txt": "1" }).call("cmd_work");
    expect(all).toContain(
      "3 files: created new.txt (2 bytes); changed kept.txt (1 byte to 3 bytes); removed old.txt (1 byte)",
    );
  });
});

describe.skipIf(!hasLandlock())("roots that a client has narrowed", () => {
  test("a command has only the roots that a client has narrowed, by its values and by its fence", async () => {
    const commands = {
      show: {
        description: "x",
        program: "/bin/cat",
        args: ["{file}"],
        parameters: { file: { type: "path" } },
        changes: false,
      },
      look: script("pwd; ls; cat ../../a.txt; ls .."),
    };
    const opened = open(commands, { fence: "require" }, { "a.txt": "top", "sub/deep/c.txt": "deep" });
    const client = await connect(opened);
    await client.offer("sub/deep");
    expect((await opened.call("cmd_show", { file: "a.txt" })).failure?.code).toBe("outside_scope");
    expect((await opened.call("cmd_show", { file: "sub/deep/c.txt" })).text).toContain("deep");
    const { text } = await opened.call("cmd_look");
    expect(text).toContain(`${opened.root}/sub/deep\nc.txt\n`);
    expect(text.match(/Permission denied/g)).toHaveLength(2);
    expect(text).not.toContain("top");
  });
});

describe.skipIf(process.platform === "win32")("who is asked", () => {
  test("a person, about what changes; the proposal shows what would be run, and why", async () => {
    const opened = open({ make: script("echo made > made.txt", { changes: true }) }, { mode: "default" });
    const answer = await opened.call("cmd_make");
    expect(answer.proposal?.risk).toBe("R3");
    expect(() => opened.read("made.txt")).toThrow();
    const details = await opened.request("ringfence/proposals/get", { id: answer.proposal?.id });
    const warnings = (details.result.warnings as string[]).join("\n");
    for (const said of ["Asked because it runs a program", "/bin/sh -c", `directory: ${opened.root}`, "Fence: none"])
      expect(warnings).toContain(said);
    const { result } = await opened.apply(answer);
    expect(result.result.text).toContain("exit code 0");
    expect(opened.read("made.txt")).toBe("made\n");
    expect(opened.audit()).toContain('"tool":"cmd_make","command":"make"');
  });

  test("once; what was approved holds nothing else up while it runs", async () => {
    const opened = open({ slow: script(`${GATED}; echo done`) }, { mode: "default" }, { "a.txt": "x" });
    const gate = openGate(opened);
    const applied = opened.apply(await opened.call("cmd_slow"));
    await gate.reached();
    await settled("the other call", opened.call("write_file", { path: "b.txt", content: "x" }));
    gate.open();
    expect((await applied).result.result.text).toMatch(/^exit code 0, .*\ndone/);
  });

  test("nobody, about what was declared to read", async () => {
    const opened = open({ look: script("echo looked", { risk: "R1" }) }, { mode: "default" });
    expect((await opened.call("cmd_look")).text).toContain("looked");
  });

  test("a proposal that is rejected runs nothing", async () => {
    const opened = open({ make: script("echo made > made.txt") }, { mode: "default" });
    const { proposal } = await opened.call("cmd_make");
    await opened.request("ringfence/proposals/reject", { id: proposal?.id });
    const applied = await opened.request("ringfence/proposals/apply", { id: proposal?.id });
    expect(applied.error).toBeDefined();
    expect(() => opened.read("made.txt")).toThrow();
  });

  test("what could not be run is not asked about", async () => {
    const opened = open(
      {
        show: {
          description: "x",
          program: "/bin/cat",
          args: ["{file}"],
          parameters: { file: { type: "path" } },
        },
      },
      { mode: "default" },
    );
    expect((await opened.call("cmd_show", { file: "../x" })).failure?.code).toBe("outside_scope");
  });
});

test.skipIf(process.platform !== "linux")("a command goes with its file, though the list stays as it is", async () => {
  const hello = script("echo hi");
  const opened = open({ hello: { ...hello, source: import.meta.path } });
  expect((await opened.call("space:host:hello")).text).toContain("\nhi");
  const gone = open({ hello: { ...hello, source: "/nonexistent/space/hello.yaml" } });
  expect(await toolNames(gone)).toContain("cmd_hello");
  for (const [tool, input] of [
    ["cmd_hello", {}],
    ["run_command", { command: "hello" }],
    ["process_start", { command: "hello" }],
  ] as const) {
    const { failure } = await gone.call(tool, input);
    expect([tool, failure?.code]).toEqual([tool, "not_found"]);
    expect(failure?.message).toContain("the file that declared it has been taken away");
  }
});

test("a tool that is turned off is in no list, and a call of it says who could turn it on", async () => {
  const off = open({});
  expect(await toolNames(off)).not.toContain("shell");
  for (const name of ["shell", "bash", "run_command", "process_start"]) {
    const { error } = await off.request("tools/call", { name, arguments: { command: "ls" } });
    expect(error.code).toBe(-32602);
    expect(error.message).toContain("exists but is turned off on this host");
    expect(error.message).toContain("Only the person who runs this host decides that");
  }
  const { error } = await off.request("tools/call", { name: "shel", arguments: {} });
  expect(error.message).toStartWith('there is no tool "shel"');
  expect(error.data.candidates).not.toContain("shell");
});

test("a folder that holds the state folder has no commands", async () => {
  const { checkStart } = await import("../../src/start/check-start.ts");
  const { resolveConfig } = await import("../../src/config/index.ts");
  const opened = open({ x: script("true") });
  const stateDir = join(opened.root, "state");
  mkdirSync(stateDir);
  const config = resolveConfig({ roots: [opened.root], stateDir, commands: { x: script("true") as never } });
  expect(() => checkStart(config)).toThrow("where they could reach it");
  rmSync(stateDir, { recursive: true });
});
