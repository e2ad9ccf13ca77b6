/**
 * The three patterns of Flynn's page: one tool, a tool made with what it needs, several tools of one thing. The example of
 * docs/library.md is taken from the page and run.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createRegistry, defineLocalTool, type Tool } from "../../../src/contract/index.ts";
import { openTestHost } from "../../host/in-memory-host.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../../docs/library.md"), "utf8");

/** The tools that the example hands to `runHost`. */
async function toolsOfExample(): Promise<readonly Tool[]> {
  const [, section = ""] = PAGE.split("## One tool, a tool with what it needs");
  const [, code = ""] = /```ts\n([^]*?)```/.exec(section) ?? [];
  const root = join(import.meta.dir, "../../..");
  // What it hands to `runHost` is what the module is for here.
  const module = code
    .replace("runHost,", "")
    .replace('"ringfence"', JSON.stringify(join(root, "src/index.ts")))
    .replace('"zod"', JSON.stringify(join(root, "node_modules/zod")))
    .replace(/^if (\(.*?\)) await runHost/m, "export const given = ");
  const folder = mkdtempSync(join(tmpdir(), "ringfence-example-"));
  try {
    const file = join(folder, "example.ts");
    writeFileSync(file, module);
    return ((await import(file)) as { given: { tools: readonly Tool[] } }).given.tools;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the example of static, factory and multi-factory tools runs as it stands", async () => {
  const tools = await toolsOfExample();
  expect(tools.map(({ name }) => name)).toEqual(["day", "note_read", "counter_read", "counter_next"]);
  await using host = openTestHost({ tools, config: { mode: "bypass" } });
  expect((await host.call("note_read", { name: "a" })).text).toBe("first");
  expect((await host.call("counter_read", {})).text).toBe("0");
  expect((await host.call("day", {})).text).toBe("4");
});

test("a registry has a tool by its name and alias, throws for a second one, and forgets one that is taken out", () => {
  const input = z.strictObject({});
  const tool = defineLocalTool({ name: "one", description: "One.", input, execute: () => 1 });
  const registry = createRegistry([tool]);
  registry.addAlias("uno", "one");
  expect([registry.has("one"), registry.has("uno"), registry.has("two")]).toEqual([true, true, false]);
  expect(() => registry.register(tool)).toThrow("twice");
  registry.unregister("one");
  expect([registry.has("one"), registry.has("uno")]).toEqual([false, false]);
});

test("requiredSecretScopes are the secrets of a tool", () => {
  const input = z.strictObject({});
  const given = { name: "one", description: "One.", input, execute: () => 1 };
  expect(defineLocalTool({ ...given, requiredSecretScopes: ["gmail"] }).secrets).toEqual(["gmail"]);
  expect(defineLocalTool({ ...given, secrets: ["a"], requiredSecretScopes: ["a", "b"] }).secrets).toEqual(["a", "b"]);
});
