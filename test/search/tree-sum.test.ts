/**
 * The sum by which pages that are sorted by time know whether the tree is the same.
 */
import { expect, test } from "bun:test";
import { TreeSum } from "../../src/search/context.ts";
import { fc } from "../property.ts";

test("a sum of times is the same in any order and in parts, also of times before 1970", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -(2 ** 49), max: 2 ** 49 }), { maxLength: 30 }),
      fc.nat(30),
      (values, cut) => {
        const mark = markOf(values);
        expect(markOf(values.toReversed())).toBe(mark);
        expect(markOf(values.slice(cut), values.slice(0, cut))).toBe(mark);
      },
    ),
  );
});

function markOf(...parts: (readonly number[])[]): string {
  const whole = new TreeSum();
  for (const part of parts) {
    const sum = new TreeSum();
    for (const value of part) sum.add(value);
    whole.addAll(sum);
  }
  return whole.mark();
}
