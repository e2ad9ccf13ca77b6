/**
 * Commands that always come back: real programs that do what programs do to hosts. Each case says what a caller gets, and
 * afterwards nothing of it may run.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostOfEachTest, openCommandHost, script } from "./command-host.ts";

const open = hostOfEachTest();

/** Processes that carry this text in their arguments. */
function running(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return line.includes(mark) && Number(pid) !== process.pid ? [line] : [];
      } catch {
        return [];
      }
    });
}

async function goneSoon(mark: string): Promise<void> {
  for (let left = 100; left > 0 && running(mark).length > 0; left--) await Bun.sleep(20);
  expect(running(mark)).toEqual([]);
}

describe.skipIf(process.platform !== "linux")("a command", () => {
  test("says how it ended first, then both streams in their order", async () => {
    const { text, result } = await open({
      three: script("echo out; echo err >&2; echo out again; exit 3"),
    }).call("cmd_three");
    expect(text).toMatch(/^exit code 3, \d+ ms\nout\nerr\nout again$/);
    expect(result.isError).toBeUndefined();
  });

  test("has an input that ends at once, unless it is given", async () => {
    const opened = open({
      ask: script("read answer || echo nobody answers"),
      upper: script("tr a-z A-Z", { stdin: "given" }),
    });
    expect((await opened.call("cmd_ask")).text).toContain("nobody answers");
    expect((await opened.call("cmd_upper", { stdin: "hello" })).text).toContain("HELLO");
    const refused = await opened.call("run_command", { command: "ask", stdin: "x" });
    expect(refused.failure?.code).toBe("invalid_input");
  });

  test("that never stops talking is ended in its time, with its output so far", async () => {
    const { text, result } = await open({ talk: script("exec yes talking-1", { timeout_ms: 700 }) }).call(
      "cmd_talk",
    );
    expect(text).toMatch(/^Ended because its time was over \(signal SIGTERM/);
    expect(text).toContain("talking-1\ntalking-1\n");
    expect(text).toContain("bytes left out");
    expect(result._meta?.["dev.ringfence/failure"]).toBeUndefined();
    await goneSoon("talking-1");
  });

  test("that ignores the request to end is ended", async () => {
    const stubborn = script('trap "" TERM; echo deaf; while :; do sleep 0.05; done # deaf-1', {
      timeout_ms: 300,
    });
    const { text } = await open({ stubborn }).call("cmd_stubborn");
    expect(text).toMatch(/^Ended because its time was over \(signal SIGKILL/);
    expect(text).toContain("deaf");
    await goneSoon("deaf-1");
  }, 15_000);

  test("whose child holds the output comes back two seconds later, and names it", async () => {
    const began = performance.now();
    const { all } = await open({ leave: script("sleep 98765 & echo started") }).call("cmd_leave");
    const took = performance.now() - began;
    expect(all).toContain("started");
    expect(all).toMatch(/sleep \(\d+\) held its output/);
    expect(took).toBeGreaterThan(1900);
    expect(took).toBeLessThan(8000);
    await goneSoon("sleep 98765");
  }, 15_000);

  test("whose child goes on without the output comes back at once, and the child is ended", async () => {
    const quiet = script("sleep 98764 >/dev/null 2>&1 & echo started");
    const began = performance.now();
    const { all } = await open({ quiet }).call("cmd_quiet");
    expect(all).toMatch(/It left sleep \(\d+\)/);
    expect(performance.now() - began).toBeLessThan(1900);
    await goneSoon("sleep 98764");
  }, 15_000);

  test("that leaves a daemon of its own session and environment leaves nothing", async () => {
    const inner = "exec >/dev/null 2>&1 </dev/null; sleep 98760 &";
    const daemon = script(`setsid env -i /bin/sh -c '${inner}' & wait; sleep 0.2; echo the daemon runs`);
    const { text } = await open({ daemon }).call("cmd_daemon");
    expect(text).toContain("the daemon runs");
    await goneSoon("sleep 98760");
  }, 15_000);

  test("that a caller gives up is ended", async () => {
    const opened = open({ wait: script("sleep 98763") });
    opened.send(
      JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "cmd_wait" } }),
    );
    for (let left = 100; left > 0 && running("sleep 98763").length === 0; left--) await Bun.sleep(20);
    opened.send(
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }),
    );
    await goneSoon("sleep 98763");
  }, 15_000);

  test("that is cancelled before it starts never runs", async () => {
    const opened = open({ wait: script("exec sleep 98759"), make: script("echo x > made.txt") });
    const waiting = Array.from(
      { length: 64 },
      async () => await opened.call("cmd_wait", { timeout_ms: 1500 }),
    );
    const params = { name: "cmd_make", arguments: {} };
    opened.send(JSON.stringify({ jsonrpc: "2.0", id: 8, method: "tools/call", params }));
    await Bun.sleep(200);
    const cancelled = { requestId: 8 };
    opened.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: cancelled }));
    await Promise.all(waiting);
    await opened.call("cmd_wait", { timeout_ms: 100 });
    expect(readdirSync(opened.root)).toEqual([]);
  }, 30_000);

  test("with too many processes is ended", async () => {
    const many = script("for i in $(seq 40); do sleep 98762 & done; wait", {
      processes: 10,
      timeout_ms: 8000,
    });
    const { text } = await open({ many }).call("cmd_many");
    expect(text).toMatch(/too many processes|[Cc]annot fork/);
    await goneSoon("sleep 98762");
  }, 15_000);

  test("two hundred at once all come back", async () => {
    const opened = open({
      one: {
        ...script('echo "$0"'),
        args: ["-c", 'echo "$0"', "{n}"],
        parameters: { n: { type: "integer" } },
      },
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => await opened.call("cmd_one", { n })),
    );
    expect(answers.map(({ text }) => text.split("\n")[1])).toEqual(
      Array.from({ length: 200 }, (_, n) => String(n)),
    );
  });

  test("ends with the host, and so does everything that it started", async () => {
    const commands = { wait: script("sleep 98761 & setsid sleep 98761 & wait") } as never;
    const opened = openCommandHost({ config: { commands } });
    void opened.call("cmd_wait");
    for (let left = 100; left > 0 && running("sleep 98761").length < 2; left--) await Bun.sleep(20);
    await opened[Symbol.asyncDispose]();
    await goneSoon("sleep 98761");
  }, 15_000);

  test("leaves no file behind but those it made on purpose", async () => {
    const opened = open({
      make: script('echo x > "$TMPDIR/a"; echo x > "$HOME/.b"; echo x > made.txt', { changes: true }),
    });
    const { all } = await opened.call("cmd_make");
    expect(all).toContain("1 file: created made.txt");
    expect(readdirSync(join(opened.stateDir, "run"))).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("the output of a command", () => {
  test("that is long is shown by its ends, with exact totals, errors, and the whole under an id", async () => {
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

  test("that is kept sweeps what is too old when its command has ended", async () => {
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
    for (let left = 100; left > 0 && readdirSync(spill).includes(old); left--) await Bun.sleep(10);
    expect(readdirSync(spill)).toHaveLength(1);
    expect(readdirSync(spill)).not.toContain(old);
  });

  test("that is a gigabyte grows neither the host nor the disk", async () => {
    const opened = open({ huge: script("head -c 1000000000 /dev/zero | tr '\\0' x") });
    const before = process.memoryUsage.rss();
    const { all } = await opened.call("cmd_huge");
    expect(all).toContain("1.0 GB in all");
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
    const spill = join(opened.stateDir, "spill");
    const sizes = readdirSync(spill).map((name) => Bun.file(join(spill, name)).size);
    expect(sizes).toEqual([32 * 1024 * 1024]);
  }, 60_000);

  test("that is no text is described", async () => {
    const { text } = await open({ binary: script("head -c 3000 /dev/urandom; printf '\\0'") }).call(
      "cmd_binary",
    );
    expect(text).toContain("[binary output, 3001 bytes]");
  });

  test("is shown without escape sequences and lines that were written over", async () => {
    const { text } = await open({
      ansi: script(String.raw`printf '\033[31mred\033[0m\n10%%\r20%%\rdone\n'`),
    }).call("cmd_ansi");
    expect(text.split("\n").slice(1)).toEqual(["red", "done"]);
  });
});
