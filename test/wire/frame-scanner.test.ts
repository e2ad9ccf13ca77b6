/** Depth and id from bytes: literal cases, and JSON.parse as the oracle, whatever the cuts. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { FrameScanner } from "../../src/wire/frame-scanner.ts";
import { isRequestId } from "../../src/wire/index.ts";

function scan(text: string, cut = Number.POSITIVE_INFINITY): { id: unknown; depth: number } {
  const bytes = new TextEncoder().encode(text);
  const scanner = new FrameScanner();
  for (let at = 0; at < bytes.length; at += cut) scanner.feed(bytes.subarray(at, at + cut));
  return { id: scanner.id, depth: scanner.depth };
}

describe("id", () => {
  const cases: [string, string | number | null][] = [
    ['{"id":7}', 7],
    ['{"id" : "a b" , "x":1}', "a b"],
    ['{"x":{"id":1},"id":2}', 2],
    ['{"id":2,"x":{"id":1}}', 2],
    ['{"x":"\\"id\\":5","y":[{"id":6}],"id":7}', 7],
    ['{"x":"id","id":7}', 7],
    ['{"id":1,"id":2}', 2],
    ['{"id":1,"id":null}', null],
    ['{"id":{"a":[1,2]},"x":3}', null],
    ['{"id":1.5}', null],
    ['{"\\u0069\\u0064":9}', 9],
    ['{"id":"\\u0041\\n"}', "A\n"],
    ['{"x":"\\\\","id":3}', 3],
    ['{"x":"\\\\\\"","id":3}', 3],
    [`{"x":"${"\\\\".repeat(500)}","id":3}`, 3],
    [`{"x":"${"y".repeat(200)}\\"","id":3}`, 3],
    [`{"id":"${"\\u00e9".repeat(256)}"}`, "é".repeat(256)],
    [`{"id":"${"x".repeat(257)}"}`, null],
    [`{"id":${" ".repeat(5000)}1}`, null],
    [`{"${"k".repeat(5000)}":1,"id":2}`, 2],
    ['[{"id":1}]', null],
    ['["id",1]', null],
    ['{"a":1}{"id":2}', null],
    // Digits may be missing: an id counts once a comma or brace follows.
    ['{"id":12', null],
    ['{"id":12,', 12],
    ['{"id":"a', null],
    [`{"id":1${" ".repeat(5000)}}`, null],
    ['["id":1]', null],
    ['{["id"]:1}', null],
    ["", null],
    ["id", null],
    ["}}]]", null],
  ];
  test.each(cases)("the scanner finds the id of %s", (text, id) => {
    for (const cut of [Number.POSITIVE_INFINITY, 1, 2, 3, 7, 33]) expect(scan(text, cut).id).toBe(id);
  });
});

test("depth counts brackets outside strings", () => {
  const depths = ["1", "[]", "{}", '{"a":[{}]}', '["[[[["]', "[[],[[]]]", "]][[[", "[".repeat(1000)].map(
    (t) => scan(t).depth,
  );
  expect(depths).toEqual([0, 1, 1, 3, 1, 3, 3, 1000]);
});

test("empty pieces change nothing, not even within an escape", () => {
  const scanner = new FrameScanner();
  for (const piece of ['{"a":"\\', "", '"","id":4', "", ',"id":', "", "5", "", "}"]) {
    scanner.feed(new TextEncoder().encode(piece));
  }
  expect(scanner.id).toBe(5);
});

test("the scanner finds the id and depth that JSON.parse sees, on any JSON, cut anywhere", () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: "binary", maxLength: 40 }), fc.jsonValue());
  const member = fc.tuple(fc.oneof(fc.constant("id"), fc.string()), fc.oneof(id, fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(member), fc.integer({ min: 1, max: 50 }), fc.nat(3), (members, cut, indent) => {
      const body = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value, null, indent)}`);
      const text = `{${body.join(",")}}`;
      const parsed = JSON.parse(text) as Record<string, unknown>;
      const expected = isRequestId(parsed["id"]) ? parsed["id"] : null;
      const deepest = Math.max(0, ...members.map(([, value]) => depthOf(value)));
      expect(scan(text, cut)).toEqual({ id: expected, depth: 1 + deepest });
    }),
    { numRuns: 500 },
  );
});

test("on any bytes the cuts do not matter", () => {
  const soup = fc.array(fc.constantFrom('"', "\\", "{", "}", "[", "]", ":", ",", '"id"', "1", " ", "é"));
  fc.assert(
    fc.property(soup, fc.integer({ min: 1, max: 9 }), (parts, cut) => {
      const text = `{"id":0,${parts.join("")}`;
      expect(scan(text, cut)).toEqual(scan(text));
    }),
    { numRuns: 1000 },
  );
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
