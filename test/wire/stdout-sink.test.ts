/** The writer on a real stdout, in a process of its own: a slow reader, and one that never reads and then closes. */
import { expect, test } from "bun:test";
import { join } from "node:path";

const FLOOD = join(import.meta.dir, "fixtures", "flood.ts");

function flood(...args: string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  const command = [process.execPath, FLOOD, ...args];
  return Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

test("every line arrives whole and in order at a reader that starts late", async () => {
  const child = flood("3000", "2000");
  await Bun.sleep(200);
  const numbers: number[] = [];
  const text = await child.stdout.text();
  for (const line of text.trimEnd().split("\n")) numbers.push((JSON.parse(line) as { n: number }).n);
  expect(numbers).toEqual(Array.from({ length: 3000 }, (_, n) => n));
  expect([await child.exited, JSON.parse(await child.stderr.text())]).toMatchObject([
    0,
    { broken: false, told: 0, queuedBytes: 0 },
  ]);
}, 20_000);

test("a line larger than any pipe arrives whole", async () => {
  const child = flood("2", "5000000");
  const lines = (await child.stdout.text()).trimEnd().split("\n");
  expect(lines.map((line) => line.length)).toEqual([5_000_019, 5_000_019]);
  expect(await child.exited).toBe(0);
}, 20_000);

test("a reader that never reads holds the process back; when it closes, the process is broken and ends", async () => {
  const child = flood();
  await Bun.sleep(500);
  expect(child.exitCode).toBeNull();
  await child.stdout.cancel();
  expect(await child.exited).toBe(0);
  const report = JSON.parse(await child.stderr.text()) as { rssMiB: number };
  expect(report).toMatchObject({ broken: true, told: 1, queuedBytes: 0 });
  expect(report.rssMiB).toBeLessThan(150);
}, 20_000);
