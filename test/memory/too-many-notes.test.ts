/**
 * A memory with more notes than one may have, laid there by other means than its tools: what is looked at stays bounded, and
 * every answer says that there is more.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_NAMESPACES } from "../../src/memory/index.ts";
import { layNotes, notesOf, openMemoryHost, search } from "./memory-host.ts";

test("a folder with more notes than a memory may have is looked at so far, and each tool says that there are more", async () => {
  await using host = await openMemoryHost();
  const names = Array.from({ length: MAX_NAMESPACES }, (_, at) => `n${at}`);
  layNotes(host, Object.fromEntries(names.map((name) => [name, "a pear\n"])));
  const whole = await host.call("memory_list", { limit: 10 });
  expect(whole.all).toContain(`10 of ${MAX_NAMESPACES} notes`);
  expect(whole.all).not.toContain("more notes");
  expect((await host.call("memory_write", { namespace: "new", content: "x" })).failure?.code).toBe("too_large");
  expect((await host.call("memory_write", { namespace: "n0", content: "x" })).failure).toBeUndefined();

  writeFileSync(join(notesOf(host), "late.md"), "a pear\n");
  const page = await host.call("memory_list", { limit: 10 });
  expect(page.all).toContain(`10 of ${MAX_NAMESPACES} notes`);
  // Also where all that was found fits into the answer.
  for (const { all } of [page, await host.call("memory_list", { prefix: "n99", limit: 1000 })])
    expect(all).toContain("The memory has more notes than a memory may have: some of them are not listed");
  // How many bytes the others have is not known.
  expect((await host.call("memory_write", { namespace: "n1", content: "x" })).failure?.code).toBe("too_large");
  expect((await search(host, "pear")).all).toContain("the memory has more notes than are looked at");
});
