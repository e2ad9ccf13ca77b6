/**
 * A path whose levels are all missing: how often the program opens something for it grows as the path does, not with its
 * square. What it asks of the system is counted by strace.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { HANG_MS } from "../waits/until.ts";
import { binaryPath } from "./build-binary.ts";
import { Place } from "./serve-process.ts";

const strace = component("strace");

async function opensFor(levels: number, ...args: string[]): Promise<number> {
  using place = new Place();
  const log = join(place.path, "strace.log");
  const path = `${"a/".repeat(levels)}f`;
  const host = [await binaryPath(), "call", "write_file", `path=${path}`, "content=x", "--root", place.root];
  const more = ["--state-dir", place.stateDir, "--fence=off", "--mode=accept_edits", ...args];
  const { exitCode, stderr } = Bun.spawnSync(
    ["strace", "-f", "-qq", "-o", log, "-e", "trace=openat2,openat", ...host, ...more],
    { timeout: HANG_MS },
  );
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  expect(readFileSync(join(place.root, path), "utf8")).toBe("x");
  return readFileSync(log, "utf8").match(/openat2?\(/g)?.length ?? 0;
}

test.skipIf(strace.isMissing)(
  `a file below many missing directories costs opens in proportion to them${strace.note}`,
  async () => {
    for (const args of [[], ["--deny", "*.pem"]]) {
      const [few, many] = [await opensFor(100, ...args), await opensFor(400, ...args)];
      expect(many / few).toBeLessThan(6);
    }
  },
);
