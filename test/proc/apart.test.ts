/**
 * Both streams of a program are answered together as text and each alone as data, beside what ran, where, how it ended and
 * how long it took. What is shown of both alone is never more than what is shown of them together.
 */
import { describe, expect, test } from "bun:test";
import { StreamRuns } from "../../src/proc/run/stream-runs.ts";
import { hostOfEachTest, script } from "./command-host.ts";

const openHost = hostOfEachTest();
const open: typeof openHost = (commands, config, files) =>
  openHost(commands, { results: "structured", ...config }, files);
const SHELL = { shell: { enabled: true } };

interface Structured {
  readonly [name: string]: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function structuredOf(answer: { readonly result: { structuredContent?: unknown } }): Structured {
  return answer.result.structuredContent as Structured;
}

describe.skipIf(process.platform !== "linux")("streams of a program", () => {
  test("a command line answers stdout and stderr apart, with command, cwd, exit code, signal and duration", async () => {
    const opened = open({}, SHELL, { "sub/a.txt": "x" });
    const command = "echo out; echo err >&2; exit 3";
    const answer = await opened.call("shell", { command, cwd: "sub" });
    expect(structuredOf(answer)).toMatchObject({
      command,
      cwd: `${opened.root}/sub`,
      exit_code: 3,
      signal: null,
      duration_ms: expect.any(Number),
      stdout: "out\n",
      stdout_bytes: 4,
      stderr: "err\n",
      stderr_bytes: 4,
      output: { total_bytes: 8, truncated: false },
    });
    expect(answer.text).toContain("out\n");
    expect(answer.text).toContain("err");
  });

  test("a declared command that was ended answers its signal and both streams", async () => {
    const opened = open({ slow: script("echo out; echo err >&2; kill -TERM $$") });
    const answer = structuredOf(await opened.call("run_command", { command: "slow" }));
    expect(answer).toMatchObject({ exit_code: null, signal: "SIGTERM", stdout: "out\n", stderr: "err\n" });
    expect(answer["command"]).toStartWith("/bin/sh -c echo out;");
  });

  test("a stream that says little is shown whole beside one that floods, and both stay within the bound", async () => {
    const opened = open({ flood: script("echo first >&2; yes 0123456789 | head -c 400000; echo last >&2") });
    const { stdout, stderr, ...rest } = structuredOf(await opened.call("cmd_flood"));
    expect(stderr).toBe("first\nlast\n");
    expect(rest).toMatchObject({ stdout_bytes: 400_000, stderr_bytes: 11, output: { total_bytes: 400_011 } });
    expect(stdout).toMatch(/\[\.\.\. \d+ bytes left out \.\.\.\]/);
    expect(stdout.length + stderr.length).toBeLessThan(33_000);
  });

  test("two streams that flood share the room of one answer", async () => {
    const much = "yes 0123456789 | head -c 400000";
    const opened = open({ both: script(`${much}; ${much} >&2`) });
    const { stdout, stderr } = structuredOf(await opened.call("cmd_both"));
    expect(stdout.length).toBeGreaterThan(15_000);
    expect(stderr.length).toBeGreaterThan(15_000);
    expect(stdout.length + stderr.length).toBeLessThan(33_000);
  });

  test("output of a program in the background is answered apart too, from each place of it", async () => {
    const opened = open({ talk: script("echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three; echo over") });
    const started = structuredOf(
      await opened.call("process_start", { command: "talk", ready_when: { text: "over", timeout_ms: 300_000 } }),
    );
    expect(started).toMatchObject({ stdout: "one\nthree\nover\n", stderr: "two\n", cwd: opened.root });
    const later = structuredOf(await opened.call("process_output", { pid: started["pid"], offset: 4 }));
    expect(later).toMatchObject({ id: started["id"], stdout: "three\nover\n", stderr: "two\n" });
    expect(later["duration_ms"]).toEqual(expect.any(Number));
  });
});

test("runs of two streams tell any part of an output apart", () => {
  const runs = new StreamRuns();
  runs.add("stderr", 2);
  runs.add("stdout", 3);
  runs.add("stdout", 1);
  runs.add("stderr", 2);
  const whole = Buffer.from("eeooooee");
  for (let from = 0; from <= 8; from++)
    for (let to = from; to <= 8; to++) {
      const part = whole.subarray(from, to);
      const split = runs.split(from, part);
      expect(split?.stdout.toString()).toBe(part.toString().replaceAll("e", ""));
      expect(split?.stderr.toString()).toBe(part.toString().replaceAll("o", ""));
    }
});

test("runs of two streams end in a bound, and say that the rest cannot be told apart", () => {
  const runs = new StreamRuns();
  for (let at = 0; at < 200_000; at++) runs.add(at % 2 === 0 ? "stdout" : "stderr", 1);
  expect(runs.split(0, Buffer.from("oe"))?.stderr.toString()).toBe("e");
  expect(runs.split(100_000, Buffer.from("oe"))).toBeUndefined();
});
