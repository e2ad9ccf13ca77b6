/**
 * The generator of broken messages: a seed gives the same lines however many were made before.
 */
import { expect, test } from "bun:test";
import { createRandom, wireLine } from "./wire-messages.ts";

test("a seed gives the same lines whatever lines were made before it", () => {
  const first = linesOf(7);
  expect(linesOf(7)).toEqual(first);
});

function linesOf(seed: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: 3000 }, () => Buffer.from(wireLine(random)).toString("base64"));
}
