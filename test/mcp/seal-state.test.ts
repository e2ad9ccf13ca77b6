/**
 * The seal of `requestState` over time: it expires, and what was used stays used until then.
 */
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { createStateSealer } from "../../src/mcp/input-required.ts";
import type { Request } from "../../src/wire/index.ts";

const request = (given: object = { b: 1, a: [{ d: 2, c: null }] }): Request => ({
  kind: "request",
  id: 1,
  method: "tools/call",
  params: { name: "x", arguments: given },
});
const MINUTE_MS = 60_000;
const start = Date.parse("2026-01-01");

afterEach(() => {
  setSystemTime();
});

test("a sealed state gives back what was sealed, once", () => {
  const sealer = createStateSealer();
  const sealed = sealer.seal(request(), { some: ["state"] });
  expect(sealer.open(request({ a: [{ c: null, d: 2 }], b: 1 }), sealed)).toEqual({ some: ["state"] });
  expect(() => sealer.open(request(), sealed)).toThrow("used before");
});

test("the state of one call does not open that of another method, name or arguments", () => {
  const sealer = createStateSealer();
  const others: Request[] = [
    request({ b: 1, a: [{ d: 2, c: 0 }] }),
    request({ b: 1, a: [] }),
    { ...request(), method: "prompts/get" },
    { ...request(), params: { ...request().params, name: "y" } },
  ];
  for (const other of others) expect(() => sealer.open(other, sealer.seal(request(), null))).toThrow("another call");
});

test("a sealed state expires, also while it is unused", () => {
  const sealer = createStateSealer();
  setSystemTime(start);
  const sealed = sealer.seal(request(), null);
  setSystemTime(start + 14 * MINUTE_MS);
  const later = sealer.seal(request(), null);
  setSystemTime(start + 16 * MINUTE_MS);
  expect(() => sealer.open(request(), sealed)).toThrow("expired");
  expect(sealer.open(request(), later)).toBeNull();
});

test("no bit of it can be changed", () => {
  const sealer = createStateSealer();
  const sealed = sealer.seal(request(), "state");
  for (let at = 0; at < sealed.length; at += 7) {
    const other = sealed[at] === "A" ? "B" : "A";
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    expect(() => sealer.open(request(), changed)).toThrow("did not make it");
  }
  expect(sealer.open(request(), sealed)).toBe("state");
});

test("another process, or this one after a restart, does not take it", () => {
  const sealed = createStateSealer().seal(request(), null);
  expect(() => createStateSealer().open(request(), sealed)).toThrow("did not make it");
});
