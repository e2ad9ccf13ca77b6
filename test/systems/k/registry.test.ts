/**
 * The registry of the Construct operator, by the words of its page: "The registry holds all available tools and resolves
 * them by name or alias", "Execute(name string, input map[string]any, ctx ExecContext)", and "DefinitionsFor(toolIDs
 * []string)", which passes over what it does not know.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { builtinTools, createHost, createRegistry } from "../../../src/index.ts";
import { memoryFolder } from "../../fixtures/memory-folder.ts";
import { removeTree } from "../../host/remove-tree.ts";

test("registry.execute makes the call in the host, by name and by alias", async () => {
  const top = mkdtempSync(join(memoryFolder(), "ringfence-k-"));
  writeFileSync(join(top, "a.txt"), "first line\n");
  const host = await createHost({ roots: [top], stateDir: `${top}-state` });
  try {
    const registry = createRegistry(builtinTools);
    expect((await registry.execute("read_file", { path: "a.txt" }, { host })).text).toContain("first line");
    expect((await registry.execute("list", {}, { host })).text).toContain("a.txt");
    await expect(registry.execute("nothing", {}, { host })).rejects.toMatchObject({ code: "not_found" });
  } finally {
    await host.close();
    await removeTree(top);
    await removeTree(`${top}-state`);
  }
});

test("registry.definitionsFor gives name, description and schema by the list of ids, and skips unknown ids", () => {
  const registry = createRegistry(builtinTools);
  const definitions = registry.definitionsFor(["grep", "no_such_tool", "listdir"]);
  expect(definitions.map(({ name }) => name)).toEqual(["grep", "list_directory"]);
  expect(definitions[0]?.description).not.toBe("");
  expect(definitions[0]?.inputSchema).toMatchObject({ type: "object", required: ["pattern"] });
  expect(registry.definitionsFor([])).toEqual([]);
});
