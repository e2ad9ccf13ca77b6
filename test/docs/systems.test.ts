/**
 * docs/systems.md, which users of five other systems open first: a row that says that something works names the test that
 * proves it, and a row that differs gives its reason.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";

interface SystemRow {
  readonly said: string;
  readonly here: string;
  readonly state: string;
  readonly proof: string;
}

const page = readFileSync("docs/systems.md", "utf8");
const rows: readonly SystemRow[] = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter((cells) => cells.length === 6 && !["state", "---"].includes(cells[3] ?? ""))
  .map(([, said = "", here = "", state = "", proof = ""]) => ({ said, here, state, proof }));

/** Titles of a test file as patterns: what is filled in later can be anything. */
function titlesIn(path: string): RegExp[] {
  const text = readFileSync(path, "utf8");
  const quoted = [...text.matchAll(/\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g)].map(([, , title = ""]) => title);
  return quoted.map((title) => {
    const plain = title.replaceAll(/\\(["'`])/g, "$1").split(/%[sjidop]|\$\{[^}]*\}|\$\w+/);
    return new RegExp(`^${plain.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(".*")}$`);
  });
}

test("docs/systems.md has the rows of every system", () => {
  expect(rows.length).toBeGreaterThan(120);
  expect(rows.filter(({ state }) => !["W", "D", "N"].includes(state))).toEqual([]);
});

test.each(rows.filter(({ state }) => state === "W"))("the row that says it works is proved: $said", ({ proof }) => {
  const [, path = "", title = ""] = /^`(test\/[\w/.-]+\.test\.ts)`: "(.*)"$/.exec(proof) ?? [];
  expect([proof, existsSync(path)]).toEqual([proof, true]);
  const given = title.replaceAll(String.raw`\|`, "|");
  // A title that is filled in may be quoted as it is written.
  const isThere = titlesIn(path).some((one) => one.test(given)) || readFileSync(path, "utf8").includes(given);
  expect([title, isThere]).toEqual([title, true]);
});

test.each(rows.filter(({ state }) => state !== "W"))("the row that differs gives its reason: $said", ({ here }) => {
  expect(here.length).toBeGreaterThan(40);
});
