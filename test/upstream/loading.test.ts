/**
 * Who has no other servers does not pay for them: the SDK's client is loaded with the first connection only.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { BUN } from "./upstream-host.ts";

const PROGRAM = join(import.meta.dir, "..", "fixtures", "upstream", "loaded-modules.ts");

async function loadedBy(argument: string): Promise<{ said: string; loaded: number }> {
  const child = Bun.spawn([BUN, PROGRAM, argument], { stdout: "pipe", stderr: "ignore" });
  const lines = (await child.stdout.text()).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "") as { said: string; loaded: number };
}

test.skipIf(process.platform !== "linux")("the SDK's client is loaded for other servers, and never else", async () => {
  expect(await loadedBy("none")).toEqual({ said: "hello", loaded: 0 });
  const { said, loaded } = await loadedBy("upstream");
  expect(said).toBe("hello");
  expect(loaded).toBeGreaterThan(1);
});
