/**
 * The executable starts with an engine that compiles late. Whoever stays has to end that, or stays slow without a word.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { START_MARK } from "../../src/config/index.ts";
import { HANG_MS } from "../waits/until.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "jit-policy-")));
const HOST = ["--fence=off", "--root", mkdtempSync(join(place, "root-")), "--state-dir", join(place, "state")];
const INITIALIZE = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

test("a host compiles as usual from its first tools on, and not before", async () => {
  expect(await policies(["serve", ...HOST], [INITIALIZE])).toEqual([]);
  expect(await policies(["serve", ...HOST], [INITIALIZE, { method: "tools/list", params: {} }])).toEqual(["policy 1"]);
  expect(await policies(["call", "list_directory", ...HOST])).toEqual(["policy 1"]);
});

test("every other command compiles as usual from its beginning on", async () => {
  expect(await policies(["version"])).toEqual(["policy 1"]);
});

test("what a host has started compiles as usual from its beginning on", async () => {
  expect(await policies([], [], { [START_MARK]: "search" })).toContain("policy 1");
});

async function policies(
  args: readonly string[],
  requests: readonly object[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const lines = requests.map((request, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...request })}\n`);
  const child = Bun.spawn(
    [
      process.execPath,
      "--preload",
      join(import.meta.dir, "fixtures/tell-jit-policy.ts"),
      join(import.meta.dir, "../../src/main.ts"),
      ...args,
    ],
    {
      cwd: place,
      env: { PATH: process.env["PATH"], HOME: place, ...env },
      stdin: Buffer.from(lines.join("")),
      stdout: "ignore",
      stderr: "pipe",
      timeout: HANG_MS,
      killSignal: "SIGKILL",
    },
  );
  const stderr = await child.stderr.text();
  await child.exited;
  return stderr.split("\n").filter((line) => line.startsWith("policy "));
}
