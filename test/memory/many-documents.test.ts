/**
 * Documents of the roots beyond what is indexed: the bound is one for all patterns in all roots, and what is left out is said.
 */
import { expect, test } from "bun:test";
import { openMemoryHost, search } from "./memory-host.ts";

test("documents by two patterns share one bound, and the answer says that there are more", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10_001 }, (_, at) => [`${at % 2 === 0 ? "a" : "b"}/${at}.md`, "a pear\n"]),
  );
  await using host = await openMemoryHost({ memory: { sources: ["a/*.md", "b/*.md"] }, files });
  const { all } = await search(host, "pear");
  expect(all).toContain("[10000 entries searched");
  expect(all).toContain("the roots have more documents than are indexed");
});

test("documents that are named by two patterns are counted once", async () => {
  await using host = await openMemoryHost({
    memory: { sources: ["*.md", "a.*"] },
    files: { "a.md": "a pear\n", "b.md": "a pear\n" },
  });
  const { all } = await search(host, "pear");
  expect(all).toContain("[2 entries searched");
  expect(all).not.toContain("more documents");
});

test("documents of more than 4 MiB are counted in the answer, but for those that a rule closes", async () => {
  const large = "a pear\n".repeat(700_000);
  await using host = await openMemoryHost({
    memory: { sources: ["**/*.md"] },
    files: { "large.md": large, "closed/large.md": large, "small.md": "a pear\n" },
    config: { rules: [{ deny: "memory_*(closed/**)" }] },
  });
  const { all } = await search(host, "pear");
  expect(all).toContain("[1 entry searched");
  expect(all).toContain("documents that are too large, and were not searched: 1]");
});
