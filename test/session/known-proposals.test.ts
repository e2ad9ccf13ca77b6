/**
 * What a host remembers of its proposals: no more than can wait at once, however long it lives.
 */
import { expect, test } from "bun:test";
import { limits } from "../../src/base/index.ts";
import { KnownProposals } from "../../src/session/index.ts";

test("what became of approved calls is forgotten, the oldest first, when nobody asks for it", () => {
  using proposed = new KnownProposals();
  const ids = Array.from({ length: limits.MAX_PROPOSALS + 2 }, (_, at) => `p_${at}`);
  for (const id of ids) proposed.noteMade(id, Promise.resolve({ id, status: "applied", text: "made" }));
  expect([...proposed.made.keys()]).toEqual(ids.slice(2));
  proposed.forgetMade("p_2");
  expect(proposed.made.has("p_2")).toBe(false);
});
