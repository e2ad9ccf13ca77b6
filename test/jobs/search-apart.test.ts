/**
 * A search that may backtrack, through the whole host: it runs in a process of its own, on the directories that the host
 * holds, and says so.
 */
import { expect, test } from "bun:test";
import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost } from "../host/in-memory-host.ts";

test("the answer, its engine, its cursor and its failures come back", async () => {
  await using host = openTestHost({
    files: { "a.txt": "foobar\nfoobar\n", "b.txt": "a".repeat(60) },
    config: { results: "structured" },
  });
  const first = await host.call("grep", { pattern: "(?<=foo)bar", limit: 1 });
  expect(first.text).toBe("a.txt:1:foobar");
  expect(first.all).toContain("engine: backtracking");
  const { next, engine } = first.result.structuredContent;
  expect(engine).toBe("backtracking");
  expect((await host.call("grep", next)).text).toBe("a.txt:2:foobar");
  expect((await host.call("grep", { pattern: "(?=(a*)*b)", path: "b.txt" })).failure).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining('"b.txt"'),
  });
  expect((await host.call("grep", { pattern: "(?=a", path: "b.txt" })).failure?.code).toBe("invalid_input");
  expect((await host.call("grep", { pattern: "(?=a)", path: "../outside" })).failure?.code).toBe("outside_scope");
});

test("the roots are those that the host holds, whatever their paths lead to by now", async () => {
  await using host = openTestHost({ files: { "a.txt": "foobar\n" } });
  writeFileSync(join(host.outside, "secret.txt"), "foobar secret\n");
  renameSync(host.root, `${host.root}-moved`);
  symlinkSync(host.outside, host.root);
  const { text } = await host.call("grep", { pattern: "(?<=foo)bar" });
  expect(text).toBe("a.txt:1:foobar");
});

test("rules, secrets and placeholders are the same there", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  await using host = openTestHost({
    files: {
      "a.txt": "foobar\n",
      "private/b.txt": "foobar\n",
      "only/c.txt": "foobar\n",
      ".env": "foobar\n",
      "config.txt": `token = foobar ${token}\n`,
    },
    config: {
      rules: [
        { deny: "grep(private/**)", reason: "not yours" },
        { deny: "read_file(only/**)", reason: "of another tool" },
      ],
    },
  });
  const { all } = await host.call("grep", { pattern: "(?<=foo)bar", hidden: true });
  expect(all).toContain("engine: backtracking");
  for (const path of ["a.txt", "only/c.txt", "config.txt"]) expect(all).toContain(path);
  expect(all).not.toContain("private");
  expect(all).not.toContain(".env");
  expect(all).not.toContain(token);
  expect((await host.call("grep", { pattern: "(?<=foo)bar", path: "private" })).failure?.code).toBe("denied");
  expect((await host.call("grep", { pattern: "(?<=foo)bar", path: ".env" })).failure?.code).toBe("denied");
});
