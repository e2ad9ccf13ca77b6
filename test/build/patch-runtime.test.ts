/**
 * The patches of the runtime, on the runtime of this machine and on bytes made up for the purpose. What they do to a
 * running binary is shown in test/binary/hostile.test.ts.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { blindJscOptions } from "../../scripts/build/patch-jsc-options.ts";
import { blank, PATCHES, patchRuntime } from "../../scripts/build/patch-runtime.ts";
import { nativeTarget } from "../../scripts/build/targets.ts";

describe("patchRuntime", () => {
  const runtime = readFileSync(process.execPath);
  const size = runtime.length;
  const counts = patchRuntime(runtime, nativeTarget().cpu);

  test("patchRuntime() finds each name as often as it did when the patches were written", () => {
    expect(counts).toMatchObject({
      BUN_BE_BUN: 1,
      BUN_OPTIONS: 2,
      BUN_FEATURE_FLAG_NO_ORPHANS: 2,
      BUN_INSPECT: 9,
      BUN_BYTECODE_: 4,
      "bun.report": 1,
    });
    expect(counts["JSC option prefix"]).toBe(1);
  });

  test("patchRuntime() leaves none of them and keeps the size", () => {
    const left = PATCHES.filter((patch) => patch.notAfter === undefined && runtime.includes(patch.find));
    expect(left).toEqual([]);
    expect(runtime.length).toBe(size);
  });

  test("patchRuntime() refuses a runtime that is patched already", () => {
    expect(() => patchRuntime(runtime, nativeTarget().cpu)).toThrow(
      "BUN_BE_BUN occurs 0 times, and must occur 1 times",
    );
  });
});

describe("blank", () => {
  test("blanks the first four bytes and keeps the tail, which other strings may share", () => {
    const bytes = Buffer.from("a\0BUN_OPTIONS\0b");
    expect(blank(bytes, { find: "BUN_OPTIONS", expected: 1 })).toBe(1);
    expect(bytes.toString()).toBe("a\0\0\0\0\0OPTIONS\0b");
  });

  test("blank() leaves JavaScript alone", () => {
    const bytes = Buffer.from("process.env.BUN_INSPECT BUN_INSPECT");
    expect(blank(bytes, { find: "BUN_INSPECT", expected: 1, notAfter: "process.env." })).toBe(1);
    expect(bytes.toString()).toBe("process.env.BUN_INSPECT \0\0\0\0INSPECT");
  });

  test("blank() refuses one occurrence too many", () => {
    const bytes = Buffer.from("BUN_BE_BUN BUN_BE_BUN");
    expect(() => blank(bytes, { find: "BUN_BE_BUN", expected: 1 })).toThrow("occurs 2 times");
  });
});

describe("blindJscOptions", () => {
  const prefix = [...Buffer.from("BUN_JSC_")];

  test.each([
    ["with a REX prefix", [0x41]],
    ["without one", []],
  ])("blindJscOptions() makes the second x64 comparison read the first character, %s", (_name, rex) => {
    const code = Buffer.from(
      prefix.flatMap((char, k) =>
        k === 0 ? [...rex, 0x80, 0x3f, char, 0x75, 9] : [...rex, 0x80, 0x7f, k, char, 0x75, 9],
      ),
    );
    const second = code.indexOf(Buffer.from([1, 0x55]));
    expect(blindJscOptions(code, "x64")).toBe(1);
    expect([...code.subarray(second, second + 2)]).toEqual([0, 0x55]);
    expect(() => blindJscOptions(code, "x64")).toThrow("occurs 0 times");
  });

  test("blindJscOptions() makes the second arm64 load read the first character", () => {
    // The words of the linux-aarch64 runtime: ldrb w10, [x9, #k]; cmp w10, #char; b.ne.
    const words = prefix.flatMap((char, k) => [0x3940012a | (k << 10), (0x7100015f | (char << 10)) >>> 0, 0x54ffff01]);
    const code = Buffer.alloc(4 * (words.length + 3));
    words.forEach((word, index) => code.writeUInt32LE(word, 4 * index));
    expect(code.readUInt32LE(12)).toBe(0x3940052a);
    expect(blindJscOptions(code, "arm64")).toBe(1);
    expect(code.readUInt32LE(12)).toBe(0x3940012a);
    expect(() => blindJscOptions(code, "arm64")).toThrow("occurs 0 times");
  });
});
