/** The envelope rules of JSON-RPC 2.0, each with its literal answer. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { parseMessage, RPC, RpcError } from "../../src/wire/index.ts";

const PARSE = {
  kind: "malformed",
  id: null,
  code: -32700,
  message: "Cannot parse the line: it is not valid JSON. Send one whole JSON object on each line.",
};
const malformed = (id: string | number | null, state: string) => ({
  kind: "malformed",
  id,
  code: -32600,
  message: `Cannot use the message: ${state}`,
});
const ID_STATE = '"id" must be a safe integer or a string of at most 256 characters';
const BATCH = "batches are not supported, send one object per line";
const withIdOf = (length: number): string => `{"jsonrpc":"2.0","id":"${"é".repeat(length)}","method":"a"}`;
const read = (text: string): unknown => parseMessage(text);

describe("messages", () => {
  const cases: [string, unknown][] = [
    ['{"jsonrpc":"2.0","id":1,"method":"a"}', { kind: "request", id: 1, method: "a", params: {} }],
    [
      '{"jsonrpc":"2.0","id":"x","method":"a","params":{"b":[1]}}',
      { kind: "request", id: "x", method: "a", params: { b: [1] } },
    ],
    [' {"method":"a", "jsonrpc":"2.0", "id":-7}\r', { kind: "request", id: -7, method: "a", params: {} }],
    ['{"jsonrpc":"2.0","id":"","method":""}', { kind: "request", id: "", method: "", params: {} }],
    ['{"jsonrpc":"2.0","id":1.0,"method":"a"}', { kind: "request", id: 1, method: "a", params: {} }],
    ['{"jsonrpc":"2.0","method":"a"}', { kind: "notification", method: "a", params: {} }],
    ['{"jsonrpc":"2.0","id":1,"method":"a","id":2,"method":"b"}', { kind: "request", id: 2, method: "b", params: {} }],
    [
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"p":1,"p":2}}',
      { kind: "request", id: 1, method: "a", params: { p: 2 } },
    ],
    ['{"jsonrpc":"2.0","id":1,"result":{"a":1}}', { kind: "response", id: 1, result: { a: 1 } }],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: "response", id: 1, result: null }],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":[]}}',
      { kind: "response", id: 1, error: { code: -1, message: "m", data: [] } },
    ],
  ];
  test.each(cases)("parseMessage() reads %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test("an id of 256 characters is taken, one of 257 is not", () => {
    expect(read(withIdOf(256))).toMatchObject({ kind: "request", id: "é".repeat(256) });
    expect(read(withIdOf(257))).toEqual(malformed(null, ID_STATE));
  });
});

describe("malformed", () => {
  const notJson = ["{", "", "nul", '{"a":1} x', "{'a':1}", '{"a":"\0"}', '\uFEFF{"jsonrpc":"2.0"}', '{"a":1,}'];
  test.each(notJson)("parseMessage() refuses what is not JSON: %j", (text) => {
    expect(read(text)).toEqual(PARSE);
  });

  const cases: [string, unknown][] = [
    ["[]", malformed(null, BATCH)],
    ['[{"jsonrpc":"2.0","id":1,"method":"a"}]', malformed(null, BATCH)],
    ["1", malformed(null, "it must be an object")],
    ["null", malformed(null, "it must be an object")],
    ['"a"', malformed(null, "it must be an object")],
    ["{}", malformed(null, '"jsonrpc" must be "2.0"')],
    ['{"id":5,"method":"a"}', malformed(5, '"jsonrpc" must be "2.0"')],
    ['{"jsonrpc":"1.0","id":"k","method":"a"}', malformed("k", '"jsonrpc" must be "2.0"')],
    ['{"jsonrpc":2.0,"id":5,"method":"a"}', malformed(5, '"jsonrpc" must be "2.0"')],
    ['{"jsonrpc":"2.0","id":5}', malformed(5, '"method" must be a string')],
    ['{"jsonrpc":"2.0","id":5,"method":7}', malformed(5, '"method" must be a string')],
    ['{"jsonrpc":"2.0","id":5,"method":null}', malformed(5, '"method" must be a string')],
    ['{"jsonrpc":"2.0","id":5,"method":"a","params":[1]}', malformed(5, '"params" must be an object')],
    ['{"jsonrpc":"2.0","id":5,"method":"a","params":null}', malformed(5, '"params" must be an object')],
    ['{"jsonrpc":"2.0","method":"a","params":"x"}', malformed(null, '"params" must be an object')],
  ];
  test.each(cases)("parseMessage() refuses %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  const ids = ["null", "true", "{}", "[1]", "1.5", "9007199254740992", "-9007199254740992", "1e400"];
  test.each(ids)("parseMessage() refuses the id %s", (id) => {
    expect(read(`{"jsonrpc":"2.0","id":${id},"method":"a"}`)).toEqual(malformed(null, ID_STATE));
  });

  const responses: [string, number | null, string][] = [
    [
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}',
      null,
      'a response must have the "id" of its request',
    ],
    ['{"jsonrpc":"2.0","result":1}', null, 'a response must have the "id" of its request'],
    ['{"id":3,"result":1}', 3, '"jsonrpc" must be "2.0"'],
    [
      '{"jsonrpc":"2.0","id":3,"result":1,"error":{"code":1,"message":"m"}}',
      3,
      'a response has "result" or "error", not both',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"error":{"code":1.5,"message":"m"}}',
      3,
      '"error" must have an integer "code" and a string "message"',
    ],
    ['{"jsonrpc":"2.0","id":3,"error":"m"}', 3, '"error" must have an integer "code" and a string "message"'],
  ];
  test.each(responses)("a response, which must not be answered: %s", (text, id, state) => {
    expect(read(text)).toEqual({ ...malformed(id, state), isResponse: true });
  });
});

test("__proto__ is data: an own member that changes no prototype", () => {
  const message = parseMessage('{"jsonrpc":"2.0","id":1,"method":"a","params":{"__proto__":{"admin":true}}}');
  if (message.kind !== "request") throw new Error("expected a request");
  expect(Object.getPrototypeOf(message.params)).toBe(Object.prototype);
  expect(Object.keys(message.params)).toEqual(["__proto__"]);
  expect(message.params["admin"]).toBeUndefined();
  const inherited = '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"a"}}';
  expect(read(inherited)).toEqual(malformed(null, '"jsonrpc" must be "2.0"'));
});

test("any text gives a message or an error, and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(["request", "notification", "response", "malformed"]).toContain(parseMessage(text).kind);
    }),
  );
});

test("RpcError has its name, its code and its data", () => {
  expect(RPC).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
  });
  const error = new RpcError(RPC.methodNotFound, "Unknown method", { method: "x" });
  expect([error.name, error.code, error.message, error.data]).toEqual([
    "RpcError",
    -32601,
    "Unknown method",
    { method: "x" },
  ]);
  expect(Object.hasOwn(new RpcError(1, "m"), "data") && new RpcError(1, "m").data).toBeFalsy();
});
