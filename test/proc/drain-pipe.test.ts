/**
 * What comes out of a pipe comes whole and in its order, however it comes: in one flood, with pauses in it, and with an end
 * that nobody waits for.
 */
import { expect, test } from "bun:test";
import { closeSync, readSync } from "node:fs";
import { drainPipe } from "../../src/proc/run/drain-pipe.ts";
import { openPipe } from "../../src/sys/index.ts";
import { lookAt } from "../../src/proc/tree/processes.ts";
import { until } from "../waits/until.ts";

async function drained(script: string): Promise<{ total: number; hash: string }> {
  const pipe = openPipe();
  const child = Bun.spawn(["/bin/sh", "-c", script], { stdio: ["ignore", pipe.write, "ignore"] });
  closeSync(pipe.write);
  const hash = new Bun.CryptoHasher("sha256");
  let total = 0;
  const drain = drainPipe(pipe.read, (bytes) => {
    total += bytes.length;
    hash.update(bytes);
  });
  await drain.ended;
  await child.exited;
  drain.close();
  return { total, hash: hash.digest("hex") };
}

test.skipIf(process.platform !== "linux")("a flood with pauses loses nothing", async () => {
  const numbers = "seq 1 400000";
  const { total, hash } = await drained(`${numbers}; sleep 0.1; ${numbers}; ${numbers}; sleep 0.01; ${numbers}`);
  const text = Array.from({ length: 400_000 }, (_, at) => `${at + 1}\n`).join("");
  expect(total).toBe(4 * text.length);
  expect(hash).toBe(new Bun.CryptoHasher("sha256").update(text.repeat(4)).digest("hex"));
});

test.skipIf(process.platform !== "linux")("a flood that is given up is not read any more", async () => {
  const pipe = openPipe();
  const child = Bun.spawn(["/usr/bin/env", "yes"], { stdio: ["ignore", pipe.write, "ignore"] });
  closeSync(pipe.write);
  const read = { total: 0 };
  const drain = drainPipe(pipe.read, (bytes) => (read.total += bytes.length));
  await until("eight megabytes", () => read.total >= 8_000_000);
  await drain.giveUp();
  await drain.ended;
  const then = read.total;
  // Nobody takes anything out of the full pipe, not even when its last writer has ended.
  await until("a writer that waits", () => lookAt(child.pid)?.state === "S");
  child.kill("SIGKILL");
  await child.exited;
  const pipeful = Buffer.allocUnsafe(65_536);
  expect(readSync(pipe.read, pipeful)).toBe(pipeful.length);
  expect(read.total).toBe(then);
  drain.close();
});

test.skipIf(process.platform !== "linux")(
  "what was written before a flood is given up is read once, and nothing is left out",
  async () => {
    const flood = Buffer.from(Array.from({ length: 400_000 }, (_, at) => `${at + 1}\n`).join(""));
    const pipe = openPipe();
    const child = Bun.spawn(["/bin/sh", "-c", "seq 1 400000; exec sleep 36000"], {
      stdio: ["ignore", pipe.write, "ignore"],
    });
    closeSync(pipe.write);
    const parts: Buffer[] = [];
    const read = { total: 0 };
    const drain = drainPipe(pipe.read, (bytes) => {
      parts.push(Buffer.from(bytes));
      read.total += bytes.length;
    });
    await until("some of it", () => read.total >= 100_000);
    // Nobody reads while the pipe fills.
    Bun.spawnSync(["/bin/sh", "-c", "seq 1 200000 > /dev/null"]);
    await drain.giveUp();
    const taken = Buffer.concat(parts);
    expect(taken.equals(flood.subarray(0, taken.length))).toBe(true);
    const rest = Buffer.allocUnsafe(65_536);
    let left = 0;
    const isRead = (): boolean => {
      try {
        left = readSync(pipe.read, rest);
        return true;
      } catch {
        // Its writer has not gone on yet.
        return false;
      }
    };
    if (taken.length < flood.length) await until("what comes after it", isRead);
    expect(rest.subarray(0, left).equals(flood.subarray(taken.length, taken.length + left))).toBe(true);
    child.kill("SIGKILL");
    await child.exited;
    drain.close();
  },
);
