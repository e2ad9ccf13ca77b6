/**
 * The article on Bash: "a small execution runtime". Its input, what may run unasked, and the observation of what ran.
 */
import { describe, expect, test } from "bun:test";
import { readResult } from "../../../src/calls/call-result.ts";
import { hostOfEachTest } from "../../proc/command-host.ts";

const open = hostOfEachTest();
const shell = { enabled: true };

describe.skipIf(process.platform === "win32")("Bash", () => {
  test("Bash takes command, description, timeoutMs, runInBackground and cwd", async () => {
    const files = { "sub/a.txt": "a\n" };
    const input = {
      command: "ls",
      description: "List the folder",
      timeoutMs: 120_000,
      runInBackground: false,
      cwd: "sub",
    };
    for (const dialect of ["ringfence", "claude"]) {
      const host = open({}, { shell, mode: "bypass", dialect }, files);
      const answer = await host.call("Bash", input);
      expect(answer.failure).toBeUndefined();
      expect(answer.text).toEndWith("\na.txt");
    }
  });

  test("Bash looks at more than the first word: a pipe into sh, a second command and a redirection are asked about", async () => {
    const host = open({}, { shell, mode: "default" }, { "package.json": "{}\n", "src/a.ts": "deprecated\n" });
    expect((await host.call("Bash", { command: "cat package.json" })).proposal).toBeUndefined();
    for (const command of ["cat package.json | sh", "ls && git reset --hard", "rg deprecated src > report.txt"]) {
      const answer = await host.call("Bash", { command });
      expect([command, answer.proposal !== undefined || answer.failure?.code === "denied"]).toEqual([command, true]);
    }
  });

  test("Bash output that is too long is an observation with a preview and where the whole is", async () => {
    const host = open({}, { shell, mode: "bypass" });
    const { result } = await host.call("Bash", { command: "seq 1 100000" });
    const { observation } = readResult(result);
    expect(observation).toMatchObject({ status: "ok", truncated: true });
    expect(observation?.summary).toMatch(/^Shell: seq 1 100000, exit code 0, [\d.]+ m?s$/);
    const { contents } = (await host.modern("resources/read", { uri: observation?.ref })).result;
    expect(contents[0].text).toStartWith("1\n2\n3\n");
  });

  test("a Bash line whose text cannot be read is not run unasked in any mode", async () => {
    const host = open({}, { shell, mode: "bypass" });
    expect((await host.call("Bash", { command: 'eval "$(cat made.txt)"' })).proposal).toBeDefined();
  });
});
