/**
 * What the benchmark reads out of answers, of /proc and into the name of a run.
 */
import { expect, test } from "bun:test";
import { runName } from "../../bench/keep-run.ts";
import { parseField } from "../../bench/process-memory.ts";
import { nextArguments } from "../../bench/tool-call.ts";

test("parseField takes kernel kB and gives MB", () => {
  const text = "00400000-7fff [rollup]\nRss:               50000 kB\nPss:               40000 kB\nPss_Anon: 1 kB\n";
  expect(parseField(text, "Rss")).toBeCloseTo(48.83);
  expect(parseField(text, "Pss")).toBeCloseTo(39.06);
  expect(() => parseField(text, "VmHWM")).toThrow("there is no VmHWM");
});

test("nextArguments takes the advice of a cut answer, and only that", () => {
  const note = '[3 entries shown of 3000. To go on: list_directory {"path":"d]","limit":3,"cursor":"WzEs"}]';
  expect(nextArguments([note, "d/entry-0"])).toEqual({ path: "d]", limit: 3, cursor: "WzEs" });
  expect(nextArguments([`${note}\nd/entry-0`])).toEqual({ path: "d]", limit: 3, cursor: "WzEs" });
  expect(nextArguments(["[3 entries]", note])).toBeUndefined();
  expect(nextArguments([`[3 entries]\n${note}`])).toBeUndefined();
  expect(nextArguments([])).toBeUndefined();
});

test("runName tells a run of changed sources apart", () => {
  const machine = {
    date: "2026-11-20T20:00:00.000Z",
    commit: "a964f58",
    isDirty: false,
    cpu: "",
    cores: 2,
    memoryMb: 1,
    kernel: "",
    bun: "",
    node: "",
  };
  expect(runName(machine)).toBe("2026-11-20-a964f58");
  expect(runName({ ...machine, isDirty: true })).toBe("2026-11-20-a964f58-dirty");
});
