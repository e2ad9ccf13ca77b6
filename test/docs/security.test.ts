/**
 * SECURITY.md names, for every guarantee, the code that enforces it and the tests that hold it, and for every limit a command
 * that shows it. A test that is renamed or gone would leave a promise with nothing behind it.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

const PAGE = readFileSync(join(REPOSITORY, "SECURITY.md"), "utf8");

function isMissing(path: string): boolean {
  return !existsSync(join(REPOSITORY, path));
}

/** The sections of one chapter, each beginning with its title. */
function sections(chapter: string): string[] {
  const text = PAGE.split(`\n## ${chapter}\n`)[1]?.split("\n## ")[0] ?? "";
  return text.split("\n### ").slice(1);
}

function testsOf(text: string): string[] {
  return text.match(/\btest\/[\w./-]+\.test\.ts\b/g) ?? [];
}

test("every test that SECURITY.md names exists", () => {
  expect(testsOf(PAGE).length).toBeGreaterThan(0);
  expect(testsOf(PAGE).filter(isMissing)).toEqual([]);
});

test("every folder of code that SECURITY.md names exists", () => {
  const folders = PAGE.match(/`src\/[\w/-]+`/g)?.map((quoted) => quoted.slice(1, -1)) ?? [];
  expect(folders.length).toBeGreaterThan(0);
  expect(folders.filter(isMissing)).toEqual([]);
});

test("every guarantee says what enforces it and names a test", () => {
  const guarantees = sections("What is guaranteed");
  expect(guarantees.length).toBeGreaterThan(0);
  const bare = guarantees.filter((section) => {
    const held = section.split("**Tested by.**")[1]?.split("\n- **")[0] ?? "";
    return !section.includes("**Enforced by.**") || testsOf(held).length === 0;
  });
  expect(bare).toEqual([]);
});

test("everything that is not guaranteed has a command that shows it", () => {
  const limits = sections("What is not guaranteed").flatMap((section) => section.split("\n- ").slice(1));
  expect(limits.length).toBeGreaterThan(0);
  expect(limits.filter((limit) => !/See\s+it:\s[^]*`[^`]+`/.test(limit))).toEqual([]);
});

test("every variable that the sources read is on the page", () => {
  const text = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(REPOSITORY)]
    .map((path) => readFileSync(join(REPOSITORY, path), "utf8"))
    .join("\n");
  const read = [...text.matchAll(/\benv(?:ironment)?\["([A-Z_]+)"\]/g)].map(([, name = ""]) => name);
  expect(read).toContain("VISUAL");
  // The first is taken away before a library could see it; the second is passed on to the second start of the host.
  const besides = ["DEV", "LD_LIBRARY_PATH"];
  expect(read.filter((name) => !besides.includes(name) && !PAGE.includes(`\`${name}\``))).toEqual([]);
});
