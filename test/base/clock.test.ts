/**
 * Times in answers are those of `Date`, also where the one before is used again.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { isoTime } from "../../src/base/index.ts";

test("the clock writes one time after another, near and far, before 1970 and at the ends", () => {
  const ms = fc.oneof(
    fc.integer({ min: -2500, max: 2500 }),
    fc.integer({ min: 1_790_000_000_000, max: 1_790_000_002_500 }),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.double({ min: -5000, max: 5000, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(ms, { maxLength: 20 }), (times) => {
      expect(times.map(isoTime)).toEqual(times.map((time) => new Date(time).toISOString()));
    }),
    { numRuns: 1000 },
  );
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
});
