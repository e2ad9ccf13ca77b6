/**
 * A caller's values as arguments: each one is one argument, whatever it holds, and none becomes an option by accident.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { Failure } from "../../src/base/index.ts";
import { buildArguments, type CommandDeclaration, type ParameterDeclarations } from "../../src/proc/index.ts";

const toPath = (path: string, intent: string): string => {
  if (path.startsWith("..")) throw new Failure("outside_scope", "outside");
  return `/top/${intent}/${path}`;
};

function build(parameters: ParameterDeclarations, input: object, args?: readonly string[]): readonly string[] {
  const declaration: CommandDeclaration = {
    description: "x",
    program: "/bin/x",
    parameters,
    ...(args ? { args } : {}),
  };
  return buildArguments(declaration, input as never, toPath);
}

describe("arguments", () => {
  const cases: [
    name: string,
    parameters: ParameterDeclarations,
    input: object,
    args: string[] | undefined,
    out: string[],
  ][] = [
    ["stand where they are named", { a: { type: "string" } }, { a: "x" }, ["one", "{a}", "two"], ["one", "x", "two"]],
    [
      "follow when they are not",
      { a: { type: "string" }, b: { type: "integer" } },
      { b: 3, a: "x" },
      ["one"],
      ["one", "x", "3"],
    ],
    ["are left out", { a: { type: "string" } }, {}, ["one", "{a}"], ["one"]],
    ["are two with a flag", { a: { type: "string", flag: "--a" } }, { a: "x" }, undefined, ["--a", "x"]],
    ["are one with a joined flag", { a: { type: "string", flag: "--a=" } }, { a: "-x y" }, undefined, ["--a=-x y"]],
    [
      "of a boolean are its flag",
      { a: { type: "boolean", flag: "-v" }, b: { type: "boolean", flag: "-q" } },
      { a: true, b: false },
      undefined,
      ["-v"],
    ],
    ["of a list are many", { a: { type: "list", flag: "-i" } }, { a: ["x", "y"] }, undefined, ["-i", "x", "-i", "y"]],
    ["of a path are absolute", { a: { type: "path", intent: "write" } }, { a: "-rf" }, undefined, ["/top/write/-rf"]],
    ["of a number may be negative", { a: { type: "number" } }, { a: -1.5 }, undefined, ["-1.5"]],
    [
      "keep what a shell would read",
      { a: { type: "string" } },
      { a: "$(id); `id` && x | y > z \n\"'" },
      undefined,
      ["$(id); `id` && x | y > z \n\"'"],
    ],
    [
      "are not read again for names",
      { a: { type: "string" }, b: { type: "string" } },
      { a: "{b}", b: "x" },
      ["{a}", "{b}"],
      ["{b}", "x"],
    ],
    [
      "may be options that the declaration lists",
      { a: { type: "enum", values: ["-x", "y"] } },
      { a: "-x" },
      undefined,
      ["-x"],
    ],
    [
      "may be options if that is declared",
      { a: { type: "string", may_be_option: true } },
      { a: "--x" },
      undefined,
      ["--x"],
    ],
  ];
  test.each(cases)("the arguments are built from values: %s", (_name, parameters, input, args, out) => {
    expect(build(parameters, input, args)).toEqual(out);
  });
});

describe("a value is refused", () => {
  const cases: [name: string, parameters: ParameterDeclarations, input: object, says: string][] = [
    ["that would be read as an option", { a: { type: "string" } }, { a: "--upload-pack=evil" }, "read as an option"],
    ["that would be one in a list", { a: { type: "list" } }, { a: ["x", "-exec"] }, "read as an option"],
    ["that would be one after its flag", { a: { type: "string", flag: "--a" } }, { a: "-x" }, "read as an option"],
    ["that is missing", { a: { type: "string", required: true } }, {}, "missing"],
    ["that nobody declared", { a: { type: "string" } }, { b: "x" }, "no such parameter"],
    ["of another type", { a: { type: "string" } }, { a: 3 }, "must be a text"],
    ["of another type of number", { a: { type: "integer" } }, { a: 1.5 }, "whole number"],
    ["that is no number", { a: { type: "number" } }, { a: Number.NaN }, "must be a number"],
    ["that is too large", { a: { type: "integer", maximum: 3 } }, { a: 4 }, "at most 3"],
    ["that is none of the values", { a: { type: "enum", values: ["x", "y"] } }, { a: "z" }, "one of x, y"],
    ["that matches only in part", { a: { type: "string", pattern: "[a-z]+" } }, { a: "abc;" }, "does not match"],
    ["with a line too many", { a: { type: "string", pattern: "[a-z]+" } }, { a: "abc\n" }, "does not match"],
    [
      "that an expression could match in any number of ways",
      { a: { type: "string", pattern: "(a+)+b" } },
      { a: "a".repeat(60_000) },
      "does not match",
    ],
    ["with a NUL", { a: { type: "string" } }, { a: "x\0y" }, "NUL"],
    ["that leaves the roots", { a: { type: "path" } }, { a: "../x" }, "outside"],
    ["that is too long", { a: { type: "string", max_length: 3 } }, { a: "xxxx" }, "longer than 3"],
    ["in a list that is too long", { a: { type: "list", max_items: 1 } }, { a: ["x", "y"] }, "more than 1"],
    [
      "that is named like a property of every object",
      { a: { type: "string" } },
      JSON.parse('{"__proto__": "x"}') as object,
      "no such parameter",
    ],
  ];
  test.each(cases)("a value is refused: %s", (_name, parameters, input, says) => {
    expect(() => build(parameters, input)).toThrow(says);
  });
});

test("whatever a text holds, it is one argument, and no option", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      let made: readonly string[];
      try {
        made = build({ a: { type: "string" }, b: { type: "string" } }, { a, b }, ["x", "{a}", "--", "{b}"]);
      } catch {
        return a.startsWith("-") || b.startsWith("-") || /\0/.test(a + b);
      }
      return made.length === 4 && made[1] === a && made[3] === b && !a.startsWith("-");
    }),
  );
});
