/**
 * `null` and a client's own hint on the way to a tool of somebody else, whose schema may take `null` for a value.
 */
import { describe, expect, test } from "bun:test";
import { defineRemoteTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost, type CallAnswer } from "../host/in-memory-host.ts";

describe("a tool of somebody else", () => {
  let made: unknown[] = [];
  const nullable = { anyOf: [{ type: "string" }, { type: "null" }] };
  const properties = {
    text: { type: "string" },
    depth: { type: "integer" },
    kind: { enum: ["a", "b"] },
    takes: { type: ["string", "null"] },
    either: nullable,
    unknown: {},
    elsewhere: { $ref: "#/$defs/x" },
    open: { type: "integer", nullable: true },
    inner: {
      type: "object",
      properties: { must: { type: "string" }, may: { type: "string" } },
      required: ["must"],
    },
    list: { type: "array", items: { type: "object", properties: { may: { type: "string" } } } },
  };
  const far = (more: object = {}) =>
    defineRemoteTool({
      name: "mcp_far_say",
      owner: 'the MCP server "far"',
      tool: "say",
      inputSchema: { type: "object", properties, required: ["text"], ...more },
      effect: "read",
      execute: (args) => {
        made.push(args);
        return Promise.resolve({ content: [{ type: "text", text: "said" }] });
      },
    });

  const callOf = async (args: object, more: object = {}): Promise<CallAnswer> => {
    made = [];
    await using host = openTestHost({ tools: [...builtinTools, far(more)] });
    return await host.call("mcp_far_say", args);
  };

  test("a remote tool gets no null where its schema does not take one", async () => {
    const nested = { inner: { must: "m", may: null }, list: [{ may: null }, { may: "x" }] };
    const answer = await callOf({ text: "hi", depth: null, kind: null, ...nested });
    expect(answer.text).toBe("said");
    expect(made).toEqual([{ text: "hi", inner: { must: "m" }, list: [{}, { may: "x" }] }]);
  });

  test("a remote tool gets the nulls that its schema takes, or may take", async () => {
    const given = {
      text: "hi",
      takes: null,
      either: null,
      unknown: null,
      elsewhere: null,
      open: null,
      more: null,
    };
    await callOf(given);
    expect(made).toEqual([given]);
  });

  test("null for what it requires is a failure", async () => {
    expect((await callOf({ text: null })).failure?.message).toContain("the argument text must be string, not null");
    const inner = await callOf({ text: "hi", inner: { must: null } });
    expect(inner.failure?.message).toContain("the argument inner.must must be string, not null");
    expect(made).toEqual([]);
  });

  test("a remote tool gets wait_for_previous only if it has such an argument", async () => {
    await callOf({ text: "hi", wait_for_previous: true });
    expect(made).toEqual([{ text: "hi" }]);
    await callOf({ text: "hi", wait_for_previous: true }, { additionalProperties: false });
    expect(made).toEqual([{ text: "hi" }]);
    const own = { properties: { text: { type: "string" }, wait_for_previous: { type: "boolean" } } };
    await callOf({ text: "hi", wait_for_previous: true }, own);
    expect(made).toEqual([{ text: "hi", wait_for_previous: true }]);
  });
});
