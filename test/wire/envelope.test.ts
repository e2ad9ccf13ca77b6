/** The exact text of every kind of line that leaves. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { errorLine, notificationLine, parseMessage, requestLine, resultLine } from "../../src/wire/index.ts";

test("results: the text is spliced in as it is", () => {
  expect(resultLine(1, '{"a":1}')).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":1}}');
  expect(resultLine("x", "{}")).toBe('{"jsonrpc":"2.0","id":"x","result":{}}');
  expect(resultLine('"\n\ud800', "{}")).toBe('{"jsonrpc":"2.0","id":"\\"\\n\\ud800","result":{}}');
  expect(resultLine(-9007199254740991, "{}")).toBe('{"jsonrpc":"2.0","id":-9007199254740991,"result":{}}');
});

test("the envelope of an error is one line", () => {
  expect(errorLine(null, { code: -32700, message: "no" })).toBe(
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
  );
  expect(errorLine("a", { code: 1, message: 'say "x"', data: { code: "denied" } })).toBe(
    '{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"say \\"x\\"","data":{"code":"denied"}}}',
  );
  expect(errorLine(7, { code: 1, message: "m", data: null })).toBe(
    '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m","data":null}}',
  );
});

test("the envelopes of requests and notifications are one line", () => {
  expect(notificationLine("n", { a: 1 })).toBe('{"jsonrpc":"2.0","method":"n","params":{"a":1}}');
  expect(notificationLine("n")).toBe('{"jsonrpc":"2.0","method":"n"}');
  expect(requestLine(3, "m", {})).toBe('{"jsonrpc":"2.0","id":3,"method":"m","params":{}}');
  expect(requestLine("k", "m")).toBe('{"jsonrpc":"2.0","id":"k","method":"m"}');
});

test("what is written is read back, on one line", () => {
  const ids = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: "binary", maxLength: 100 }));
  fc.assert(
    fc.property(ids, fc.string({ unit: "binary" }), fc.json(), (id, text, json) => {
      const lines = [
        requestLine(id, text, { text }),
        errorLine(id, { code: 5, message: text, data: text }),
        resultLine(id, json),
      ];
      expect(lines.filter((line) => line.includes("\n"))).toEqual([]);
      expect(lines.map((line): unknown => parseMessage(line))).toEqual([
        { kind: "request", id, method: text, params: { text } },
        { kind: "response", id, error: { code: 5, message: text, data: text } },
        { kind: "response", id, result: JSON.parse(json) },
      ]);
    }),
  );
});
