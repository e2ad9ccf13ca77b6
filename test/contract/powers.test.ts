/**
 * A tool has the powers that its effect names and no others. This is held by the compiler: each `@ts-expect-error` here
 * is an error when the line after it begins to compile, and `tsc` reads this file in the gate.
 */
import { expect, test } from "bun:test";
import { z } from "zod";
import { defineTool, type ReadContext, type ShowContext } from "../../src/contract/index.ts";

const about = {
  name: "try_it",
  title: "Try it",
  summary: "Tries what it should not.",
  input: z.strictObject({ path: z.string() }),
  output: z.object({}),
  access: ({ path }: { path: string }) => [{ path, mode: "read" as const }],
};
const nothing = { text: "", structured: {} };

const reads = defineTool({
  ...about,
  effect: "read",
  async run(input, ctx) {
    await ctx.files.read(input);
    // @ts-expect-error an argument that the schema does not have
    void input.other;
    // @ts-expect-error a read tool has no transactions
    void ctx.txn;
    // @ts-expect-error a read tool shows nothing
    void ctx.desktop;
    // @ts-expect-error nothing writes through the files
    void ctx.files.write;
    return nothing;
  },
});

const changes = defineTool({
  ...about,
  effect: "change",
  plan({ path }, ctx) {
    // @ts-expect-error a changing tool returns its changes, it does not make them
    void ctx.txn;
    return { changes: [{ op: "create_directory", path }] };
  },
});

const shows = defineTool({
  ...about,
  effect: "show",
  async run({ path }, ctx) {
    await ctx.desktop.open(path);
    // @ts-expect-error showing is not changing
    void ctx.txn;
    return nothing;
  },
});

// @ts-expect-error a change needs a plan
defineTool({ ...about, effect: "change", run: () => nothing });
// @ts-expect-error a read has no plan
defineTool({ ...about, effect: "read", plan: () => ({ changes: [] }) });
// @ts-expect-error there is no such change
defineTool({ ...about, effect: "change", plan: () => ({ changes: [{ op: "chmod", path: "a" }] }) });

test("what the types say is all that there is", () => {
  const read: readonly (keyof ReadContext)[] = ["files", "search", "facts", "cancel", "progress", "secret"];
  const show: readonly (keyof ShowContext)[] = [...read, "desktop"];
  expect(show).toHaveLength(7);
  expect([reads.effect, changes.effect, shows.effect]).toEqual(["read", "change", "show"]);
});
