/**
 * Every case of the corpus has its verdict. Two numbers count: unsafe (allowed where it must not be), which is zero, and
 * noise (asked where it could be allowed), which is zero too as long as the tables know the programs.
 */
import { describe, expect, test } from "bun:test";
import { openShellReader } from "../../src/shell/index.ts";
import { readCases, SURROUNDINGS, type ShellCase } from "./read-cases.ts";

const shell = await openShellReader();

describe.each(["corpus", "cases", "attack"] as const)("%s", (file) => {
  const cases = readCases(file);
  const wrong = (hardened: boolean): string[] =>
    cases.flatMap((one) => problemOf(one, { ...SURROUNDINGS, gitIsHardened: hardened }));

  test("the file has all its cases, each of them once", () => {
    expect(cases.length).toBe({ corpus: 486, cases: 2021, attack: 401 }[file]);
    expect(new Set(cases.map(({ command }) => command)).size).toBe(cases.length);
  });

  test("assess() gives every case its verdict", () => {
    expect(wrong(false)).toEqual([]);
  });

  test("assess() gives every case its verdict when git is hardened", () => {
    expect(wrong(true)).toEqual([]);
  });

  test("assess() marks what cannot be read, so that no mode runs it unasked", () => {
    const marked = cases.filter(({ opaque }) => opaque !== undefined);
    expect(marked.length).toBe({ corpus: 0, cases: 0, attack: 188 }[file]);
    const other = marked.filter(({ command, opaque }) => shell.assess(command, SURROUNDINGS).opaque !== opaque);
    expect(other.map(({ command }) => command)).toEqual([]);
  });

  test("assess() says why, and allows only what it has no reason against", () => {
    const silent = cases.filter(({ command }) => {
      const { verdict, reasons, opaque, risk } = shell.assess(command, SURROUNDINGS);
      if (verdict === "allow") return reasons.length > 0 || opaque || !/^R[01]$/.test(risk);
      return reasons.length === 0 || (verdict === "deny") !== (risk === "R5");
    });
    expect(silent.map(({ command }) => command)).toEqual([]);
  });

  test("assess() names no path outside of the roots in what it allows", () => {
    const allowed = cases.filter(({ expect: wanted }) => wanted === "allow");
    const paths = allowed.flatMap(({ command }) => shell.assess(command, SURROUNDINGS).paths);
    expect(paths.length).toBeGreaterThan(file === "attack" ? 8 : 20);
    expect(paths.filter(({ inside, intent }) => !inside || !/^(?:metadata|read)$/.test(intent))).toEqual([]);
  });
});

function problemOf({ command, expect: wanted, also_ok }: ShellCase, at: typeof SURROUNDINGS): string[] {
  const { verdict, reasons } = shell.assess(command, at);
  if (verdict === wanted || also_ok?.includes(verdict) === true) return [];
  return [`${JSON.stringify(command)}: ${verdict} instead of ${wanted} (${reasons.join("; ")})`];
}
