/**
 * The tools of one process by name and alias, as a property against a plain model, and its failures by name.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { fc } from "../property.ts";
import { createRegistry, defineLocalTool, defineTool, type Tool } from "../../src/contract/index.ts";
import { codeOf } from "../base/code-of.ts";

function tool(name: string, aliases: readonly string[] = []): Tool {
  return defineTool({
    name,
    aliases,
    title: name,
    summary: name,
    effect: "read",
    input: z.strictObject({}),
    output: z.object({}),
    access: () => [],
    run: () => ({ text: name, structured: {} }),
  });
}

const NAMES = ["a", "b", "c", "d"];
const step = fc.oneof(
  fc.record({
    do: fc.constant("register"),
    name: fc.constantFrom(...NAMES),
    other: fc.constantFrom(...NAMES, ""),
  }),
  fc.record({ do: fc.constant("unregister"), name: fc.constantFrom(...NAMES), other: fc.constant("") }),
  fc.record({
    do: fc.constant("alias"),
    name: fc.constantFrom(...NAMES),
    other: fc.constantFrom(...NAMES, "x.y", "E:f"),
  }),
);

test("whatever is done, a name has one tool, or none", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const registry = createRegistry();
      const tools: string[] = [];
      const aliases = new Map<string, string>();
      const isTaken = (name: string): boolean => tools.includes(name) || aliases.has(name);
      for (const { do: what, name, other } of steps) {
        if (what === "register") {
          const ok = !isTaken(name);
          expect(codeOf(() => registry.register(tool(name)))).toBe(ok ? "ok" : "conflict");
          if (ok) tools.push(name);
        } else if (what === "unregister") {
          expect(registry.unregister(name)).toBe(tools.includes(name));
          if (tools.includes(name)) {
            tools.splice(tools.indexOf(name), 1);
            for (const [alias, target] of aliases) if (target === name) aliases.delete(alias);
          }
        } else {
          const code = !tools.includes(name) ? "not_found" : isTaken(other) ? "conflict" : "ok";
          expect(codeOf(() => registry.addAlias(other, name))).toBe(code);
          if (code === "ok") aliases.set(other, name);
        }
        expect(registry.list().map((one) => one.name)).toEqual(tools);
        expect(registry.names().sort()).toEqual([...tools, ...aliases.keys()].sort());
        for (const one of [...NAMES, "x.y", "E:f"])
          expect(registry.get(one)?.name).toBe(tools.includes(one) ? one : aliases.get(one));
      }
    }),
  );
});

describe("a registry", () => {
  test("a registry takes local tools beside the others", () => {
    const local = defineLocalTool({
      name: "shout",
      description: "Says it loudly.",
      input: z.strictObject({ text: z.string() }),
      execute: ({ text }) => text.toUpperCase(),
    });
    const registry = createRegistry([tool("a", ["A"]), local]);
    expect(registry.definitions(["shout", "A"]).map((one) => one.name)).toEqual(["shout", "a"]);
  });

  test("a registry refuses unknown names and those that no client takes", () => {
    for (const name of ["", "A", "1a", "a-b", "a.b", "a b", "__proto__", "a".repeat(32)])
      expect(codeOf(() => createRegistry([tool(name)]))).toBe("invalid_input");
    expect(codeOf(() => createRegistry().definitions(["x"]))).toBe("not_found");
    expect(createRegistry([tool("a")]).get("constructor")).toBeUndefined();
    expect(codeOf(() => createRegistry([tool("a", ["b"]), tool("b")]))).toBe("conflict");
    expect(codeOf(() => createRegistry([tool("a", ["a"])]))).toBe("conflict");
  });
});

test("a registry that refuses a tool keeps none of its names", () => {
  const registry = createRegistry([tool("a", ["A"])]);
  expect(codeOf(() => registry.register(tool("b", ["B", "A"])))).toBe("conflict");
  expect(codeOf(() => registry.register(tool("b", ["B", "B"])))).toBe("conflict");
  expect(registry.names()).toEqual(["a", "A"]);
  expect(registry.unregister("A")).toBe(false);
  expect(registry.get("A")?.name).toBe("a");
});

const described = (bytes: number): Tool =>
  defineLocalTool({
    name: "long",
    description: "é".repeat(bytes / 2),
    input: z.strictObject({}),
    execute: () => "",
  });

test("a description that clients would cut is refused", () => {
  expect(codeOf(() => createRegistry([described(2046)]))).toBe("ok");
  expect(codeOf(() => createRegistry([described(2048)]))).toBe("invalid_input");
});
