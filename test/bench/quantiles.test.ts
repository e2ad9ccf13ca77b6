/**
 * The order statistics: known values, their borders, and that samples are left as they were.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { median, quantile } from "../../bench/quantiles.ts";

describe("median", () => {
  test.each([
    [[5], 5],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])("the median of %p is %p", (samples, expected) => {
    expect(median(samples)).toBe(expected);
  });

  test("median() leaves the samples in their order", () => {
    const samples = [3, 1, 2];
    median(samples);
    expect(samples).toEqual([3, 1, 2]);
  });

  test("the median of nothing is an error", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("quantile", () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);

  test.each([
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [0.991, 100],
    [1, 100],
  ])("%p of 1..100 is %p", (share, expected) => {
    expect(quantile(hundred, share)).toBe(expected);
  });

  test("a quantile is a sample that at least that share does not exceed", () => {
    const samples = fc.array(fc.integer(), { minLength: 1 });
    fc.assert(
      fc.property(samples, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const value = quantile(values, share);
        expect(values).toContain(value);
        expect(values.filter((one) => one <= value).length).toBeGreaterThanOrEqual(share * values.length);
      }),
    );
  });

  test.each([-0.1, 1.1, Number.NaN])("%p is not a share", (share) => {
    expect(() => quantile([1], share)).toThrow("it must be 0 to 1");
  });
});
