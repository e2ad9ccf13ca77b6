/**
 * The shell tool as a client meets it: reading runs, the rest is asked about or refused, and no path in a line escapes the
 * rules of the files.
 */
import { afterEach, describe, expect, test } from "bun:test";
import type { RawConfig } from "../../src/config/index.ts";
import { openCommandHost, script } from "../proc/command-host.ts";
import type { TestHost } from "./in-memory-host.ts";

let host: TestHost | undefined;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
});

function open(
  commands: Record<string, object>,
  config: RawConfig = {},
  files: Record<string, string> = {},
): TestHost {
  host = openCommandHost({ config: { commands: commands as never, ...config }, files });
  return host;
}

async function toolNames(opened: TestHost): Promise<string[]> {
  const { result } = await opened.modern("tools/list");
  return (result.tools as { name: string }[]).map(({ name }) => name);
}

describe.skipIf(process.platform === "win32")("the shell", () => {
  const shell = { enabled: true };

  test("is not there unless it is enabled", async () => {
    expect(await toolNames(open({ x: script("true") }))).not.toContain("shell");
    await host?.[Symbol.asyncDispose]();
    expect(await toolNames(open({}, { shell }))).toContain("shell");
  });

  test("runs lines that only read at once, by each of its names", async () => {
    const opened = open({}, { shell, mode: "default" }, { "a.txt": "one\ntwo\n" });
    for (const name of ["shell", "bash", "shell.exec"])
      expect((await opened.call(name, { command: "cat a.txt | head -n 1" })).text).toMatch(
        /^exit code 0, \d+ ms\none$/,
      );
  });

  test("asks about the others, with the reasons", async () => {
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
    const opened = open(
      {},
      { shell, mode: "bypass", deny: ["secret*"] },
      { "secret.txt": "x", "a.txt": "x" },
    );
    for (const command of ["rm -rf /", "cat secret.txt", "cp a.txt secret2.txt", "cat < secret.txt"])
      expect([command, (await opened.call("shell", { command })).failure?.code]).toEqual([command, "denied"]);
    const whole = await opened.call("shell", { command: "grep -r x ." }, { "dev.ringfence/mode": "default" });
    expect(whole.proposal).toBeDefined();
  });

  test("follows no link out of the roots unasked", async () => {
    const opened = open({}, { shell, mode: "bypass" });
    await opened.call("shell", { command: `ln -s ${opened.outside} way` });
    expect((await opened.call("shell", { command: "cat way/x" })).failure?.code).toBe("denied");
  });

  test("of a client that gives it up ends with it", async () => {
    const opened = open({}, { shell });
    expect((await opened.call("shell", { command: "sleep 5", timeout_ms: 200 })).text).toContain(
      "its time was over",
    );
  });
});
