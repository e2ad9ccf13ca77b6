/**
 * Names as they are on disk: not UTF-8, control characters, near misses. Every name that is shown can be given back, and
 * a name that is only like another is named, never opened instead.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { openTestHost } from "./in-memory-host.ts";

const ODD_NAMES: [name: string, bytes: number[], shown: string][] = [
  ["a byte that is not UTF-8", [0x62, 0xff, 0x61], "bytes:b%FFa"],
  ["a newline", [0x61, 0x0a, 0x62], "bytes:a%0Ab"],
  ["an escape sequence", [0x1b, 0x5b, 0x31, 0x6d], "bytes:%1B[1m"],
  ["a right-to-left override", [0x61, 0xe2, 0x80, 0xae, 0x62], "bytes:a%E2%80%AEb"],
  ["half a surrogate in UTF-8", [0xed, 0xa0, 0x80], "bytes:%ED%A0%80"],
  ["a name that looks escaped", [...Buffer.from("bytes:a")], "./bytes:a"],
  ["a tab", [0x61, 0x09], "bytes:a%09"],
];

describe.each(ODD_NAMES)("%s", (_what, bytes, shown) => {
  test.each(["auto", "portable"])(
    "the directory of an odd name can be worked in, containment %s",
    async (containment) => {
      await using host = openTestHost({ config: { mode: "bypass", containment } });
      const directory = Buffer.concat([Buffer.from(`${host.root}/`), Buffer.from(bytes)]);
      mkdirSync(directory);
      writeFileSync(Buffer.concat([directory, Buffer.from("/inner.txt")]), "content\n");
      const inner = `${shown}/inner.txt`;
      expect((await host.call("list_directory", { path: shown })).text).toContain(inner);
      expect((await host.call("grep", { pattern: "content", path: shown })).all).toContain(inner);
      expect((await host.call("read_file", { path: inner })).text).toBe("content\n");
      expect((await host.call("append_file", { path: inner, content: "x\n" })).failure).toBeUndefined();
      const copied = await host.call("copy", { source: shown, destination: `${shown}2`, recursive: true });
      expect(copied.failure).toBeUndefined();
      expect((await host.call("read_file", { path: `${shown}2/inner.txt` })).text).toBe("content\nx\n");
      expect((await host.call("delete", { path: shown, recursive: true })).failure).toBeUndefined();
      expect(readdirSync(host.root, { encoding: "buffer" })).toEqual([Buffer.from([...bytes, 0x32])]);
    },
  );

  test("a file of an odd name is listed, found, read, changed, moved and deleted by the name that is shown", async () => {
    await using host = openTestHost({ config: { mode: "bypass" } });
    writeFileSync(Buffer.concat([Buffer.from(`${host.root}/`), Buffer.from(bytes)]), "content\n");
    const listed = await host.call("list_directory", { path: "." });
    expect(listed.text.split("\t")[0]).toBe(shown);
    expect((await host.call("glob", { pattern: "*" })).all).toContain(shown);
    expect((await host.call("grep", { pattern: "content" })).all).toContain(shown);
    expect((await host.call("read_file", { path: shown })).text).toBe("content\n");
    expect((await host.call("stat", { path: shown })).failure).toBeUndefined();
    expect((await host.call("append_file", { path: shown, content: "more\n" })).failure).toBeUndefined();
    expect(readdirSync(host.root, { encoding: "buffer" })).toEqual([Buffer.from(bytes)]);
    expect((await host.call("copy", { source: shown, destination: "plain.txt" })).failure).toBeUndefined();
    expect(host.read("plain.txt")).toBe("content\nmore\n");
    expect((await host.call("move", { source: shown, destination: "moved.txt" })).failure).toBeUndefined();
    expect((await host.call("move", { source: "moved.txt", destination: shown })).failure).toBeUndefined();
    expect((await host.call("delete", { path: shown })).failure).toBeUndefined();
    expect(readdirSync(host.root)).toEqual(["plain.txt"]);
  });
});

test("a tree with odd names is copied with the names as they are", async () => {
  await using host = openTestHost({ files: { "d/": { directory: true } }, config: { mode: "bypass" } });
  const odd = Buffer.from([0x62, 0xff, 0x61]);
  writeFileSync(Buffer.concat([Buffer.from(`${host.root}/d/`), odd]), "x\n");
  const answer = await host.call("copy", { source: "d", destination: "e", recursive: true });
  expect(answer.failure).toBeUndefined();
  expect(readdirSync(`${host.root}/e`, { encoding: "buffer" })).toEqual([odd]);
});

describe("a missing path", () => {
  const cases: [what: string, there: string, asked: string][] = [
    ["differs by case", "ReadMe.md", "readme.md"],
    ["is NFD and asked as NFC", "cafe\u0301.txt", "caf\u00e9.txt"],
    ["is NFC and asked as NFD", "caf\u00e9.txt", "cafe\u0301.txt"],
    ["has a typing error", "package.json", "packag.json"],
    ["is in a directory", "src/server.ts", "src/sever.ts"],
    ["has a wrong directory", "src/server.ts", "scr/server.ts"],
  ];
  test.each(cases)("a missing path that %s is named and not opened", async (_what, there, asked) => {
    const files = { [there]: "here\n", "other.txt": "other\n", "zzz.md": "z\n" };
    await using host = openTestHost({ files, config: { mode: "bypass" } });
    for (const call of [
      host.call("read_file", { path: asked }),
      host.call("edit_file", { path: asked, old_text: "here", new_text: "x" }),
      host.call("delete", { path: asked }),
      host.call("move", { source: asked, destination: "n" }),
      host.call("stat", { path: asked }),
    ]) {
      const { failure } = await call;
      expect(failure?.code).toBe("not_found");
      const first = failure?.candidates?.[0] ?? "";
      expect(there.startsWith(first) && first !== "").toBe(true);
      expect(failure?.hint).toStartWith(`Did you mean "${first}"`);
    }
    expect(host.read(there)).toBe("here\n");
  });

  test("outside the roots names nothing, whether it is there or not", async () => {
    await using host = openTestHost();
    writeFileSync(`${host.outside}/secret.txt`, "x");
    const there = await host.call("read_file", { path: `${host.outside}/secret.txt` });
    const missing = await host.call("read_file", { path: `${host.outside}/secret.tx` });
    expect(there.failure).toMatchObject({ code: "outside_scope" });
    expect(there.failure?.candidates).toBeUndefined();
    expect(missing.failure?.message.replace("secret.tx", "secret.txt")).toBe(there.failure!.message);
  });
});
