/**
 * A command that runs long, as a client meets it: how far it is while it runs, and what is left of it when its time is over.
 */
import { describe, expect, test } from "bun:test";
import { hostOfEachTest, script } from "../proc/command-host.ts";
import { until } from "../waits/until.ts";
import { GATED, gated, openGate } from "./gate.ts";

const open = hostOfEachTest();

/** For a shell on a slow machine: the only wait here that is as long as the machine is not fast. */
const LONG_ENOUGH_TO_SPEAK_MS = 2000;

describe.skipIf(process.platform !== "linux")("a command that runs long", () => {
  test("a command that runs long is ended with its output so far when the time of the call is spent", async () => {
    const slow = script("echo before; exec sleep 100000", { timeout_ms: 86_400_000 });
    const opened = open({ slow }, { budgets: { call: { wall_ms: LONG_ENOUGH_TO_SPEAK_MS } } });
    expect((await opened.call("cmd_slow")).text).toMatch(/^Ended because its time was over[^]*\nbefore/);
  });

  test("a command that runs long says how far it is by its last whole line, without secrets", async () => {
    const key = ["AKIA", "IOSFODNN7EXAMPLE"].join("");
    const [second, third] = [gated("second"), gated("third")];
    const work = script(`echo 'step 1'; ${GATED}; echo 'key ${key}'; printf half; ${second}; echo; ${third}`);
    const opened = open({ work });
    const working = opened.call("cmd_work", {}, { progressToken: 7 });
    const said = (): string[] =>
      opened.messages.flatMap(({ method, params }) =>
        method === "notifications/progress" ? [String(params.message)] : [],
      );
    const isSaid = (what: string): boolean => said().some((one) => one.includes(` bytes of output: ${what}`));
    await until("the first line to be told", () => isSaid("step 1"));
    openGate(opened).open();
    await until("the second line to be told", () => isSaid("key "));
    openGate(opened, "second").open();
    await until("the third line to be told", () => isSaid("half"));
    // The sign of life of a call that has had no news for a second.
    await until("silence", () => said().at(-1)?.includes("still working after "));
    openGate(opened, "third").open();
    await working;
    const lines = said().filter((one) => !one.includes("still working after "));
    expect(lines.filter((one) => one.endsWith(" bytes of output: step 1"))).toHaveLength(1);
    expect(lines.filter((one) => one.endsWith(" bytes of output: half"))).toHaveLength(1);
    expect(lines.join()).not.toContain(key);
    // Four times something was put out.
    expect(lines.length).toBeLessThanOrEqual(4);
  });
});
