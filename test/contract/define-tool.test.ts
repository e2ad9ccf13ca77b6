/** Declaring a tool: schemas that wait until somebody looks, and what was declared stays as it was. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { defineTool, type ReadContext } from "../../src/contract/index.ts";

test("schemas that are functions are made when they are first looked at, and once", () => {
  let made = 0;
  const tool = defineTool({
    name: "late",
    title: "Late",
    summary: "Waits.",
    effect: "read",
    input: () => {
      made++;
      return z.strictObject({ a: z.string().describe("A") });
    },
    output: () => z.looseObject({}),
    access: () => [],
    run: ({ a }) => ({ text: a, structured: {} }),
  });
  expect(made).toBe(0);
  expect(tool.input).toBe(tool.input);
  expect({ ...tool }.input).toBe(tool.input);
  expect(made).toBe(1);
});

test("an instance of a class keeps what it inherits", async () => {
  class Declared {
    readonly name = "inherits";
    readonly title = "Inherits";
    readonly summary = "Inherits.";
    readonly effect = "read";
    readonly input = (): z.ZodObject => z.strictObject({});
    readonly output = (): z.ZodObject => z.looseObject({});
    readonly #text = "its own";

    access(): [] {
      return [];
    }

    run(): { text: string; structured: object } {
      return { text: this.#text, structured: {} };
    }
  }
  const tool = defineTool(new Declared() as never);
  expect(tool.input).toBeInstanceOf(z.ZodObject);
  expect(await tool.run?.({} as never, {} as ReadContext as never)).toMatchObject({ text: "its own" });
});
