/**
 * Work in a process of its own: what comes out of it, and that it never outlives the work.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NEVER_CANCELLED, type Cancel } from "../../src/base/index.ts";
import { FIRST_APART_FD, runApart } from "../../src/proc/index.ts";
import { codeOf } from "../search/make-tree.ts";
import { until } from "../waits/until.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "ringfence-apart-"))));
afterEach(() => rmSync(folder, { recursive: true }));

async function run(script: string, cancel: Cancel = NEVER_CANCELLED, fds: readonly number[] = []) {
  const program = { command: [process.execPath, "-e", script], environment: { MARK: "set" } };
  return await runApart(program, { input: "in", fds, cancel });
}

/** Says that it has begun, and never ends; unless it hears that somebody has looked at it again. */
function busyUntilHeard(): string {
  return `
    const { existsSync, writeFileSync } = require("node:fs");
    writeFileSync("${folder}/begun", "");
    while (!existsSync("${folder}/looked-again")) ;
    console.log("late");`;
}

const HANG = "for (;;) ;";

/** Stops what has begun, and tells it so when it is asked a second time: whoever is killed at the first does not hear it. */
function stopWhenBegun(state: "cancelled" | "timed_out"): Cancel {
  let looks = 0;
  return {
    state: () => {
      if (!existsSync(join(folder, "begun"))) return "none";
      if (++looks === 2) writeFileSync(join(folder, "looked-again"), "");
      return state;
    },
  };
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
  expect(await codeOf(() => run(busyUntilHeard(), stopWhenBegun("cancelled")))).toBe("cancelled");
});

test("past its deadline: it is killed when it does not answer by itself", async () => {
  expect(await codeOf(() => run(HANG, { state: () => "timed_out" }))).toBe("timed_out");
  // It has a second and a half for its answer. When the machine pauses for that long, the next one shows it.
  await until("an answer of one whose deadline has passed", async () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const answer = await run(busyUntilHeard(), stopWhenBegun("timed_out")).catch(String);
    return answer === "late\n";
  });
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
