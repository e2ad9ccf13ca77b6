/**
 * A tool whose schema some client would not take is an error where it is made, and says what is wrong with it.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { inputSchemaOf } from "../../src/contract/wire-schema.ts";

const described = z.string().describe("A text");
const schemaOf = (input: z.ZodType): object => inputSchemaOf({ name: "odd", input });

test("a plain schema is flat and without noise", () => {
  expect(schemaOf(z.strictObject({ n: z.number().int().optional().describe("A number") }))).toEqual({
    type: "object",
    properties: { n: { type: "integer", description: "A number" } },
    additionalProperties: false,
  });
});

describe("an error", () => {
  const cases: [what: string, input: z.ZodType, wanted: string][] = [
    ["no object", z.string(), "the root is not an object"],
    ["not strict", z.object({ a: described }), "is not strict"],
    ["a property without a description", z.strictObject({ a: z.string() }), "a has no description"],
    ["one deep down", z.strictObject({ a: z.array(z.strictObject({ b: z.string() })).describe("L") }), "a[].b has no"],
    [
      "an object inside that is not strict",
      z.strictObject({ a: z.object({ b: described }).describe("O") }),
      "not strict",
    ],
  ];
  test.each(cases)("schemaOf() throws when a schema is %s", (_what, input, wanted) => {
    expect(() => schemaOf(input)).toThrow(wanted);
  });
});
