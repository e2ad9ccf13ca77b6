/**
 * A tool has the powers that it needs, or that its effect names, and no others. This is held by the compiler: each
 * `@ts-expect-error` here is an error when the line after it begins to compile, and `tsc` reads this file in the gate.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import {
  createRegistry,
  definePower,
  defineTool,
  type ReadContext,
  type ShowContext,
  type Tool,
} from "../../src/contract/index.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const about = {
  name: "try_it",
  title: "Try it",
  summary: "Tries what it should not.",
  input: z.strictObject({ path: z.string().describe("What to look at.") }),
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

interface Brokered {
  fetch(ask: { path: string }): Promise<{ status: number }>;
}

const brokered = definePower<"brokered", Brokered>({
  name: "brokered",
  runsIn: "net",
  calls: { fetch: [z.strictObject({ path: z.string() }), z.strictObject({ status: z.number() })] },
  serve: async () => ({ handlers: { fetch: () => ({ status: 200 }) } }),
});

const needs = defineTool({
  ...about,
  effect: "reach",
  needs: ["files", "resolvePath", brokered],
  async run({ path }, ctx) {
    await ctx.files.read({ path: await ctx.resolvePath(path) });
    const { status } = await ctx.brokered.fetch({ path });
    // @ts-expect-error the power answers with a number
    void status.length;
    // @ts-expect-error the power has no such function
    void ctx.brokered.post;
    ctx.progress(1, 2, "pages");
    // @ts-expect-error the tool does not need the search, though its effect would give it
    void ctx.search;
    // @ts-expect-error the tool does not need the desktop
    void ctx.desktop;
    // @ts-expect-error the tool does not need secrets
    void ctx.secret;
    // @ts-expect-error the files have no such function
    void ctx.files.write;
    return nothing;
  },
  // @ts-expect-error what a person is shown is made with the same powers
  preview: ({ path }, ctx) => ({ summary: ctx.search.glob(path), paths: [] }),
});

// @ts-expect-error a tool that needs commands runs programs, and is decided on as one
defineTool({ ...about, effect: "read", needs: ["commands"], run: () => nothing });
// @ts-expect-error a tool that needs the desktop shows something
defineTool({ ...about, effect: "change", needs: ["desktop"], run: () => nothing });
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
  expect(needs.needs).toEqual(["files", "resolvePath", brokered]);
});

/** The names of all that a tool has in its context, or why it could not be called. */
async function keysOf(tool: Pick<Tool, "effect"> & { readonly needs?: readonly string[] }): Promise<string> {
  let keys = "";
  const looks: Tool = {
    ...about,
    needs: [],
    ...tool,
    run: (_input: unknown, ctx: object) => {
      keys = Object.keys(ctx).join(" ");
      return nothing;
    },
  };
  await using host = openTestHost({ tools: [looks], config: { mode: "bypass" } });
  const { failure } = await host.call("try_it", { path: "a.txt" });
  return failure?.message ?? keys;
}

describe("the context of a tool", () => {
  const always = "facts cancel progress";

  test.each([
    ["nothing", [], always],
    ["two powers", ["search", "resolvePath"], `${always} search resolvePath`],
    ["a power that the host does not have", ["brokered"], 'Cannot call "try_it": this host has no power "brokered"'],
  ] as const)("a tool that needs %s has that and no more", async (_name, needed, wanted) => {
    expect(await keysOf({ effect: "reach", needs: needed })).toBe(wanted);
  });

  test.each([
    ["read", `${always} files search secret`],
    ["reach", `${always} files search secret desktop`],
  ] as const)("a tool that names no power has those of the effect %s", async (effect, wanted) => {
    expect(await keysOf({ effect, needs: undefined } as unknown as Pick<Tool, "effect">)).toBe(wanted);
  });
});

describe("createRegistry()", () => {
  const tool = (effect: Tool["effect"], need: string | typeof brokered): Tool => ({
    ...about,
    effect,
    needs: [need],
    run: () => nothing,
  });

  test.each([
    ["read", "commands", "commands"],
    ["change", "desktop", "desktop"],
    ["read", brokered, "brokered"],
    ["run", brokered, "brokered"],
  ] as const)("createRegistry() refuses a tool with the effect %s that needs more than that", (effect, need, name) => {
    expect(() => createRegistry([tool(effect, need)])).toThrow(
      `the effect "${effect}" does not allow it to need "${name}"`,
    );
  });

  test("createRegistry() takes a tool whose effect says what its powers do", () => {
    const tools = [tool("run", "commands"), tool("show", "desktop"), tool("reach", brokered)];
    for (const one of tools) expect(createRegistry([one]).list()).toEqual([one]);
  });
});

test("a tool that does not say what it starts can start nothing", async () => {
  const starts = defineTool({
    ...about,
    effect: "run",
    needs: ["commands"],
    run: async (_input, ctx) => {
      await ctx.commands.run({ kind: "shell", command: "true" });
      return nothing;
    },
  });
  await using host = openTestHost({ tools: [starts], config: { mode: "bypass" } });
  const { failure } = await host.call("try_it", { path: "a.txt" });
  expect(failure).toMatchObject({ code: "denied", message: expect.stringContaining("does not say what it starts") });
});
