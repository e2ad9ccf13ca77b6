/**
 * Input that never pauses: a source that always has more leaves no turn of the event loop by itself, and a host hears signals all
 * the same. Linux, where what a process has read can be looked up.
 */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../waits/until.ts";
import { binaryPath } from "./build-binary.ts";
import { Place } from "./serve-process.ts";

test.skipIf(process.platform !== "linux").each([
  ["a device that never ends", "/dev/zero"],
  ["a file of lines that are no requests", ""],
])("SIGTERM ends a host while %s is its input", async (_name, device) => {
  using place = new Place();
  const path = device || join(place.path, "lines.txt");
  if (device === "") writeFileSync(path, "y\n".repeat(32 * 1024 * 1024));
  const host = Bun.spawn([await binaryPath(), "serve", "--root", place.root, "--state-dir", place.stateDir], {
    stdin: Bun.file(path),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(
    "the input",
    () => Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${host.pid}/io`, "utf8"))?.[1]) > 1_000_000,
  );
  host.kill("SIGTERM");
  expect(await host.exited).toBe(143);
});
