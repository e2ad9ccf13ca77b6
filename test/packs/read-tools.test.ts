/**
 * The reading tools by the front door: a note of what the text is of and how to go on, the text, and the structured form only
 * when it was asked for, then complete by itself.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;
let structured: TestHost;
const long = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}\n`).join("");
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

beforeAll(() => {
  const files = {
    "a.txt": "one\ntwo\n",
    "sub/b.ts": "const two = 2;\n",
    "long.txt": long,
    ".hidden": "two\n",
  };
  host = openTestHost({ files });
  structured = openTestHost({ top: host.top, config: { results: "structured" } });
});

afterAll(async () => {
  await structured[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const structuredOf = async (name: string, args: object): Promise<Json> =>
  (await structured.call(name, args)).result.structuredContent;

test("read_file answers with a note that names the next call, then with the text in a block of its own", async () => {
  const { result } = await host.call("read_file", { path: "a.txt" });
  expect(result.content).toEqual([
    { type: "text", text: `[a.txt: lines 1-2 of 2, utf-8. hash ${hashOf("one\ntwo\n")}]` },
    { type: "text", text: "one\ntwo\n" },
  ]);
  expect("structuredContent" in result).toBe(false);
  const cut = await host.call("read_file", { path: "long.txt" });
  expect(cut.all).toContain('To go on: read_file {"path":"long.txt","offset":2001}');
  expect((await host.call("read_file", { path: "long.txt", offset: 2001 })).text).toEndWith("line 2500\n");
  expect(await structuredOf("read_file", { path: "a.txt", offset: 2 })).toMatchObject({
    text: "two\n",
    encoding: "utf-8",
    first_line: 2,
    lines: 1,
    total_lines: 2,
    hash: hashOf("one\ntwo\n"),
  });
});

test("read_file with unless_hash leaves out the text when the file has not changed", async () => {
  const hash = hashOf("one\ntwo\n");
  expect((await host.call("read_file", { path: "a.txt", unless_hash: hash })).text).toContain("unchanged");
  expect((await host.call("read_file", { path: "a.txt", unless_hash: "0" })).text).toBe("one\ntwo\n");
});

test("read_files gives the other files when one cannot be read", async () => {
  const { text, failure } = await host.call("read_files", { files: ["a.txt", "none", "sub/b.ts"] });
  expect(failure).toBeUndefined();
  expect(text).toMatch(/^==> a\.txt <==\n\[.*\]\none\n/);
  expect(text).toMatch(/==> none <==\nnot_found: /);
  expect(text).toMatch(/==> sub\/b\.ts <==\n\[.*\]\nconst two/);
});

test("list_directory and tree say what they have left out", async () => {
  const list = await host.call("list_directory", { path: ".", recursive: true });
  expect(list.text.split("\n").map((line) => line.split("\t")[0])).toEqual(
    expect.arrayContaining(["a.txt", "long.txt", "sub/", "sub/b.ts"]),
  );
  const { all } = await host.call("tree", {});
  expect(all).toContain("skipped: 1 hidden");
  const { entries } = await structuredOf("list_directory", { path: "sub" });
  expect(entries).toEqual([{ path: "sub/b.ts", type: "file", size: 15, mtime: expect.stringMatching(/Z$/) }]);
});

test("list_directory cuts a listing at its limit and goes on by its cursor", async () => {
  const seen: string[] = [];
  let args: object | undefined = { path: ".", recursive: true, hidden: true, limit: 2 };
  for (let calls = 0; args && calls < 10; calls++) {
    const answer: Json = await structuredOf("list_directory", args);
    seen.push(...answer.entries.map((one: Json) => one.path));
    args = answer.next;
  }
  expect(seen.sort()).toEqual([".hidden", "a.txt", "long.txt", "sub", "sub/b.ts"]);
});

test("glob, grep and stat give structured results", async () => {
  expect((await structuredOf("glob", { pattern: "**/*.ts" })).paths).toEqual(["sub/b.ts"]);
  expect((await structuredOf("grep", { pattern: "two" })).matches).toEqual([
    { path: "a.txt", line: 2, column: 1, text: "two" },
    { path: "sub/b.ts", line: 1, column: 7, text: "const two = 2;" },
  ]);
  expect((await structuredOf("grep", { pattern: "two", output: "files" })).paths.sort()).toEqual(["a.txt", "sub/b.ts"]);
  const counts: Json[] = (await structuredOf("grep", { pattern: "t", output: "count", path: "a.txt" })).counts;
  expect(counts).toEqual([{ path: "a.txt", count: 1 }]);
  expect(await structuredOf("stat", { path: "a.txt", hash: true })).toMatchObject({
    path: "a.txt",
    type: "file",
    size: 8,
    mode: "0644",
    hash: hashOf("one\ntwo\n"),
  });
});

test("hash_file fails when no file has a hash, and names the others that have none", async () => {
  expect((await host.call("hash_file", { path: "nope" })).failure?.code).toBe("not_found");
  expect((await host.call("hash_file", { path: "/etc/passwd" })).failure?.code).toBe("outside_scope");
  expect((await host.call("hash_file", { paths: ["nope", "neither"] })).failure?.code).toBe("not_found");
  const { failure, text } = await host.call("hash_file", { paths: ["nope", "a.txt"] });
  expect([failure, text.split("\n")[1]]).toEqual([undefined, `${hashOf("one\ntwo\n")}  a.txt`]);
  expect(text).toStartWith("nope: not_found: ");
});

test("hash_file, disk_usage, diff_files and system_info give structured results", async () => {
  const { hashes } = await structuredOf("hash_file", { paths: ["a.txt", "none"] });
  expect(hashes[0]).toEqual({ path: "a.txt", algorithm: "sha256", size: 8, hash: hashOf("one\ntwo\n") });
  expect(hashes[1].failure.code).toBe("not_found");
  expect(await structuredOf("disk_usage", { path: "sub" })).toMatchObject({ bytes: 15, files: 1 });
  const diff = await host.call("diff_files", { a: "a.txt", text: "one\n2\n" });
  expect(diff.text).toContain("-two\n+2");
  expect((await host.call("diff_files", { a: "a.txt", b: "a.txt" })).text).toBe("The two are identical.");
  const info = await structuredOf("system_info", {});
  expect(info.roots).toEqual([{ path: host.root, access: "read-write" }]);
  expect(info).toMatchObject({
    fence: "handles only (it was not asked for)",
    containment: expect.stringMatching(/handle|portable/),
  });
  expect((await host.call("system_info", {})).all).toContain(join(host.root));
});

test("the structured result of a change names its files and its proposal", async () => {
  const change = await structuredOf("write_file", { path: "n.txt", content: "n\n" });
  expect(change).toMatchObject({
    status: "proposed",
    proposal: expect.stringMatching(/^p_/),
    files: [{ path: "n.txt", operation: "create", hash: hashOf("n\n") }],
  });
});

test("grep passes over as many results as skip says, and its next page goes on behind what it gave", async () => {
  const asked = { pattern: "^line 1", path: "long.txt" };
  const all = await structuredOf("grep", { ...asked, limit: 5 });
  const part = await structuredOf("grep", { ...asked, limit: 2, skip: 3 });
  expect([part.matches, part.skipped]).toEqual([all.matches.slice(3), 3]);
  const next = await structuredOf("grep", part.next);
  expect(next.matches[0].line).toBe(14);
  expect(await structuredOf("grep", { pattern: "two", output: "files", skip: 9 })).toMatchObject({
    paths: [],
    skipped: 2,
  });
});

test("stat says with kind whether a file is binary, and of what MIME type", async () => {
  expect(await structuredOf("stat", { path: "a.txt", kind: true })).toMatchObject({
    binary: false,
    mime: "text/plain",
  });
  expect(await structuredOf("stat", { path: "a.txt" })).not.toHaveProperty("binary");
  expect(await structuredOf("stat", { path: "sub", kind: true })).not.toHaveProperty("mime");
});
