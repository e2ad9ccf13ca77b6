/**
 * The check that all other tests lean on: it finds what is wrong, in every revision, and nothing in what is right.
 */
import { describe, expect, test } from "bun:test";
import { MessageCheck } from "./check-message.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const INFO = { name: "x", version: "1" };

function check(method: string, params: object, answer: object): () => void {
  const checked = new MessageCheck();
  checked.sent(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  checked.came({ jsonrpc: "2.0", id: 1, ...answer });
  return () => checked.assertNone();
}

describe.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("%s", (protocolVersion) => {
  const params = { protocolVersion, capabilities: {}, clientInfo: INFO };
  test("the revision takes a handshake that is right", () => {
    expect(
      check("initialize", params, { result: { protocolVersion, capabilities: {}, serverInfo: INFO } }),
    ).not.toThrow();
  });
  test.each([
    { result: { protocolVersion, capabilities: {} } },
    { result: { protocolVersion, capabilities: { tools: 5 }, serverInfo: INFO } },
    { result: { protocolVersion, capabilities: {}, serverInfo: INFO, resultType: "complete" } },
    { error: { code: "x", message: "no" } },
    { error: { code: -32002, message: "not ours to use" } },
  ])("the revision refuses %j", (answer) => {
    expect(check("initialize", params, answer)).toThrow("not as published");
  });
});

describe("2026-07-28", () => {
  const content = [{ type: "text", text: "" }];
  const right = { resultType: "complete", content };
  test.each([right, { resultType: "input_required", requestState: "x" }])(
    "the revision 2026-07-28 takes %j",
    (result) => {
      expect(check("tools/call", { _meta: META }, { result })).not.toThrow();
    },
  );
  test.each([
    { content },
    { resultType: "complete", content: [{ type: "text" }] },
    { resultType: "complete", content: [{ type: "resource_link", uri: "x:y" }] },
    { resultType: "input_required", inputRequests: { a: { method: "elicitation/create", params: {} } } },
    { resultType: "task", taskId: "t" },
  ])("the revision 2026-07-28 refuses %j", (result) => {
    expect(check("tools/call", { _meta: META }, { result })).toThrow("not as published");
  });
  test("the revision 2026-07-28 refuses a list without its caching hints", () => {
    const result = { resultType: "complete", tools: [] };
    expect(check("tools/list", { _meta: META }, { result })).toThrow("not as published");
    expect(
      check("tools/list", { _meta: META }, { result: { ...result, ttlMs: 1, cacheScope: "private" } }),
    ).not.toThrow();
  });
});

test("a request to a client that did not shake hands, and an answer that nobody asked for", () => {
  const checked = new MessageCheck();
  checked.came({ jsonrpc: "2.0", id: 5, method: "roots/list" });
  expect(() => checked.assertNone()).toThrow("did not shake hands");
  const other = new MessageCheck();
  other.came({ jsonrpc: "2.0", id: 5, result: {} });
  expect(() => other.assertNone()).toThrow("nobody asked");
});
