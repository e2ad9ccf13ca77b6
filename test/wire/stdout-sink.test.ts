/** The writer on a real stdout, in a process of its own: a slow reader, and one that never reads and then closes. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { settled } from "../waits/until.ts";

const FLOOD = join(import.meta.dir, "fixtures", "flood.ts");

function flood(...args: string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  const command = [process.execPath, FLOOD, ...args];
  return Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

/** Waits until it says that it is held back, because nobody reads. @returns the rest of its stderr, at its end */
async function held(child: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<() => Promise<string>> {
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    text += value ?? "";
    return !done;
  };
  const isHeld = async (): Promise<void> => {
    while (!text.includes("held\n")) if (!(await more())) throw new Error(`it has ended: ${text}`);
  };
  await settled("the flood to be held back", isHeld());
  return async () => {
    while (await more());
    return text.replace("held\n", "");
  };
}

test("every line arrives whole and in order at a reader that starts late", async () => {
  const child = flood("3000", "2000");
  const stderr = await held(child);
  const numbers: number[] = [];
  const text = await child.stdout.text();
  for (const line of text.trimEnd().split("\n")) numbers.push((JSON.parse(line) as { n: number }).n);
  expect(numbers).toEqual(Array.from({ length: 3000 }, (_, n) => n));
  expect([await child.exited, JSON.parse(await stderr())]).toMatchObject([
    0,
    { broken: false, told: 0, queuedBytes: 0 },
  ]);
});

test("a line larger than any pipe arrives whole", async () => {
  const child = flood("2", "5000000");
  const lines = (await child.stdout.text()).trimEnd().split("\n");
  expect(lines.map((line) => line.length)).toEqual([5_000_019, 5_000_019]);
  expect(await child.exited).toBe(0);
});

test("a reader that never reads holds the process back; when it closes, the process is broken and ends", async () => {
  const child = flood();
  const stderr = await held(child);
  expect(child.exitCode).toBeNull();
  await child.stdout.cancel();
  expect(await settled("its end", child.exited)).toBe(0);
  const report = JSON.parse(await stderr()) as { rssMiB: number };
  expect(report).toMatchObject({ broken: true, told: 1, queuedBytes: 0 });
  expect(report.rssMiB).toBeLessThan(150);
});
