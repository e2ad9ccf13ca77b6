/**
 * Commands that always come back: real programs that do what programs do to hosts. Each case says what a caller gets, and
 * afterwards nothing of it may run.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";
import { callToItsEnd, hostOfEachTest, openCommandHost, script } from "./command-host.ts";
import { findRunning, goneSoon } from "./find-running.ts";

const open = hostOfEachTest();

describe.skipIf(process.platform !== "linux")("a command", () => {
  test("a command says how it ended first, then both streams in their order", async () => {
    const { text, result } = await open({
      three: script("echo out; echo err >&2; echo out again; exit 3"),
    }).call("cmd_three");
    expect(text).toMatch(/^exit code 3, [\d.]+ m?s\nout\nerr\nout again$/);
    expect(result.isError).toBeUndefined();
  });

  test("a command has an input that ends at once, unless it is given", async () => {
    const opened = open({
      ask: script("read answer || echo nobody answers"),
      upper: script("tr a-z A-Z", { stdin: "given" }),
    });
    expect((await opened.call("cmd_ask")).text).toContain("nobody answers");
    expect((await opened.call("cmd_upper", { stdin: "hello" })).text).toContain("HELLO");
    const refused = await opened.call("run_command", { command: "ask", stdin: "x" });
    expect(refused.failure?.code).toBe("invalid_input");
  });

  test("a command that never stops talking is ended in its time, with its output so far", async () => {
    const { text, result } = await callToItsEnd(open({ talk: script("exec yes talking-1") }), "cmd_talk", (answer) =>
      answer.text.includes("bytes left out"),
    );
    expect(text).toMatch(/^Ended because its time was over \(signal SIGTERM/);
    expect(text).toContain("talking-1\ntalking-1\n");
    expect(text).toContain("bytes left out");
    expect(result._meta?.["dev.ringfence/failure"]).toBeUndefined();
    await goneSoon("talking-1");
  });

  test("a command that ignores the request to end is ended", async () => {
    const stubborn = script('trap "" TERM; echo deaf; while :; do sleep 0.05; done # deaf-1');
    const { text } = await callToItsEnd(open({ stubborn }), "cmd_stubborn", (answer) => answer.text.includes("deaf"));
    expect(text).toMatch(/^Ended because its time was over \(signal SIGKILL/);
    expect(text).toContain("deaf");
    await goneSoon("deaf-1");
  });

  test("a command whose child holds the output comes back two seconds later, and names it", async () => {
    // The host does not end it at once: there is time for what it says a second later. Without a pause of the machine,
    // that is; then the next try shows it.
    const child = "sleep 1; echo said meanwhile; exec sleep 98765";
    const opened = open({ leave: script(`(${child}) & echo started`) });
    const all = await until("what a child says when its command has ended", async () => {
      const answer = await opened.call("cmd_leave");
      await goneSoon("sleep 98765");
      return answer.text.includes("said meanwhile") ? answer.all : undefined;
    });
    expect(all).toContain("started");
    expect(all).toMatch(/sleep \(\d+\) held its output/);
  });

  test("a command whose child goes on without the output comes back at once, and the child is ended", async () => {
    // Two seconds would be enough to do it; only when the machine pauses is the next try needed.
    const child = "(sleep 1; echo x > waited; exec sleep 98764) >/dev/null 2>&1 &";
    const opened = open({ quiet: script(`sleep 98764 >/dev/null 2>&1 & ${child} echo started`) });
    const waited = join(opened.root, "waited");
    const all = await until("an answer before the child has done a thing", async () => {
      const answer = await opened.call("cmd_quiet");
      await goneSoon("sleep 98764");
      if (!existsSync(waited)) return answer.all;
      rmSync(waited);
      return undefined;
    });
    expect(all).toContain("started");
    expect(all).toMatch(/It left .*\bsleep \(\d+\)/);
    expect(all).not.toContain("held its output");
  });

  test("a command that leaves a daemon of its own session and environment leaves nothing", async () => {
    const inner = "exec >/dev/null 2>&1 </dev/null; sleep 98760 &";
    const seen = 'until pgrep -f "^sleep 98760" >/dev/null; do sleep 0.01; done';
    const daemon = script(`setsid env -i /bin/sh -c '${inner}' & wait; ${seen}; echo the daemon runs`);
    const { text } = await open({ daemon }).call("cmd_daemon");
    expect(text).toContain("the daemon runs");
    await goneSoon("sleep 98760");
  });

  test("a command that a caller gives up is ended", async () => {
    const opened = open({ wait: script("sleep 98763") });
    start(opened, 7, "cmd_wait");
    await until("the command", () => findRunning("sleep 98763").length > 0);
    cancel(opened, 7);
    await goneSoon("sleep 98763");
  });

  test("a command that is cancelled before it starts never runs", async () => {
    const opened = open({
      wait: script("exec sleep 98759"),
      make: script("echo x > made.txt"),
      next: script("true"),
    });
    for (let id = 100; id < 100 + limits.MAX_RUNNING_COMMANDS; id++) start(opened, id, "cmd_wait");
    await until("as many commands as may run", () => findRunning("sleep 98759").length === limits.MAX_RUNNING_COMMANDS);
    start(opened, 8, "cmd_make");
    // Answered behind it: it stands in the queue.
    await opened.call("list_directory", { path: "." });
    cancel(opened, 8);
    const behind = opened.call("cmd_next");
    // The one place that becomes free is first its own, and then that of the next.
    cancel(opened, 100);
    expect((await behind).text).toMatch(/^exit code 0/);
    expect(readdirSync(opened.root)).toEqual([]);
  });

  test("a program with too many processes is ended", async () => {
    const many = script("for i in $(seq 40); do sleep 98762 & done; wait", { processes: 10 });
    const { text } = await open({ many }).call("cmd_many");
    expect(text).toMatch(/too many processes|[Cc]annot fork/);
    await goneSoon("sleep 98762");
  });

  test("two hundred commands at once all come back", async () => {
    const opened = open({
      one: {
        ...script('echo "$0"'),
        args: ["-c", 'echo "$0"', "{n}"],
        parameters: { n: { type: "integer" } },
      },
    });
    const answers = await Promise.all(Array.from({ length: 200 }, async (_, n) => await opened.call("cmd_one", { n })));
    expect(answers.map(({ text }) => text.split("\n")[1])).toEqual(Array.from({ length: 200 }, (_, n) => String(n)));
  });

  test("ends with the host, and so does everything that it started", async () => {
    const commands = { wait: script("sleep 98761 & setsid sleep 98761 & wait") } as never;
    const opened = openCommandHost({ config: { commands } });
    void opened.call("cmd_wait");
    await until("both sleeps", () => findRunning("sleep 98761").filter(isSleep).length === 2);
    await opened[Symbol.asyncDispose]();
    await goneSoon("sleep 98761");
  });

  test("a command leaves no file behind but those it made on purpose", async () => {
    const opened = open({
      make: script('echo x > "$TMPDIR/a"; echo x > "$HOME/.b"; echo x > made.txt', { changes: true }),
    });
    const { all } = await opened.call("cmd_make");
    expect(all).toContain("1 file: created made.txt");
    expect(readdirSync(join(opened.stateDir, "run"))).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("the output of a command", () => {
  test("long output is shown by its ends, with exact totals, errors, and the whole under an id", async () => {
    const long = script("seq 1 5000; echo 'src/a.ts: error: broken'; seq 5001 20000");
    const opened = open({ long });
    const { text, all, result } = await opened.call("cmd_long");
    expect(text).toContain("\n1\n2\n3\n");
    expect(text).toContain("\n19999\n20000\n");
    expect(text).toContain("look like errors:\nsrc/a.ts: error: broken");
    expect(all).toContain("20001 lines");
    const id = /"path":"(spill_[\w-]{22})"/.exec(all)?.[1] ?? "";
    const page = await opened.call("read_file", { path: id, offset: 5000, limit: 3 });
    expect(page.text).toBe("5000\nsrc/a.ts: error: broken\n5001\n");
    const found = await opened.call("grep", { pattern: "broken", path: id });
    expect(found.all).toContain("src/a.ts: error: broken");
    expect(result.isError).toBeUndefined();
  });

  test("the output shows as much as answer_bytes says, in a call and from the background", async () => {
    const opened = open({ long: script("seq 1 20000") }, { answerBytes: "2k" });
    const { text, all } = await opened.call("cmd_long");
    expect(text).toContain("\n1\n2\n3\n");
    expect(text).toContain("\n19999\n20000");
    expect(Buffer.byteLength(all)).toBeLessThan(2048 + 500);
    const id = /"path":"(spill_[\w-]{22})"/.exec(all)?.[1] ?? "";
    const page = await opened.call("read_file", { path: id, offset: 10_000, limit: 2 });
    expect(page.text).toBe("10000\n10001\n");
    const started = await opened.call("process_start", {
      command: "long",
      ready_when: { text: "\n20000\n" },
    });
    const shown = started.text.slice(started.text.indexOf("\n") + 1);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(2048);
    const next = /process_output (\{.*?\})/.exec(started.all)?.[1] ?? "";
    const more = await opened.call("process_output", JSON.parse(next));
    expect(Buffer.byteLength(more.text)).toBeLessThan(2048 + 100);
  });

  test("the output of a hook may be long where answers are short", async () => {
    const say = `printf '{"decision": "deny", "reason": "'; seq 1000 | tr '\\n' ' '; printf '"}'`;
    const before = ["/bin/sh", "-c", say];
    const opened = open({}, { answerBytes: "1k", hooks: [{ tool: "stat", before }] }, { "a.txt": "" });
    const { failure } = await opened.call("stat", { path: "a.txt" });
    expect(failure?.message).toContain("1 2 3 4 5");
  });

  test("output that is kept sweeps what is too old when its command has ended", async () => {
    const opened = open({ long: script("seq 1 20000"), short: script("echo x") });
    await opened.call("cmd_short");
    const spill = join(opened.stateDir, "spill");
    const old = "spill_0000000000000000000000";
    mkdirSync(spill, { recursive: true });
    writeFileSync(join(spill, old), "x");
    utimesSync(join(spill, old), 1, 1);
    await opened.call("cmd_short");
    expect(readdirSync(spill)).toEqual([old]);
    await opened.call("cmd_long");
    await until("the end of what is too old", () => !readdirSync(spill).includes(old));
    expect(readdirSync(spill)).toHaveLength(1);
    expect(readdirSync(spill)).not.toContain(old);
  });

  test("an output of a gigabyte can grow neither the host nor the disk", async () => {
    const opened = open({ huge: script("head -c 1000000000 /dev/zero | tr '\\0' x") });
    const before = process.memoryUsage.rss();
    const { all } = await opened.call("cmd_huge");
    expect(all).toContain("1.0 GB in all");
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
    const spill = join(opened.stateDir, "spill");
    const sizes = readdirSync(spill).map((name) => Bun.file(join(spill, name)).size);
    expect(sizes).toEqual([32 * 1024 * 1024]);
  });

  test("output that is no text is described", async () => {
    const { text } = await open({ binary: script("head -c 3000 /dev/urandom; printf '\\0'") }).call("cmd_binary");
    expect(text).toContain("[binary output, 3001 bytes]");
  });

  test("the output is shown without escape sequences and lines that were written over", async () => {
    const { text } = await open({
      ansi: script(String.raw`printf '\033[31mred\033[0m\n10%%\r20%%\rdone\n'`),
    }).call("cmd_ansi");
    expect(text.split("\n").slice(1)).toEqual(["red", "done"]);
  });
});

/** Asks for it, and goes on. */
function start(opened: TestHost, id: number, name: string): void {
  const params = { name, arguments: {} };
  opened.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
}

function cancel(opened: TestHost, id: number): void {
  const params = { requestId: id };
  opened.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
}

/** Not a shell that is to start one. */
function isSleep(line: string): boolean {
  return line.startsWith("sleep ");
}
