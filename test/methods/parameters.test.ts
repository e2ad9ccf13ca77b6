/**
 * The parameters of every method in the table: each is documented, and whoever gets one wrong is told which, what it may be and
 * what it is for. `{file: [...]}` for `files` must not do more than was asked.
 */
import { describe, expect, test } from "bun:test";
import { describeParam, methods, paramsSchema } from "../../src/methods/index.ts";
import { openTestHost, type Json } from "../host/in-memory-host.ts";

const PARAMETERS = methods.flatMap(({ name, params }) =>
  Object.entries(paramsSchema(params)).map(([key, schema]) => ({ name, key, schema })),
);

describe("every parameter of a method", () => {
  test.each(PARAMETERS)("$name $key has a description and a form", ({ schema }) => {
    expect(schema.description).toMatch(/^[A-Z].{8}/);
    expect(describeParam(schema)).toMatch(/^(true|an? |any )/);
  });

  test("a method refuses a parameter of another type by its name", async () => {
    await using host = openTestHost({});
    for (const { name, key, schema } of PARAMETERS.filter((one) => one.schema.type ?? one.schema.anyOf)) {
      // A boolean and null are wrong everywhere else.
      for (const value of [schema.type === "boolean" ? "yes" : true, null]) {
        const { error } = await host.request(name, { [key]: value });
        expect(error).toMatchObject({ code: 1, data: { code: "invalid_input", retry: "changed" } });
        expect(error.data.message).toBe(`Cannot read the parameters: ${key} must be ${describeParam(schema)}`);
        expect(error.data.hint).toBe(`${key}: ${schema.description}`);
      }
    }
  });
});

test("a method names what is missing and what it does not have", async () => {
  await using host = openTestHost({});
  for (const { name, params } of methods) {
    const { error } = await host.request(name, { nothing_like_it: 1 });
    expect(error.data.message).toBe(`Cannot read the parameters: ${name} has no "nothing_like_it"`);
    const names = Object.keys(params.shape);
    expect(error.data.hint).toContain(names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`);
  }
  const message = async (name: string, given: object): Promise<Json> =>
    (await host.request(`ringfence/${name}`, given)).error.data.message;
  expect(await message("proposals/get", {})).toBe("Cannot read the parameters: id is missing");
  expect(await message("proposals/apply", {})).toBe("Cannot read the parameters: give id, ids or request");
  expect(await message("proposals/apply", { id: "p", hunks: {} })).toContain("hunks must be an object");
  expect(await message("proposals/get", { id: "p", page: 0 })).toContain("page must be a whole number from 1 on");
});

test("a name of ours that no method has is answered as any other unknown method", async () => {
  await using host = openTestHost({});
  const { error } = await host.request("ringfence/proposals/lst");
  expect(error).toEqual({ code: -32601, message: 'there is no method "ringfence/proposals/lst"' });
});
