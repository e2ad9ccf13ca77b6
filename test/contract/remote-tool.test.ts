/**
 * Tools of somebody else: what of their schemas, texts and answers may stand here, and how far arguments are looked at.
 */
import { describe, expect, test } from "bun:test";
import { Failure, limits } from "../../src/base/index.ts";
import {
  defineRemoteTool,
  describeTool,
  inputSchemaOf,
  parseArguments,
  remoteMembers,
  readRemoteResult,
  type JsonSchema,
} from "../../src/contract/index.ts";

function foreign(inputSchema: unknown, more: object = {}) {
  return defineRemoteTool({
    name: "mcp_a_b",
    owner: 'the MCP server "a"',
    tool: "b",
    inputSchema,
    execute: async () => ({ content: [] }),
    ...more,
  });
}

const schemaOf = (given: unknown): JsonSchema => inputSchemaOf(foreign(given));

function failureOf(work: () => unknown): string {
  try {
    work();
    return "ok";
  } catch (thrown) {
    if (thrown instanceof Failure) return `${thrown.code}: ${thrown.message} ${thrown.data.hint}`;
    throw thrown;
  }
}

describe("a schema", () => {
  test("a remote schema stays as it is below the root, and loses what clients cannot take at it", () => {
    const inputSchema = schemaOf({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      anyOf: [{ required: ["a"] }],
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }], pattern: "^(a+)+$" } },
    });
    expect(inputSchema).toEqual({
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }], pattern: "^(a+)+$" } },
    });
  });

  test("a remote schema has no references to elsewhere and no hidden text", () => {
    const inputSchema = schemaOf({
      type: "object",
      properties: {
        a: { $ref: "http://evil/x" },
        b: { $ref: "#/$defs/b" },
        c: { description: "x\u202ey\u001b[2Jz" },
      },
    });
    expect(inputSchema.properties).toEqual({ a: {}, b: { $ref: "#/$defs/b" }, c: { description: "xyz" } });
  });

  test("the schema of a property called __proto__ is data", () => {
    const given: unknown = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(Object.keys(schemaOf(given).properties ?? {})).toEqual(["__proto__"]);
  });

  test.each([
    ["a string", "x"],
    ["a list", []],
    ["another type", { type: "array" }],
    ["too much", { type: "object", description: "x".repeat(limits.MAX_FOREIGN_SCHEMA_BYTES) }],
    ["too deep", JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`)],
  ])("a remote schema that is %s is refused", (_name, schema) => {
    expect(failureOf(() => foreign(schema))).toStartWith("invalid_input");
  });
});

test("what it says about itself is shown bounded, and its hints are not believed", () => {
  const tool = foreign({}, { description: `Reads.\u200b${"x".repeat(9000)}`, annotations: { readOnlyHint: true } });
  const shown = describeTool(tool, { structured: false, showsAtOnce: false });
  const description = String(shown["description"]);
  expect(Buffer.byteLength(description)).toBeLessThan(2048);
  expect(description).toStartWith('From the MCP server "a", which says: Reads.xxx');
  expect(shown["annotations"]).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: true,
  });
  expect([tool.effect, tool.risk]).toEqual(["reach", "R4"]);
  expect(foreign({}, { effect: "read" }).risk).toBe("R1");
});

describe("arguments", () => {
  const schema = {
    type: "object",
    properties: {
      path: { type: "string", maxLength: 5 },
      mode: { enum: ["a", "b"] },
      list: { type: "array", items: { type: "integer", minimum: 2 } },
      any: { type: "string", pattern: "^(a+)+$", format: "uri" },
    },
    required: ["path"],
    additionalProperties: false,
  };
  test.each([
    ["fit", { path: "a", mode: "b", list: [2, 3] }, "ok"],
    ["miss one", {}, "the argument path is missing"],
    ["are no object", [], "must be an object"],
    ["have another type", { path: 1 }, "path must be string, not number"],
    ["are too long", { path: "123456" }, "at most 5 characters long"],
    ["are no value of an enum", { path: "a", mode: "c" }, 'mode is none of its values It is one of "a", "b".'],
    ["are wrong in a list", { path: "a", list: [2, 1] }, "list[1] must be at least 2"],
    ["are unknown", { path: "a", pth: 1 }, 'there is no argument "pth" Did you mean path?'],
    ["are too much", { path: "x".repeat(limits.MAX_FOREIGN_ARGUMENT_BYTES) }, "too_large"],
  ])("parseArguments() says when arguments %s", (_name, given, found) => {
    expect(failureOf(() => parseArguments(foreign(schema), given))).toContain(found);
  });

  test("parseArguments() names all wrong arguments at once", () => {
    const failure = failureOf(() => parseArguments(foreign(schema), { mode: "c", list: [1, "x"], pth: 1 }));
    for (const wrong of ["path is missing", "mode is none", "list[0] must", "list[1] must", '"pth"'])
      expect(failure).toContain(wrong);
  });

  test("parseArguments() tells all values of an enum when the argument is none of them", () => {
    const tool = foreign({ type: "object", properties: { a: { enum: ["x", "y"] } } });
    expect(failureOf(() => parseArguments(tool, { a: "z" }))).toEndWith('It is one of "x", "y".');
  });

  test("parseArguments() leaves patterns and unknown keywords of a remote schema alone", () => {
    const given = { path: "a", any: `${"a".repeat(60)}!` };
    expect(parseArguments(foreign(schema), given).input).toBe(given);
    const odd = foreign({ type: "object", properties: { a: { type: "weird" } }, required: "x", allOf: 5 });
    expect(parseArguments(odd, { a: 1, b: 2 }).input).toEqual({ a: 1, b: 2 });
    const lies = foreign(JSON.parse('{"properties":{"a":{"items":7,"enum":3,"minimum":"x","properties":9}}}'));
    expect(parseArguments(lies, { a: [{}] }).input).toEqual({ a: [{}] });
  });
});

describe("an answer", () => {
  const image = { type: "image", mimeType: "image/png", data: "aGk=" };
  test("a remote answer is reduced to text and images", () => {
    const { content } = readRemoteResult(
      {
        content: [
          { type: "text", text: "a", _meta: { x: 1 }, annotations: {} },
          image,
          { type: "image", mimeType: "image/svg+xml", data: "aGk=" },
          { type: "image", mimeType: "image/png", data: "x".repeat(limits.MAX_IMAGE_BYTES * 2) },
          { type: "audio", mimeType: "audio/wav", data: "aGk=" },
          { type: "resource_link", uri: "file:///etc/x\u001b[1m", name: "n" },
          { type: "resource", resource: { uri: "u:1", text: "hello" } },
          { type: "resource", resource: { uri: "u:2", blob: "aGk=" } },
          { type: "odd" },
          7,
        ],
      },
      "t",
    );
    expect(content.map((block) => block["text"] ?? block)).toEqual([
      "a",
      image,
      "[image image/svg+xml, 3 bytes: left out]",
      "[image image/png, 1.6 MB: left out, at most 4 of 1.0 MB are shown]",
      "[sound audio/wav, 3 bytes: left out]",
      "[link to file:///etc/x, n]",
      "[resource u:1]\nhello",
      "[resource u:2, data of no type, 3 bytes: left out]",
      "[2 parts of the answer are left out]",
    ]);
  });

  test.each([[undefined], [null], ["text"], [[]], [{ content: "x" }]])(
    "a remote answer that is %p is refused",
    (answer) => {
      expect(failureOf(() => readRemoteResult(answer, "t"))).toStartWith("command_failed");
    },
  );

  test("a remote answer has its structured form only where it is wanted, and no secrets in either", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const result = readRemoteResult({ content: [{ type: "text", text: token }], structuredContent: { token } }, "t");
    const redact = (text: string) => ({
      text: text.replaceAll(token, "[secret:000000]"),
      count: text.split(token).length - 1,
    });
    expect(remoteMembers(result, "text", redact)).not.toContain("structuredContent");
    const members = remoteMembers(result, "structured", redact);
    expect(members).toContain('"structuredContent":{"token":"[secret:000000]"}');
    expect(members).not.toContain(token);
    expect(members).toContain("2 secrets are replaced");
  });
});
