/**
 * How much text an answer has that nobody asked to be larger: 32 KB or what `answer_bytes` says, of every tool that pages,
 * with its notes little more; up to a megabyte where the call names a limit. Whatever the size, following the next calls
 * leads to all that there is.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";

const KB = 1024;
const USUAL: number = 32 * KB;
/** For the notes of an answer, and the heads of several files. */
const NOTES: number = 3 * KB;

const LINES = 1000;
const lineOf = (at: number): string => `needle ${at} ${"x".repeat(200)}`;
const text = Array.from({ length: LINES }, (_, at) => `${lineOf(at + 1)}\n`).join("");
const changed = text.replaceAll("x\n", "y\n");
const names = Array.from({ length: 900 }, (_, at) => `a-file-with-quite-a-long-name-${"n".repeat(30)}-${at}.txt`);
const FILES = {
  "long.txt": text,
  "changed.txt": changed,
  "two.txt": text,
  "bytes.bin": "\u0000".repeat(200 * KB),
  ...Object.fromEntries(names.map((name) => [`many/${name}`, "needle\n"])),
};

interface Case {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the call may ask for, where it wants more. */
  readonly limit?: number;
  /** All that there is, in some order, out of the texts of its pages. */
  readonly all: (texts: readonly string[]) => readonly string[];
  readonly wanted: readonly string[];
}

const linesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((one) => one.split("\n")).filter((line) => line !== "");
const wantedLines = Array.from({ length: LINES }, (_, at) => lineOf(at + 1));
const manyPaths = names.map((name) => `many/${name}`);

const PAGED: readonly Case[] = [
  { tool: "read_file", args: { path: "long.txt" }, limit: 5000, all: linesOf, wanted: wantedLines },
  {
    tool: "read_file",
    args: { path: "bytes.bin", encoding: "base64" },
    limit: 200 * KB,
    all: (texts) => [String(Buffer.concat(texts.map((one) => Buffer.from(one, "base64"))).length)],
    wanted: [String(200 * KB)],
  },
  {
    tool: "read_files",
    args: { files: [{ path: "long.txt" }, { path: "two.txt" }] },
    all: (texts) => linesOf(texts).filter((line) => line.startsWith("needle")),
    wanted: [...wantedLines, ...wantedLines],
  },
  {
    tool: "list_directory",
    args: { path: "many" },
    limit: 1000,
    all: (texts) => linesOf(texts).map((line) => line.split("\t")[0] ?? ""),
    wanted: manyPaths,
  },
  { tool: "glob", args: { pattern: "many/*.txt" }, limit: 1000, all: linesOf, wanted: manyPaths },
  {
    tool: "grep",
    args: { pattern: "needle", path: "long.txt", context: 5 },
    limit: 200,
    all: (texts) => [...new Set(linesOf(texts).map((line) => line.replace(/^long\.txt[:-]\d+[:-]/, "")))],
    wanted: wantedLines,
  },
  {
    tool: "grep",
    args: { pattern: "needle", path: "many", output: "files" },
    limit: 1000,
    all: linesOf,
    wanted: manyPaths,
  },
  {
    tool: "diff_files",
    args: { a: "long.txt", b: "changed.txt" },
    all: (texts) =>
      linesOf(texts)
        .filter((line) => line.startsWith("-needle"))
        .map((line) => line.slice(1)),
    wanted: wantedLines,
  },
];

const sizeOf = ({ all }: CallAnswer): number => Buffer.byteLength(all);

/** The whole way that the notes lead. */
async function follow(host: TestHost, tool: string, args: object): Promise<CallAnswer[]> {
  const answers: CallAnswer[] = [];
  for (let next: [tool: string, args: object] | undefined = [tool, args]; next;) {
    const answer: CallAnswer = await host.call(...next);
    expect(answer.failure).toBeUndefined();
    answers.push(answer);
    const note: string = answer.result.content.length > 1 ? answer.result.content[0].text : "";
    const [, name, json] = /To go on: (\w+) (\{.*\})\]$/m.exec(note) ?? [];
    next = name === undefined || json === undefined ? undefined : [name, JSON.parse(json) as object];
  }
  return answers;
}

describe.each([
  ["by default", undefined, USUAL],
  ["with answer_bytes: 4k", "4k", 4 * KB],
  ["with answer_bytes: 128k", "128k", 128 * KB],
])("%s", (_name, answerBytes, usual) => {
  let host: TestHost;
  beforeAll(() => {
    host = openTestHost({ files: FILES, config: answerBytes === undefined ? {} : { answerBytes } });
  });
  afterAll(async () => await host[Symbol.asyncDispose]());

  test.each(PAGED.map((one) => [one.tool, one.args, one] as const))(
    "%s %j bounds every page, and all pages together are the whole",
    async (tool, args, { all, wanted }) => {
      const answers = await follow(host, tool, args);
      expect(Math.max(...answers.map(sizeOf))).toBeLessThanOrEqual(usual + NOTES);
      const texts = answers.map(({ text: shown }) => shown);
      expect([...all(texts)].sort()).toEqual([...wanted].sort());
    },
  );

  test("tree gives every directory its share, and counts what is missing", async () => {
    const { all, text: drawn } = await host.call("tree", { path: "." });
    expect(Buffer.byteLength(all)).toBeLessThanOrEqual(usual + NOTES);
    expect(drawn).toContain("long.txt");
    expect(drawn).toMatch(/many\/\n {4}a-file/);
    if (usual <= USUAL) expect(drawn).toMatch(/\.\.\. \d+ more/);
  });
});

describe("a call that names a limit", () => {
  let host: TestHost;
  beforeAll(() => {
    host = openTestHost({ files: FILES });
  });
  afterAll(async () => await host[Symbol.asyncDispose]());

  test.each(PAGED.flatMap(({ tool, args, limit }) => (limit === undefined ? [] : [[tool, args, limit] as const])))(
    "%s %j gets more than the default",
    async (tool, args, limit) => {
      const answer = await host.call(tool, { ...args, limit });
      expect(sizeOf(answer)).toBeGreaterThan(USUAL + NOTES);
    },
  );

  test("for one of several files gets that file whole, and a share of the others", async () => {
    const files = [{ path: "long.txt", limit: 5000 }, { path: "two.txt" }];
    const { text: shown } = await host.call("read_files", { files });
    expect(shown).toContain(`${lineOf(LINES)}\n==> two.txt <==\n`);
    expect(Buffer.byteLength(shown) - Buffer.byteLength(text)).toBeLessThanOrEqual(USUAL + NOTES);
  });
});

test("read_files gives many short files in one answer, and names those for which there is no room", async () => {
  const short = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at}.txt`, `short ${at}\n`]));
  await using host = openTestHost({ files: { ...FILES, ...short } });
  const all = await host.call("read_files", { files: Object.keys(short) });
  expect(all.result.content).toHaveLength(1);
  expect(Object.values(short).every((one) => all.text.includes(one))).toBe(true);
  const [note, shown]: Json[] = (await host.call("read_files", { files: Array(20).fill("long.txt") })).result.content;
  expect(Buffer.byteLength(shown.text)).toBeLessThanOrEqual(USUAL + NOTES);
  const next = /To go on: read_files (\{.*\})\]$/.exec(note.text)?.[1];
  expect((JSON.parse(next ?? "") as { files: object[] }).files).toHaveLength(20);
});

test("read_files does not cut a line because other files are read with it", async () => {
  const wide = `${"w".repeat(15 * KB)}\n`;
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`w${at}.txt`, wide]));
  await using host = openTestHost({ files });
  const answers = await follow(host, "read_files", { files: Object.keys(files) });
  expect(
    answers
      .map(({ all }) => all)
      .join("\n")
      .split(wide),
  ).toHaveLength(7);
  expect(answers.map(({ all }) => all).join("\n")).not.toContain("more bytes]");
});

describe("a line that is longer than an answer", () => {
  const line = Array.from({ length: 9000 }, (_, at) => `é${at},`).join("");

  test.each([
    ["utf-16le", {}, (plain: string) => Buffer.from(`\ufeff${plain}`, "utf16le")],
    ["utf-16be", {}, (plain: string) => Buffer.from(`\ufeff${plain}`, "utf16le").swap16()],
    ["windows-1252", { legacyEncoding: "windows-1252" }, (plain: string) => Buffer.from(plain, "latin1")],
  ])("a line that is longer than an answer goes on by bytes in %s", async (encoding, config, encode) => {
    const bytes = encode(line);
    await using host = openTestHost({ files: { "one.txt": { base64: bytes.toString("base64") } }, config });
    const first = await host.call("read_file", { path: "one.txt" });
    expect(first.all).toContain(encoding);
    const json = /The rest of line 1 as bytes: read_file (\{.*?\})/.exec(first.all)?.[1] ?? "";
    const pages = await follow(host, "read_file", JSON.parse(json) as object);
    const rest = Buffer.concat(pages.map((one) => Buffer.from(one.text, "base64")));
    const shown = encode(first.text.replace(/ … \[\d+ more bytes\]$/, ""));
    expect(Buffer.concat([shown, rest]).equals(bytes)).toBe(true);
  });

  test("a line that grep cuts is read whole by the call that its note names", async () => {
    const long = `${"x".repeat(2000)} needle ${"y".repeat(2000)}`;
    await using host = openTestHost({ files: { "a.txt": `one\n${long}\n`, "b.txt": `${long}\n` } });
    const found = await host.call("grep", { pattern: "needle" });
    expect(found.all).toContain("cut for length: line 2 of a.txt and 1 more.");
    const json = /All of it: read_file (\{.*?\})/.exec(found.all)?.[1] ?? "";
    expect((await host.call("read_file", JSON.parse(json))).text).toBe(`${long}\n`);
  });

  test.each([
    ["", "utf-8"],
    ["\ufeff", "utf-8-bom"],
  ])("a line that is longer than an answer goes on by bytes, from where it was cut: %j", async (mark, encoding) => {
    await using host = openTestHost({ files: { "one.json": `${mark}${line}` } });
    const first = await host.call("read_file", { path: "one.json" });
    expect(first.all).toContain(encoding);
    const json = /The rest of line 1 as bytes: read_file (\{.*?\})/.exec(first.all)?.[1] ?? "";
    const pages = await follow(host, "read_file", JSON.parse(json) as object);
    const rest = Buffer.concat(pages.map((one) => Buffer.from(one.text, "base64"))).toString();
    expect(first.text.replace(/ … \[\d+ more bytes\]$/, "") + rest).toBe(line);
  });

  test("a line that is longer than an answer is read on in parts in a file that is too large to be read whole too", async () => {
    const lines = "a line\n".repeat(2_500_000);
    await using host = openTestHost({ files: { "big.txt": `${lines}${line}\nend\n` } });
    const first = await host.call("read_file", { path: "big.txt", offset: -2, limit: 1 });
    const json = /The rest of line .* as bytes: read_file (\{.*?\})/.exec(first.all)?.[1] ?? "";
    const [page] = await follow(host, "read_file", { ...(JSON.parse(json) as object), limit: 200_000 });
    const rest = Buffer.from(page?.text ?? "", "base64").toString();
    expect(first.text.replace(/ … \[\d+ more bytes\]\n$/, "") + rest).toBe(`${line}\nend\n`);
  });
});

test("resources/read gives a file in parts of a megabyte, and a directory in pages of a thousand", async () => {
  await using host = openTestHost({ files: FILES });
  const { result } = await host.request("resources/read", { uri: "ringfence://root/0/long.txt" });
  expect(result.contents[0].text).toBe(text);
  const { result: listed } = await host.request("resources/read", { uri: "ringfence://root/0/many/" });
  expect(JSON.parse(listed.contents[0].text).entries).toHaveLength(900);
});

test("the answer to a change has 32 KB of its diffs, and still ends with the proposal", async () => {
  await using host = openTestHost({ files: { "a.txt": text, "b.txt": text } });
  const operations = ["a.txt", "b.txt"].map((path) => ({ op: "write_file", path, content: changed }));
  const { text: said, proposal } = await host.call("change_files", { operations });
  expect(Buffer.byteLength(said)).toBeGreaterThan(USUAL);
  expect(Buffer.byteLength(said)).toBeLessThanOrEqual(USUAL + NOTES);
  expect(said).toContain("more lines of the diff left out");
  expect(said).toContain("The diffs of 1 more files are left out here; the proposal has them.");
  expect(said).toEndWith(`Proposal ${proposal?.id}@${proposal?.digest}`);
});

test("the answer to a change of many files names the first of them, and has 32 KB with their diffs", async () => {
  await using host = openTestHost({ files: {} });
  const operations = names.slice(0, 300).map((name) => ({
    op: "write_file",
    path: `${"deep-".repeat(30)}/${"folder-".repeat(20)}/${name}`,
    content: lineOf(1),
  }));
  const { text: said, proposal } = await host.call("change_files", { operations });
  expect(Buffer.byteLength(said)).toBeLessThanOrEqual(USUAL + NOTES);
  const named = said.match(/^Create .*\.$/gm) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect(said).toContain(`\nAnd ${300 - named.length} more.\n`);
  expect(said).toContain(names[0] ?? "");
  expect(said).toEndWith(`Proposal ${proposal?.id}@${proposal?.digest}`);
});

test("disk_usage names twenty children where nobody asked for more", async () => {
  await using host = openTestHost({ files: FILES });
  expect((await host.call("disk_usage", { path: "many" })).text.split("\n")).toHaveLength(21);
  expect((await host.call("disk_usage", { path: "many", limit: 100 })).text.split("\n")).toHaveLength(101);
});

test("a secret in a difference that is cut is a placeholder in every part of it", async () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await using host = openTestHost({ files: { "a.txt": text, "b.txt": `${changed}token = "${secret}"\n` } });
  const answers = await follow(host, "diff_files", { a: "a.txt", b: "b.txt" });
  const all = answers.map((one) => one.all).join("\n");
  expect(all).not.toContain(secret);
  expect(all).toContain("[secret:");
  expect(answers[0]?.all).toContain("secrets in it are replaced by placeholders");
});

test("system_info names the size of an answer", async () => {
  await using host = openTestHost({ config: { answerBytes: "64k" } });
  expect((await host.call("system_info")).text).toContain(`answer_bytes: ${64 * KB}`);
});
