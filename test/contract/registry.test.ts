/**
 * Names are settled at start: nothing is registered twice, aliases go with their tool, and the order is kept.
 */
import { describe, expect, test } from "bun:test";
import * as z from "zod";
import { Failure } from "../../src/base/index.ts";
import { createRegistry, defineLocalTool, type AnyTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/tools/index.ts";

function tool(name: string): AnyTool {
  return defineLocalTool({ name, description: "test", input: z.strictObject({}), execute: () => name });
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    throw thrown;
  }
  return "none";
}

describe("createRegistry", () => {
  test("gets by name and by alias, in the order of registration", () => {
    const registry = createRegistry([tool("b"), tool("a")]);
    registry.addAlias("x.y", "a");
    expect(registry.get("x.y")?.name).toBe("a");
    expect(registry.get("a")?.name).toBe("a");
    expect(registry.get("z")).toBeUndefined();
    expect(registry.list().map(({ name }) => name)).toEqual(["b", "a"]);
    expect(registry.definitions(["x.y", "b"]).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("refuses a name or alias that is taken", () => {
    const registry = createRegistry([tool("a"), tool("b")]);
    registry.addAlias("c", "a");
    expect(codeOf(() => registry.register(tool("a")))).toBe("conflict");
    expect(codeOf(() => registry.register(tool("c")))).toBe("conflict");
    expect(codeOf(() => registry.addAlias("b", "a"))).toBe("conflict");
    expect(codeOf(() => registry.addAlias("c", "b"))).toBe("conflict");
    expect(codeOf(() => createRegistry([...builtinTools, tool("read_file")]))).toBe("conflict");
    expect(codeOf(() => createRegistry([...builtinTools, tool("mkdir")]))).toBe("conflict");
  });

  test("refuses names that clients drop, and aliases of nothing", () => {
    const registry = createRegistry();
    for (const name of ["", "A", "a.b", "1a", "a".repeat(32)])
      expect(codeOf(() => registry.register(tool(name)))).toBe("invalid_input");
    expect(codeOf(() => registry.addAlias("x", "nothing"))).toBe("not_found");
    expect(codeOf(() => registry.definitions(["nothing"]))).toBe("not_found");
  });

  test("unregister takes the aliases along", () => {
    const registry = createRegistry([tool("a")]);
    registry.addAlias("x", "a");
    expect(registry.unregister("a")).toBe(true);
    expect(registry.unregister("a")).toBe(false);
    expect(registry.names()).toEqual([]);
    registry.register(tool("x"));
    expect(registry.get("x")?.name).toBe("x");
  });
});
