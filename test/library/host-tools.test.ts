/**
 * Tools that come and go while a host in this process runs.
 */
import { expect, test } from "bun:test";
import { builtinTools, defineLocalTool, type AnyLocalTool, type ToolsChanged } from "ringfence";
import { z } from "zod";
import { codeOf, Workspace } from "./workspace.ts";

function hello(name: string, description = "Says hello."): AnyLocalTool {
  return { name, description, input: z.object({}), execute: () => `hello from ${name}` };
}

test("register() adds a tool that is listed and called at once, and unregister() takes it out", async () => {
  using place = new Workspace({ "a.txt": "" });
  await using host = await place.open();
  const changes: ToolsChanged[] = [];
  const stop = host.tools.onChange((changed) => changes.push(changed));
  await host.tools.register(hello("hello"));
  expect((await host.listTools()).at(-1)?.name).toBe("hello");
  expect((await host.callTool("hello", {})).text).toBe("hello from hello");
  expect([await host.tools.unregister("hello"), await host.tools.unregister("hello")]).toEqual([true, false]);
  expect((await host.listTools()).map(({ name }) => name)).not.toContain("hello");
  expect(await codeOf(host.callTool("hello", {}))).toBe("not_found");
  stop();
  await host.tools.register(hello("later"));
  expect(changes).toEqual([
    { added: ["hello"], removed: [] },
    { added: [], removed: ["hello"] },
  ]);
});

test("register() refuses a name that is taken, a bad tool, and one that the profile leaves out", async () => {
  using place = new Workspace({});
  await using host = await place.open({ toolList: { deny: ["hidden"] } });
  expect(await codeOf(host.tools.register(hello("read_file")))).toBe("conflict");
  expect(await codeOf(host.tools.register(hello("Bad Name")))).toBe("invalid_input");
  expect(await codeOf(host.tools.register(hello("long", "x".repeat(3000))))).toBe("invalid_input");
  expect(await codeOf(host.tools.register(hello("hidden")))).toBe("denied");
  expect((await host.listTools()).length).toBe((await host.listTools()).length);
  expect((await host.callTool("stat", { path: "." })).isError).toBe(false);
});

const NO_JSON: readonly (readonly [what: string, input: z.ZodType])[] = [
  ["a date", z.object({ when: z.date().optional() })],
  ["a large number", z.object({ size: z.bigint() })],
  ["a class", z.object({ url: z.instanceof(URL) })],
  ["a text", z.string()],
  ["a list", z.array(z.string())],
  ["one of two objects", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
];

test.each(NO_JSON)(
  "a tool whose input is %s is refused by its name, and takes no other tool away",
  async (_, input) => {
    using place = new Workspace({ "a.txt": "a" });
    const odd = { ...hello("odd"), input } as AnyLocalTool;
    expect(await codeOf(place.open({ tools: [...builtinTools, odd] }))).toBe("invalid_input");
    await using host = await place.open();
    const refused = await host.tools.register(odd).catch((thrown: unknown) => thrown);
    expect(String(refused)).toContain('Cannot register the tool "odd": ');
    expect((await host.listTools()).map(({ name }) => name)).not.toContain("odd");
    expect((await host.callTool("read_file", { path: "a.txt" })).isError).toBe(false);
  },
);

test("register() is on record, with what it added", async () => {
  using place = new Workspace({});
  const host = await place.open();
  const events = await host.events();
  await host.tools.register(hello("hello"));
  await host.tools.unregister("hello");
  await host.close();
  const seen: unknown[] = [];
  for await (const { event, added, removed } of events) if (event === "tools") seen.push({ added, removed });
  expect(seen).toEqual([
    { added: ["hello"], removed: [] },
    { added: [], removed: ["hello"] },
  ]);
});

test("a proposal of a tool that was taken out waits until the tool is there again", async () => {
  using place = new Workspace({});
  let ran = 0;
  const act = defineLocalTool({
    name: "act",
    description: "Acts.",
    input: z.strictObject({}),
    mutates: true,
    execute: () => ++ran,
  });
  await using host = await place.open({ tools: [...builtinTools, act] });
  const { proposal } = await host.callTool("act", {});
  await host.tools.unregister("act");
  expect(await codeOf(host.proposals.apply(proposal?.id ?? ""))).not.toBe("nothing was thrown");
  await host.tools.register(act);
  expect([(await host.proposals.apply(proposal?.id ?? "")).result, ran]).toEqual([1, 1]);
});

test("getPolicy() gives what decides about tools as it was resolved, frozen", async () => {
  using place = new Workspace({});
  await using host = await place.open({
    profile: "coding",
    toolList: { deny: ["delete"] },
    agents: { reviewer: { profile: "minimal" } },
    rules: [{ deny: "write_file(secret/**)" }],
  });
  const policy = host.tools.getPolicy();
  expect(policy).toMatchObject({
    profile: "coding",
    mode: "default",
    readOnly: false,
    tools: { deny: ["delete"] },
    agents: { reviewer: { profile: "minimal" } },
    rules: [{ deny: "write_file(secret/**)" }],
  });
  expect(Object.isFrozen(policy)).toBe(true);
});
