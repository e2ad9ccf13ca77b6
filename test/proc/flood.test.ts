/**
 * When output floods in, the totals are exact, the spill is its beginning and the tail its end, although nothing of what lies
 * between is kept: however it is written, with pauses, byte by byte, and without any line.
 */
import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drainPipe } from "../../src/proc/run/drain-pipe.ts";
import { OutputCollector, type CollectedOutput } from "../../src/proc/run/output-collector.ts";
import { openPipe } from "../../src/sys/index.ts";
import { until } from "../waits/until.ts";
import { callToItsEnd, hostOfEachTest, script } from "./command-host.ts";

const MIB = 1024 * 1024;
const SPILL_BYTES = 32 * MIB;
const END_BYTES = 16 * 1024;
const FLOOD_BYTES = 2_000_000_000;

interface Collected extends CollectedOutput {
  readonly file: Buffer;
}

/** @param during begins when it does, and is over before it */
async function collect(command: string, during?: (output: OutputCollector) => Promise<void>): Promise<Collected> {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-flood-"));
  try {
    const path = join(folder, "spill");
    const output = new OutputCollector(
      () => ({
        id: "spill",
        fd: openSync(path, "w+"),
        onClosed: () => undefined,
      }),
      2 * END_BYTES,
    );
    const pipe = openPipe();
    const child = Bun.spawn(["/bin/sh", "-c", command], { stdio: ["ignore", pipe.write, "ignore"] });
    closeSync(pipe.write);
    const drain = drainPipe(pipe.read, (bytes) => output.push(bytes));
    await during?.(output);
    await drain.ended;
    await child.exited;
    drain.close();
    return { ...output.end(), file: readFileSync(path) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param text all of it */
function expectEnds(collected: Collected, text: Buffer): void {
  expect(collected.total_bytes).toBe(text.length);
  expect(collected.head.equals(text.subarray(0, END_BYTES))).toBe(true);
  expect(collected.tail.equals(text.subarray(text.length - END_BYTES))).toBe(true);
  expect(collected.file.equals(text.subarray(0, SPILL_BYTES))).toBe(true);
}

function numbers(last: number): Buffer {
  return Buffer.from(Array.from({ length: last }, (_, at) => `${at + 1}\n`).join(""));
}

describe.skipIf(process.platform !== "linux")("of a flood", () => {
  const seq = numbers(9_000_000);

  test("the middle is left out, and nothing else", async () => {
    const collected = await collect("seq 1 9000000");
    expectEnds(collected, seq);
    expect(collected.total_lines).toBeUndefined();
    expect(collected.spill?.bytes).toBe(SPILL_BYTES);
  });

  test("what comes after pauses, and byte by byte, belongs to it", async () => {
    const bytes = "i=0; while [ $i -lt 3000 ]; do printf x; i=$((i+1)); done";
    const collected = await collect(
      `seq 1 9000000; sleep 0.1; echo late; sleep 0.01; seq 1 900000; ${bytes}; sleep 0.3; printf end`,
    );
    const rest = [Buffer.from("late\n"), numbers(900_000), Buffer.alloc(3000, "x"), Buffer.from("end")];
    expectEnds(collected, Buffer.concat([seq, ...rest]));
  });

  test("a flood that comes in turns, each less than its end, has the right end", async () => {
    const turn = "printf '%08000d\\n' $i";
    const collected = await collect(
      `seq 1 9000000; i=0; while [ $i -lt 60 ]; do ${turn}; sleep 0.002; i=$((i+1)); done`,
    );
    const turns = Array.from({ length: 60 }, (_, at) => `${String(at).padStart(8000, "0")}\n`);
    expectEnds(collected, Buffer.concat([seq, Buffer.from(turns.join(""))]));
  });

  test("a flood without any line is held as one with lines is", async () => {
    const collected = await collect("head -c 90000001 /dev/zero; printf end");
    expectEnds(collected, Buffer.concat([Buffer.alloc(90_000_001), Buffer.from("end")]));
    expect(collected.errors).toEqual([]);
  });

  test("lines are counted as far as it is kept", async () => {
    const counted = await collect("seq 1 4000000; printf more");
    expect(counted.total_lines).toEqual(4_000_001);
    expect(counted.file.equals(Buffer.concat([numbers(4_000_000), Buffer.from("more")]))).toBe(true);
    const exact = await collect(`yes 1234567 | head -c ${SPILL_BYTES}`);
    expect([exact.total_lines, exact.total_bytes]).toEqual([SPILL_BYTES / 8, SPILL_BYTES]);
    const more = await collect(`yes 1234567 | head -c ${SPILL_BYTES + 1}`);
    expect([more.total_lines, more.total_bytes, more.file.length]).toEqual([undefined, SPILL_BYTES + 1, SPILL_BYTES]);
  });

  test("the lines that look like errors are those that are left out", async () => {
    const { errors } = await collect(
      `${error("head")}; seq 1 500000; ${error("middle")}; seq 1 100000; ${error("tail")}`,
    );
    expect(errors).toEqual(["middle: error: broken"]);
  });

  test("a caller who waits in a flood is shown what came last, and memory does not grow", async () => {
    const recent: string[] = [];
    const totals: number[] = [];
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    const flood = `yes 'a line of some text that goes on for a while' | head -c ${FLOOD_BYTES}`;
    await collect(flood, async (output) => {
      for (let look = 1; look <= 20; look++) {
        await until("more of it", () => output.total > (totals.at(-1) ?? 0) + 10_000_000);
        totals.push(output.total);
        recent.push(output.recent().toString("utf8"));
      }
    });
    // On a busy machine the garbage of many reads lies about; what was kept of the flood would be as large as the flood.
    Bun.gc(true);
    expect(process.memoryUsage.rss() - before).toBeLessThan(FLOOD_BYTES / 8);
    for (const text of recent.slice(1)) {
      expect(text.length).toBe(4096);
      const lines = new Set(text.split("\n").slice(1, -1));
      expect([...lines]).toEqual(["a line of some text that goes on for a while"]);
    }
  });
});

describe.skipIf(process.platform !== "linux")("a command in a flood", () => {
  const open = hostOfEachTest();

  test("a command in a flood is ended when its time is over, and its end is shown", async () => {
    const flood = script("exec yes flooding");
    const { text, all } = await callToItsEnd(open({ flood }), "cmd_flood", (answer) => megabytesOf(answer.all) > 100);
    expect(text).toMatch(/^Ended because its time was over/);
    expect(text).toMatch(/(?:\nflooding){20}/);
    expect(megabytesOf(all)).toBeGreaterThan(100);
  });

  test("a command in a flood is ended when the call is given up", async () => {
    const opened = open({ flood: script("exec yes flooding-2"), next: script("echo next") });
    const params = { name: "cmd_flood", arguments: {} };
    opened.send(JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/call", params }));
    await until("the flood", () => isRunning("flooding-2"));
    const cancelled = { requestId: 5 };
    opened.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: cancelled }));
    await until("the end of the flood", () => !isRunning("flooding-2"));
    expect((await opened.call("cmd_next")).text).toContain("next");
  });
});

function error(name: string): string {
  return `echo '${name}: error: broken'`;
}

function megabytesOf(text: string): number {
  const [, size = "0"] = /cut: ([\d.]+ [GM])B in all/.exec(text) ?? [];
  return parseFloat(size) * (size.endsWith("G") ? 1000 : 1);
}

function isRunning(mark: string): boolean {
  return Bun.spawnSync(["pgrep", "-f", `^yes ${mark}`]).exitCode === 0;
}
