/**
 * Arguments of no sense, for every row: each is answered as a failure of the call or read as something that our tool
 * takes; none is a bug.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/base/index.ts";
import { DIALECTS } from "../../src/config/index.ts";
import { createRegistry } from "../../src/contract/index.ts";
import { openDialect } from "../../src/dialects/index.ts";
import { builtinTools, commandTools } from "../../src/tools/index.ts";

const VALUE = fc.oneof(
  fc.constantFrom("a.txt", "-1", "true", "", "__proto__", "*.ts", "content"),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, ["a"], [1], [{ old_string: "a" }], [{ constructor: 1 }]),
  fc.jsonValue(),
);

test.each(DIALECTS.filter((name) => name !== "ringfence"))("%s", async (name) => {
  const { rows } = await openDialect(name, createRegistry([...builtinTools, ...commandTools({}, true)]));
  for (const compiled of rows) {
    const names = [
      ...Object.keys(compiled.row.parameters),
      ...Object.keys(compiled.tool.input.shape),
      "__proto__",
      "constructor",
      "toString",
    ];
    const given = fc.oneof(
      fc.dictionary(fc.constantFrom(...names), VALUE, { noNullPrototype: true }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(given, (args) => {
        let ours: object;
        try {
          ours = compiled.toOurs(args);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Failure);
          return;
        }
        // What was understood can be said again.
        expect(typeof compiled.toTheirs(ours as Readonly<Record<string, unknown>>)).toBe("object");
      }),
      { numRuns: 100 },
    );
  }
});

test("a call that is given back means the same", async () => {
  const { rows } = await openDialect("claude", createRegistry([...builtinTools, ...commandTools({}, true)]));
  const row = (name: string) => rows.find((one) => one.row.name === name) ?? expect.unreachable();
  for (const [name, ours] of [
    ["Read", { path: "a", offset: 3, limit: 2, line_numbers: true }],
    ["Read", { path: "a", line_numbers: false, unless_hash: "x" }],
    ["Grep", { pattern: "x", output: "content", case: "insensitive", include: ["*.ts"], cursor: "c" }],
    ["Grep", { pattern: "x", output: "files", include: ["*.ts", "*.js"] }],
    ["MultiEdit", { path: "a", edits: [{ old_text: "a", new_text: "b" }] }],
    ["Glob", { pattern: "*", hidden: true, sort: "name" }],
  ] as const)
    expect(row(name).toOurs(row(name).toTheirs(ours))).toEqual(ours);
});
