/** What the reading workers have: the tools that only read, and need nothing that only the main thread has. */
import { expect, test } from "bun:test";
import { EFFECTS } from "../../src/policy/index.ts";
import { builtinTools, workerTools } from "../../src/packs/index.ts";

test("workerTools has every built-in tool that only reads and needs nothing", () => {
  const readers = builtinTools.filter(({ effect, needs }) => EFFECTS[effect].onlyReads && needs === undefined);
  expect(readers.length).toBeGreaterThan(10);
  expect(readers.filter((tool) => !workerTools.includes(tool)).map(({ name }) => name)).toEqual([]);
});
