/**
 * The keeper of a command stands outside the fence, so nothing behind a fence may reach it, and it ends with its launcher.
 */
import { describe, expect, test } from "bun:test";
import { hasLandlock } from "../binary/has-landlock.ts";
import { childrenOf } from "../../src/proc/tree/processes.ts";
import { until } from "../waits/until.ts";
import { hostOfEachTest, script } from "./command-host.ts";
import { commandLineOf, findLauncher, findRunning, goneSoon } from "./find-running.ts";

const open = hostOfEachTest();
const REQUIRE = { fence: "require" } as const;

describe.skipIf(!hasLandlock())("a keeper", () => {
  test("a keeper cannot be reached by its own command, nor told by it what to do", async () => {
    const reach = script(
      "readlink /proc/$PPID/fd/4; cat /proc/$PPID/environ; echo evil > /proc/$PPID/fd/4; echo done $PPID",
    );
    const host = open({ reach }, REQUIRE);
    const { text } = await host.call("cmd_reach");
    expect(text.match(/Permission denied/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain("pipe:");
    expect(text).not.toContain("RINGFENCE_START");
    expect(text).toMatch(/\ndone \d+$/);
  });

  test("a keeper ends with its command when the launcher is killed", async () => {
    const host = open({ sleep: script("exec sleep 97447") }, REQUIRE);
    const params = { name: "cmd_sleep", arguments: {} };
    host.send(JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/call", params }));
    await until("the command", () => findRunning("sleep 97447").length > 0);
    const launcher = findLauncher();
    const [keeper = 0] = childrenOf(launcher);
    expect(commandLineOf(keeper)).not.toBe("");
    process.kill(launcher, "SIGKILL");
    await goneSoon("sleep 97447");
    await until("the end of the keeper", () => commandLineOf(keeper) === "");
  });
});
