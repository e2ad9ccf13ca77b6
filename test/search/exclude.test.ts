/**
 * What a caller leaves out of a list or a glob: the entries and all that is below them, on every page.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;

beforeAll(() => {
  const files = {
    "a.ts": "",
    "b.txt": "",
    "src/c.ts": "",
    "src/gen/d.ts": "",
    "node_modules/e.ts": "",
    ".ignore": "b.txt\n",
  };
  host = openTestHost({ files, config: { results: "structured" } });
  symlinkSync("a.ts", join(host.root, "link.ts"));
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

async function listed(name: string, args: object): Promise<string[]> {
  const { structuredContent } = (await host.call(name, args)).result;
  return (structuredContent.paths ?? structuredContent.entries.map(({ path }: { path: string }) => path)) as string[];
}

test("a plain list leaves out what matches", async () => {
  expect(await listed("list_directory", { exclude: ["*.ts", "node_modules"] })).toEqual([".ignore", "b.txt", "src"]);
});

test("a recursive list leaves out what is below too", async () => {
  expect(await listed("list_directory", { recursive: true, exclude: ["gen"] })).toEqual([
    "a.ts",
    "link.ts",
    "src",
    "src/c.ts",
  ]);
});

test("no_ignore shows what ignore files and the skips leave out", async () => {
  const all = await listed("list_directory", { recursive: true, no_ignore: true });
  expect(all).toContain("b.txt");
  expect(all).toContain("node_modules/e.ts");
});

test("a glob leaves out what matches, newest first and by name", async () => {
  for (const sort of ["mtime", "name"])
    expect((await listed("glob", { pattern: "**/*.ts", exclude: ["src/gen/**"], sort })).sort()).toEqual([
      "a.ts",
      "src/c.ts",
    ]);
});

test("directories and links are found on request, page by page", async () => {
  const first = (await host.call("glob", { pattern: "**", directories: true, limit: 3 })).result.structuredContent;
  const second = (await host.call("glob", first.next)).result.structuredContent;
  expect([...first.paths, ...second.paths]).toEqual(["a.ts", "link.ts", "src", "src/c.ts", "src/gen", "src/gen/d.ts"]);
});

test("a glob that cannot be read is refused", async () => {
  const { failure } = await host.call("glob", { pattern: "**", exclude: ["../x"] });
  expect(failure?.code).toBe("outside_scope");
});
