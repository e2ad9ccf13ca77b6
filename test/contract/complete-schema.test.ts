/**
 * Plain schemas are completed: strict objects all the way down, words for every member, and nothing else changed.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { completeSchema } from "../../src/contract/local/complete-schema.ts";
import { inputSchemaOf } from "../../src/contract/wire-schema.ts";

const wire = (given: z.ZodType): object => inputSchemaOf({ name: "plain", input: completeSchema(given).schema });

describe("completeSchema()", () => {
  test("completeSchema() leaves a schema that says everything as it is", () => {
    const given = z.strictObject({ a: z.array(z.strictObject({ b: z.string().describe("B") })).describe("A") });
    expect(completeSchema(given)).toEqual({ schema: given, missing: [] });
    expect(completeSchema(given).schema).toBe(given);
  });

  test("completeSchema() goes down through lists, options, defaults and unions", () => {
    const point = z.object({ x: z.number(), y: z.number().default(0) }).describe("A point");
    const given = z.object({
      points: z.array(point),
      origin: point.optional(),
      either: z.union([z.string(), z.object({ name: z.string() })]).nullable(),
    });
    const { missing, schema } = completeSchema(given);
    expect(missing).toContain("points[] was not strict: other arguments are refused now");
    expect(missing).toContain("points[].x had no description");
    expect(missing).not.toContain("origin had no description");
    expect(wire(given)).toMatchObject({
      properties: {
        points: { items: { description: "A point", additionalProperties: false } },
        origin: { description: "A point", properties: { x: { description: "x (number)" } } },
        either: { description: "either (value)" },
      },
      additionalProperties: false,
    });
    expect(schema.safeParse({ points: [{ x: 1 }], either: null })).toMatchObject({
      success: true,
      data: { points: [{ x: 1, y: 0 }], either: null },
    });
    expect(schema.safeParse({ points: [{ x: 1, z: 1 }], either: null }).success).toBe(false);
    expect(schema.safeParse({ points: [], either: { name: "a", more: 1 } }).success).toBe(false);
  });

  test("completeSchema() keeps checks and words of an object", () => {
    const given = z.object({ a: z.number() }).refine(({ a }) => a > 1);
    const { schema } = completeSchema(given);
    expect([schema.safeParse({ a: 1 }).success, schema.safeParse({ a: 2 }).success]).toEqual([false, true]);
  });

  test("completeSchema() does not close an object that says that it is open", () => {
    expect(() => wire(z.looseObject({ a: z.string() }))).toThrow("is not strict");
  });
});
