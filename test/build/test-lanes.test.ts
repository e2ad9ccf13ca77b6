/** Every test file has a lane, and the tables that say so name files that are there. */
import { expect, test } from "bun:test";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { findTestFiles } from "../../scripts/gate/run-tests.ts";
import { ALONE, laneOf, LONG } from "../../scripts/gate/test-lanes.ts";

const files = findTestFiles(REPOSITORY);

test.each([...LONG, ...Object.keys(ALONE)])("%s names a file", (pattern) => {
  const glob = new Bun.Glob(pattern);
  expect(files.filter((path) => glob.match(path.replace(/^test\//, ""))).length).toBeGreaterThan(0);
});

test("each lane has files, and being alone goes before being long", () => {
  expect(new Set(files.map(laneOf))).toEqual(new Set(["fast", "long", "alone"] as const));
  expect(laneOf("test/proc/control-group.test.ts")).toBe("alone");
  expect(laneOf("test/proc/run.test.ts")).toBe("long");
  expect(laneOf("test/text/apply-edits.test.ts")).toBe("fast");
});
