/**
 * Programs with arguments, started without a shell: decided as the line that says the same, named by their process id, asked
 * to end by a signal.
 */
import { describe, expect, test } from "bun:test";
import { hostOfEachTest, script, toolNames } from "../proc/command-host.ts";

const openHost = hostOfEachTest();
const open: typeof openHost = (commands, config, files) =>
  openHost(commands, { results: "structured", ...config }, files);
const SHELL = { shell: { enabled: true } };
const NODE = { shell: { enabled: false, programs: ["sh"] } };

function structuredOf(answer: { readonly result: { structuredContent?: unknown } }): Record<string, unknown> {
  return answer.result.structuredContent as Record<string, unknown>;
}

describe.skipIf(process.platform !== "linux")("programs with arguments", () => {
  test("a program gets its arguments as they are, whatever a shell would make of them", async () => {
    const opened = open({}, SHELL);
    const args = ["%s\\n", "a b", "$HOME", "*", "; echo x", "it's"];
    const started = await opened.call("process_start", {
      program: "printf",
      args,
      ready_when: { text: "it's", timeout_ms: 300_000 },
    });
    expect(structuredOf(started)).toMatchObject({ stdout: "a b\n$HOME\n*\n; echo x\nit's\n", stderr: "" });
  });

  test("a program is decided as the line that says the same", async () => {
    const rules = [{ allow: "shell(touch allowed*)" }, { deny: "shell(rm *)", reason: "no" }];
    const opened = open({}, { ...SHELL, mode: "default", rules }, { "a.txt": "x" });
    const start = async (program: string, ...args: string[]) =>
      await opened.call("process_start", { program, args, ready_when: { text: "\u0000", timeout_ms: 1 } });
    expect((await start("ls")).failure).toBeUndefined();
    expect((await start("touch", "allowed.txt")).failure).toBeUndefined();
    expect((await start("touch", "allowed.txt", "; rm x")).proposal?.risk).toBe("R3");
    expect((await start("touch", "other.txt")).proposal?.risk).toBe("R3");
    expect((await start("rm", "a.txt")).failure?.code).toBe("denied");
    expect((await start("cat", ".env")).failure?.code).toBe("denied");
    expect((await start("A=1")).failure?.code).toBe("not_found");
  });

  test("a program that the configuration names is started where there is no shell, and no other", async () => {
    const opened = open({}, NODE);
    expect(await toolNames(opened)).toContain("process_start");
    expect(await toolNames(opened)).not.toContain("shell");
    const said = { args: ["-c", "echo hi"], ready_when: { text: "hi", timeout_ms: 300_000 } };
    expect(structuredOf(await opened.call("process_start", { program: "sh", ...said }))["stdout"]).toBe("hi\n");
    expect((await opened.call("process_start", { program: "bash", ...said })).failure?.code).toBe("invalid_input");
    expect(opened.call("shell", { command: "ls" })).rejects.toThrow("turned off");
  });

  test("a program that is stopped gets the signal that was named, and SIGKILL asks nothing", async () => {
    const opened = open({
      stays: script('trap "echo int; exit 7" INT; trap "" TERM; echo ready; while :; do sleep 0.05; done'),
    });
    const begin = async () =>
      structuredOf(
        await opened.call("process_start", { command: "stays", ready_when: { text: "ready", timeout_ms: 300_000 } }),
      );
    const asked = structuredOf(
      await opened.call("process_stop", { pid: (await begin())["pid"], signal: "SIGINT", grace_ms: 60_000 }),
    );
    expect(asked).toMatchObject({ status: "ended", exit_code: 7, stdout: expect.stringContaining("int") });
    const killed = structuredOf(
      await opened.call("process_stop", { pid: (await begin())["pid"], signal: "SIGKILL", grace_ms: 60_000 }),
    );
    expect(killed).toMatchObject({ status: "ended", exit_code: null, signal: "SIGKILL" });
  });

  test("a program is found by its number alone, and a call that names none or nothing to start says so", async () => {
    const opened = open({ wait: script("exec sleep 100000") });
    const { pid, id } = structuredOf(await opened.call("process_start", { command: "wait" }));
    const listed = structuredOf(await opened.call("process_list", { pid }));
    expect(listed["processes"]).toMatchObject([{ id, pid, status: "running" }]);
    expect((await opened.call("process_output", { pid: 1 })).failure?.code).toBe("not_found");
    expect((await opened.call("process_list", { pid: 1 })).failure?.code).toBe("not_found");
    expect((await opened.call("process_output", {})).failure?.code).toBe("invalid_input");
    expect((await opened.call("process_stop", {})).failure?.code).toBe("invalid_input");
    expect((await opened.call("process_start", {})).failure?.code).toBe("invalid_input");
  });
});
