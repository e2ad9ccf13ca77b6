/**
 * Hooks that a host starts itself, where there is no launcher.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { goneSoon } from "./find-running.ts";

const MARK = `7404307.${process.pid}`;

test.skipIf(process.platform !== "linux")("a hook ends with the program that started it", async () => {
  const face = JSON.stringify(join(REPOSITORY, "src", "proc", "index.ts"));
  const program = `
    import { runHookHere } from ${face};
    void runHookHere(["sleep", "${MARK}"], "", 2 ** 31 - 1);
    void runHookHere(["sleep", "${MARK}"], "", 2 ** 31 - 1);
    process.exit(0);
  `;
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "-e", program]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  await goneSoon(MARK);
});
