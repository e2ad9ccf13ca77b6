/**
 * The table as it is printed, and which rows miss their target. A row on its limit has met it.
 */
import { describe, expect, test } from "bun:test";
import { compare } from "../../bench/alternate.ts";
import { isMet, type Measurement, type Target } from "../../bench/measurement.ts";
import { formatNumber, formatRatio, formatTable, isMissed } from "../../bench/table.ts";

test("formatTable aligns and judges", () => {
  const rows: Measurement[] = [
    {
      measure: "start",
      unit: "ms",
      ours: 10,
      reference: 160,
      target: { kind: "ratio_at_most", value: 1 / 12 },
    },
    {
      measure: "rate",
      unit: "calls/s",
      ours: 49_993.4,
      reference: 12_000,
      target: { kind: "ratio_at_least", value: 7 },
    },
    { measure: "memory", unit: "MB", ours: 44.96, target: { kind: "at_most", value: 45 }, detail: "RSS" },
    { measure: "ping, max", unit: "ms", ours: 0.03061 },
  ];
  expect(`\n${formatTable(rows)}\n`).toBe(`
| measure   |           ours |      reference | ratio |   target | ok? | how |
| --------- | -------------: | -------------: | ----: | -------: | --- | --- |
| start     |          10 ms |         160 ms |  1/16 |  <= 1/12 | yes |     |
| rate      | 49,993 calls/s | 12,000 calls/s | 4.17x |    >= 7x | NO  |     |
| memory    |          45 MB |                |       | <= 45 MB | yes | RSS |
| ping, max |      0.0306 ms |                |       |          |     |     |
`);
});

describe("isMet", () => {
  const cases: [ours: number, reference: number | undefined, target: Target | undefined, met: boolean | undefined][] = [
    [1, 12, { kind: "ratio_at_most", value: 1 / 12 }, true],
    [1.01, 12, { kind: "ratio_at_most", value: 1 / 12 }, false],
    [70, 10, { kind: "ratio_at_least", value: 7 }, true],
    [69, 10, { kind: "ratio_at_least", value: 7 }, false],
    [64, undefined, { kind: "at_most", value: 64 }, true],
    [64.1, undefined, { kind: "at_most", value: 64 }, false],
    [1, undefined, { kind: "ratio_at_most", value: 1 }, undefined],
    [1, 2, undefined, undefined],
  ];
  test.each(cases)("isMet() compares %p with %p and says %p", (ours, reference, target, met) => {
    const row: Measurement = {
      measure: "m",
      unit: "ms",
      ours,
      ...(reference === undefined ? {} : { reference }),
      ...(target === undefined ? {} : { target }),
    };
    expect(isMet(row)).toBe(met);
    expect(isMissed(row)).toBe(met === false);
  });
});

test.each([
  [0, "0"],
  [2500, "2,500"],
  [0.0306123, "0.0306"],
  [12.345, "12.3"],
  [99.96, "100"],
  [160.7, "161"],
])("formatNumber(%p) is %p", (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test.each([
  [1 / 14.62, "1/14.6"],
  [1, "1x"],
  [7.04, "7.04x"],
  [Number.NaN, "NaN"],
  [Infinity, "Infinity"],
])("formatRatio(%p) is %p", (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});

test("compare takes medians and says between which ratios the pairs lay", () => {
  const { ours, reference, detail } = compare({ ours: [1, 2, 9], reference: [10, 10, 30] }, "3 rounds");
  expect([ours, reference, detail]).toEqual([2, 10, "3 rounds; pairs 1/10 to 1/3.33"]);
});
