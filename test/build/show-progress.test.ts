/** What the gate shows while tests run: one line on a terminal, whole lines elsewhere, and nothing left behind. */
import { expect, test } from "bun:test";
import { formatTime, showProgress } from "../../scripts/gate/show-progress.ts";

test("texts stand on lines of their own, and a terminal's line is wiped at the end", () => {
  for (const isTTY of [true, false]) {
    const written: string[] = [];
    const progress = showProgress(["a", "b"], {}, { isTTY, write: (text) => written.push(text) });
    progress.ended("a");
    progress.say("FAIL a");
    progress[Symbol.dispose]();
    expect(written).toEqual(isTTY ? ["\r\x1b[2KFAIL a\n", "\r\x1b[2K"] : ["FAIL a\n"]);
  }
});

test("a time is written as minutes and seconds", () => {
  expect([0, 59_400, 60_000, 200_000].map(formatTime)).toEqual(["0 s", "59 s", "1 min 0 s", "3 min 20 s"]);
});
