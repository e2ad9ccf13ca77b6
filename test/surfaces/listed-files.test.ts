/**
 * The files on the first level of each root, as resources: clients that offer files to a person or a model by their list
 * know only what is listed. Whatever is listed can be read, and what the tools keep closed is not listed.
 */
import { describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RawConfig } from "../../src/config/index.ts";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

const FILES = {
  "a.txt": "one\n",
  "b c#1?%.md": "odd\n",
  "notes.txt": "notes\n",
  "sub/deep.txt": "deep\n",
  ".env": "KEY=1\n",
  ".hidden": "dot\n",
  id_rsa: "-----BEGIN OPENSSH PRIVATE KEY-----\n",
};
const PLAIN = ["a.txt", "b c#1?%.md", "notes.txt"];

/** All pages. */
async function listed(host: TestHost): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { result } = await host.request("resources/list", cursor === undefined ? {} : { cursor });
    expect(result.resources.length).toBeLessThanOrEqual(100);
    all.push(...result.resources);
    cursor = result.nextCursor;
  }
  return all;
}

async function filesOf(config: RawConfig = {}): Promise<string[]> {
  await using host = openTestHost({ files: FILES, config });
  return (await listed(host)).filter(({ uri }) => !uri.endsWith("/")).map(({ name }) => name);
}

test("files are listed behind the roots, and each of them can be read by its address", async () => {
  await using host = openTestHost({ files: FILES });
  const [root, ...files] = await listed(host);
  expect(root.uri).toBe("ringfence://root/0/");
  expect(files.map(({ name }) => name)).toEqual(PLAIN);
  for (const { uri, name, size } of files) {
    const { result } = await host.request("resources/read", { uri });
    expect(result.contents[0]).toMatchObject({ uri, text: FILES[name as keyof typeof FILES] });
    expect(size).toBe(Buffer.byteLength(result.contents[0].text));
  }
  expect(host.audit()).toContain('"event":"listed_files"');
});

describe("what is closed is not listed", () => {
  const cases: readonly (readonly [what: string, config: RawConfig, left: readonly string[]])[] = [
    ["by --deny", { deny: ["notes.txt"] }, ["a.txt", "b c#1?%.md"]],
    ["by a rule that denies reading", { rules: [{ deny: "read_file(notes.txt)" }] }, ["a.txt", "b c#1?%.md"]],
    ["by a rule that asks about reading", { rules: [{ ask: "read_file(a.txt)" }] }, ["b c#1?%.md", "notes.txt"]],
    ["by a rule that denies the list", { rules: [{ deny: "list_directory" }] }, []],
    ["where no tool reads files", { toolList: { deny: ["read_file"] } }, []],
    ["where no tool lists", { toolList: { deny: ["list_directory"] } }, []],
  ];
  test.each(cases)("a closed file is not listed: %s", async (_what, config, left) => {
    expect(await filesOf(config)).toEqual([...left]);
  });

  test("files are not listed for a client that has no tools to read them", async () => {
    await using host = openTestHost({
      files: FILES,
      config: { clients: { test: { tools: { deny: ["read_file"] } } } },
    });
    const { result } = await host.modern("resources/list");
    expect(result.resources).toHaveLength(1);
  });

  test("a name that is no file, or that leads elsewhere, is not listed", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    writeFileSync(join(host.outside, "o.txt"), "o\n");
    symlinkSync(join(host.outside, "o.txt"), join(host.root, "link.txt"));
    expect((await listed(host)).map(({ name }) => name).slice(1)).toEqual(["a.txt"]);
  });
});

test("files of every root are listed, at most a hundred of each, in pages", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`one/f${String(index).padStart(3, "0")}`, "x"]),
  );
  await using first = openTestHost({ files: { ...many, "two/a.txt": "a\n" } });
  const roots = ["one", "two"].map((name) => join(first.root, name));
  await using host = openTestHost({ top: first.top, config: { roots } });
  const uris = (await listed(host)).map(({ uri }) => uri as string);
  expect(uris).toHaveLength(2 + 100 + 1);
  expect(uris.at(-1)).toBe("ringfence://root/1/a.txt");
  expect(uris).toContain("ringfence://root/0/f099");
  expect(uris).not.toContain("ringfence://root/0/f100");
});
