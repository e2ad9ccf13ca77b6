/**
 * Programs that get a terminal of their own: behind the same fence, with an input that ends, and gone with all they started.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { hasLandlock } from "../binary/has-landlock.ts";
import { until } from "../waits/until.ts";
import { callToItsEnd, hostOfEachTest, script } from "./command-host.ts";
import { findLauncher } from "./find-running.ts";

const open = hostOfEachTest();

const terminal = (text: string, more: object = {}): object => script(text, { pty: true, ...more });

describe.skipIf(process.platform !== "linux")("a program with a terminal", () => {
  test("a program with a terminal sees one of a fixed size, and its escape sequences are not shown", async () => {
    const see = 'test -t 0 && test -t 1 && test -t 2 && stty size; printf "\\033[31mred\\033[0m\\n"; echo "$TERM"';
    const opened = open({ see: terminal(see), none: script("test -t 1 || echo none") });
    expect((await opened.call("cmd_see")).text).toMatch(/^exit code 0, [\d.]+ m?s\n40 120\nred\nxterm$/);
    expect((await opened.call("cmd_none")).text).toEndWith("\nnone");
  });

  test("reads the end of its input as often as it asks, and what it was given", async () => {
    const ask = terminal("cat; read answer || echo 'no answer'; cat; echo done");
    const given = terminal("wc -l; read more || echo end", { stdin: "given" });
    const opened = open({ ask, given });
    expect((await opened.call("cmd_ask")).text).toEndWith("\nno answer\ndone");
    const stdin = "a line of some text\n".repeat(5000);
    expect((await opened.call("cmd_given", { stdin })).text).toEndWith("\n5000\nend");
    expect((await opened.call("cmd_given", { stdin: "one\ntwo" })).text).toEndWith("\n2\nend");
  });

  test("a program with a terminal is ended in its time, with all that it started and its output so far", async () => {
    const stuck = terminal("trap '' TERM HUP INT; echo before; sleep 76123 & while :; do sleep 76123; done");
    const { text } = await callToItsEnd(open({ stuck }), "cmd_stuck", (answer) => answer.text.includes("\nbefore"));
    expect(text).toMatch(/^Ended because its time was over[^]*\nbefore/);
    expect(Bun.spawnSync(["pgrep", "-f", "sleep 76123"]).stdout.toString()).toBe("");
  });

  test("a program with a terminal loses no output, and leaves no descriptor", async () => {
    const opened = open({ much: terminal("seq 1 200000"), small: terminal("echo x") });
    expect((await opened.call("cmd_much")).all).toContain("200000 lines in all");
    await opened.call("cmd_small");
    const before = terminals();
    for (let left = 20; left > 0; left--) await opened.call("cmd_small");
    // The launcher closes the last one when the keeper of its command has ended, which may be after the answer.
    await until("all terminals to be closed", () => terminals() <= before);
  });

  test.skipIf(!hasLandlock())("a program with a terminal is behind the same fence", async () => {
    const opened = open({ look: terminal("cat /etc/shadow; echo x > /dev/tty; echo y") }, { fence: "require" });
    const { text, all } = await opened.call("cmd_look");
    expect(text).toContain("Permission denied\nx\ny");
    expect(all).toContain("Fence: kernel");
  });
});

/** Held by this process and by its launcher. */
function terminals(): number {
  return [process.pid, findLauncher()].flatMap(descriptorsOf).filter((name) => name.includes("/ptmx")).length;
}

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // The one that lists them.
      return [];
    }
  });
}
