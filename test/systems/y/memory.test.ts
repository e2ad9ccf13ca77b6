/**
 * Flynn's tools of the memory: their names, their parameters, their profile and their group.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../../binary/serve-process.ts";

async function listed(place: Place, ...args: string[]): Promise<readonly string[]> {
  await using host = await ServeProcess.start(place, { args });
  const { result } = await host.ask(1, "tools/list");
  return (result?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith("memory"));
}

const FLYNN = ["memory.read", "memory.write", "memory.search"];

test("memory.read, memory.write and memory.search are called by the names and parameters that Flynn has", async () => {
  using place = new Place();
  await using host = await ServeProcess.start(place, { args: ["--dialect=flynn", "--mode=accept_edits"] });
  const textOf = async (id: number, name: string, given: object): Promise<string> => {
    host.call(id, name, given);
    const { result } = await host.answer(id);
    expect(result?.isError).not.toBe(true);
    return (result?.content ?? []).map(({ text = "" }) => text).join("\n");
  };
  await textOf(1, "memory.write", { namespace: "global/knowledge", content: "The build runs on Bun." });
  await textOf(2, "memory.write", { namespace: "global/knowledge", content: "Tests run on two cores." });
  const read = await textOf(3, "memory.read", { namespace: "global/knowledge" });
  expect(read).toContain("The build runs on Bun.");
  expect(read).toContain("Tests run on two cores.");
  const given = { query: "what builds", namespace: "global", limit: 1, keywordOnly: true };
  const found = await textOf(4, "memory.search", given);
  expect(found).toContain("The build runs on Bun.");
  expect(found).not.toContain("two cores");
  expect(found).toContain("By meaning: not asked for");
});

test("the memory is in Flynn's profile messaging and its group, and elsewhere where the configuration names its pack", async () => {
  using place = new Place();
  const config = join(place.path, "config.json");
  expect(await listed(place, "--dialect=flynn", "--profile=messaging")).toEqual([
    ...FLYNN,
    "memory_list",
    "memory_delete",
  ]);
  expect(await listed(place)).toEqual([]);
  writeFileSync(config, JSON.stringify({ packs: { memory: {} } }));
  const all = ["memory_read", "memory_list", "memory_search", "memory_write", "memory_delete"];
  expect(await listed(place, "--config", config)).toEqual(all);
  expect(await listed(place, "--config", config, "--read-only")).toEqual(all.slice(0, 3));
  writeFileSync(config, JSON.stringify({ packs: { memory: {} }, tools: { deny: ["group:memory"] } }));
  expect(await listed(place, "--config", config)).toEqual([]);
});
