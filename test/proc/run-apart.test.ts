/**
 * Work in a process of its own: what comes out of it, and that it never outlives the work.
 */
import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { NEVER_CANCELLED, type Cancel } from "../../src/base/index.ts";
import { FIRST_APART_FD, runApart } from "../../src/proc/index.ts";
import { codeOf } from "../search/make-tree.ts";

async function run(script: string, cancel: Cancel = NEVER_CANCELLED, fds: readonly number[] = []) {
  const program = { command: [process.execPath, "-e", script], environment: { MARK: "set" } };
  return await runApart(program, { input: "in", fds, cancel });
}

const HANG = "for (;;) ;";

/** Stops after a while, as a caller or a deadline does. */
function stopAfter(ms: number, state: "cancelled" | "timed_out"): Cancel {
  const start = performance.now();
  return { state: () => (performance.now() - start > ms ? state : "none") };
}

test("input, environment and descriptors reach it, and its output comes back", async () => {
  const fd = openSync(import.meta.path, "r");
  const script = `
    const { fstatSync, readFileSync } = require("node:fs");
    console.log(readFileSync(0, "utf8"), process.env.MARK, fstatSync(${FIRST_APART_FD}).isFile());`;
  try {
    expect(await run(script, NEVER_CANCELLED, [fd])).toBe("in set true\n");
  } finally {
    closeSync(fd);
  }
});

test("cancelled: it is killed at once", async () => {
  const started = performance.now();
  expect(await codeOf(() => run(HANG, stopAfter(200, "cancelled")))).toBe("cancelled");
  expect(performance.now() - started).toBeLessThan(1500);
});

test("past its deadline: it is killed when it does not answer by itself", async () => {
  expect(await codeOf(() => run(HANG, stopAfter(50, "timed_out")))).toBe("timed_out");
  const late = `await Bun.sleep(600); console.log("late")`;
  expect(await run(late, stopAfter(50, "timed_out"))).toBe("late\n");
});

test("an end without an answer is a bug, and no answer", async () => {
  expect(await codeOf(() => run("process.exit(3)"))).toContain("ended with 3");
  expect(await codeOf(() => run("process.kill(process.pid, 'SIGKILL')"))).toContain("SIGKILL");
});

test("where nothing can be started it says so", async () => {
  const program = { command: ["./there-is-no-such-program"], environment: {} };
  const work = { input: "", fds: [], cancel: NEVER_CANCELLED };
  expect(await codeOf(() => runApart(program, work))).toBe("unsupported");
});
