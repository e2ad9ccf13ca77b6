/**
 * The generator of broken messages: a seed gives the same lines however many were made before.
 */
import { expect, test } from "bun:test";
import { createRandom, wireLine } from "./wire-messages.ts";

test("a seed gives the same lines whatever lines were made before it", () => {
  const lines = (): string[] => {
    const random = createRandom(7);
    return Array.from({ length: 3000 }, () => Buffer.from(wireLine(random)).toString("base64"));
  };
  expect(lines()).toEqual(lines());
});
