/** Counts that every other test relies on: what they see, and that the code with counters does what it did. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc } from "../property.ts";
import { countSteps } from "./count-steps.ts";
import { stepsOfAll } from "./counted-expressions.ts";
import { loadCounted } from "./load-counted.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfence-counted-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(code: string): string {
  const path = join(folder, "code.ts");
  writeFileSync(path, code);
  return path;
}

describe("growth of the steps, from a size to twice the size", () => {
  const cases: [code: string, growth: number][] = [
    ["for (let at = 0; at < size; at++) if (at % 2) continue;", 2],
    ["for (let a = 0; a < size; a++) for (let b = 0; b < size; b++);", 4],
    ["const down = (left: number): number => left === 0 ? 0 : down(left - 1); down(size);", 2],
    ["for (let at = 0; at < size; at++) text.indexOf('x', at);", 4],
    ["for (let at = 0; at < size; at++) text.slice(at).includes('x');", 4],
    ["for (let at = 0; at < size; at++) text === `${text}`.slice(0);", 4],
    ["let all: string[] = []; for (let at = 0; at < size; at++) all = [...all, 'x'];", 4],
    ["const all = text.split(' '); while (all.length > 0) all.shift();", 4],
    ["for (const word of text.split(' ')) new Set(text.split(' ')).has(word);", 4],
    ["/ab +$/.exec(text);", 2],
    ["/(?:ab )+$/.test(`${text}x`);", 4],
    ["text.replace(/b[^]*x/g, '');", 4],
    ["' '.repeat(size).concat('x').replace(/[ ]+$/, '');", 4],
    ["Buffer.from(text).indexOf('x');", 2],
  ];
  test.each(cases)("the growth of the steps is measured from a size to twice the size: %s", async (code, growth) => {
    const path = write(`export function run(text: string, size: number): void {\n${code}\n}\n`);
    const { run } = await loadCounted<{ run: (text: string, size: number) => void }>(path);
    const steps = (size: number): number => countSteps(() => run("ab ".repeat(size), size));
    expect(steps(800) / steps(400)).toBeWithin(growth * 0.9, growth * 1.05);
    expect(steps(400)).toBe(steps(400));
  });
});

test("code with counters does what it did, where loops have no braces and comparisons stand in each other", async () => {
  const path = write(`
    const same = (a: string, b: string): boolean => a === b;
    let sum = 0;
    for (const row of [[1, 2], [3]]) for (const one of row) if (one !== sum) sum += one;
    do sum++; while (sum < 10)
    label: for (let at = 0; ; at++) { if (at > 3) break label; else continue label; }
    const made = () => ({ sum, all: [...[sum], ...new Set([sum])] });
    export const result = [sum, made(), same("a", "a") === same("b", "b"), Math.max(...[1, 2])];
  `);
  const counted = await loadCounted<{ result: unknown }>(path);
  const plain = (await import(path)) as { result: unknown };
  expect(counted.result).toEqual(plain.result);
  expect(counted.result).toEqual([10, { sum: 10, all: [10, 10] }, true, 2]);
});

test("expressions: the matches of the runtime, on random expressions and texts", () => {
  const atom = fc.constantFrom(
    "a",
    "b",
    "[ab]",
    "[^a]",
    ".",
    "\\s",
    "\\b",
    "^",
    "$",
    "(a)",
    "(?:ab|a)",
    "(?=b)",
    "(?<!a)",
    "(?<=a+)",
    "x?",
  );
  const repeated = fc.tuple(atom, fc.constantFrom("", "", "*", "+?", "{1,2}", "{2}"));
  const part = repeated.map(([one, sign]) =>
    /^(?:\\b|\^|\$|\(\?[<=])/.test(one) || one.endsWith("?") ? one : one + sign,
  );
  const sequence = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  const nested = fc.tuple(sequence, fc.constantFrom("*", "+", "{0,3}")).map(([body, sign]) => `(?:${body})${sign}`);
  const source = fc.array(fc.oneof(sequence, nested), { minLength: 1, maxLength: 2 }).map((parts) => parts.join("|"));
  const text = fc.string({ unit: fc.constantFrom("a", "b", "A", " ", "\n"), maxLength: 12 });
  fc.assert(
    fc.property(source, fc.constantFrom("g", "gi", "gm", "gs", "gu"), text, (pattern, flags, body) => {
      // It throws where the runtime finds something else.
      expect(stepsOfAll(new RegExp(pattern, flags), body)).toBeGreaterThan(0);
    }),
    { numRuns: 3000 },
  );
});

test("what is counted is put back", () => {
  const counted: [object, string][] = [
    [String.prototype, "indexOf"],
    [String.prototype, "replace"],
    [globalThis, "Set"],
    [Date, "now"],
    [performance, "now"],
    [Buffer, "from"],
  ];
  const all = (): unknown[] => counted.map(([owner, name]) => Reflect.get(owner, name) as unknown);
  const before = all();
  const during: unknown[] = [];
  const run = (): never => {
    during.push(...all());
    throw new Error("broken");
  };
  expect(() => countSteps(run)).toThrow("broken");
  expect(during.filter((one, index) => one === before[index])).toEqual([]);
  expect(all()).toEqual(before);
});
