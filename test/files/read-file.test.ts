/** Text of ordinary files: ranges, line ends, encodings, bounds, marks, and what is refused. */
import { afterAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFile, type FileRead, type ReadRequest, type TextRead } from "../../src/files/index.ts";
import { createWorkspace, failureFrom } from "./workspace.ts";

const space = createWorkspace();
afterAll(() => space[Symbol.dispose]());

async function read(path: string, request: Omit<ReadRequest, "path"> = {}, ctx = space.ctx): Promise<TextRead> {
  const answer: FileRead = await readFile(ctx, { path, ...request });
  if (answer.kind !== "text") throw new Error(`it was read as ${answer.kind}`);
  return answer;
}

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");

test("a small file comes whole, with its hash", async () => {
  space.write("abc.txt", "abc");
  expect(await read("abc.txt")).toEqual({
    kind: "text",
    path: "abc.txt",
    text: "abc",
    encoding: "utf-8",
    first_line: 1,
    lines: 1,
    total_lines: 1,
    size: 3,
    hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    truncated: false,
  });
});

test("an empty file has no lines and may be read from line 1", async () => {
  space.write("empty.txt", "");
  const answer = await read("empty.txt", { offset: 1 });
  expect([answer.text, answer.first_line, answer.lines, answer.total_lines]).toEqual(["", 1, 0, 0]);
});

test.each([
  [{ offset: 3, limit: 2 }, "line 3\nline 4\n", 3, 5],
  [{ offset: -2 }, "line 9\nline 10\n", 9, undefined],
  [{ offset: -4, limit: 1 }, "line 7\n", 7, 8],
  [{ offset: -99, limit: 1 }, "line 1\n", 1, 2],
  [{ offset: 0, limit: 1 }, "line 1\n", 1, 2],
  [{ offset: 10 }, "line 10\n", 10, undefined],
  [{ limit: 10 }, TEN, 1, undefined],
  [{ offset: 9, limit: 1, line_numbers: true }, "     9\tline 9\n", 9, 10],
] as const)("the range %j is read as it says", async (range, text, first, next) => {
  space.write("ten.txt", TEN);
  const answer = await read("ten.txt", range);
  expect(answer.text).toBe(text);
  expect([answer.first_line, answer.total_lines, answer.next?.offset]).toEqual([first, 10, next]);
  expect(answer.truncated).toBe(next !== undefined);
});

test("following next gives the file again, with the same options", async () => {
  const content = Array.from({ length: 500 }, (_, index) => `${index} ${"é".repeat(index)}\n`).join("");
  space.write("pages.txt", content);
  let text = "";
  let request: ReadRequest | undefined = { path: "pages.txt", limit: 120, maxBytes: 20_000 };
  for (let pages = 0; request && pages < 99; pages++) {
    const answer: FileRead = await readFile(space.ctx, request);
    if (answer.kind !== "text") throw new Error(answer.kind);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(20_000);
    text += answer.text;
    request = answer.next && { ...answer.next, maxBytes: 20_000 };
  }
  expect(text).toBe(content);
});

test("past the end names the number of lines", async () => {
  space.write("ten.txt", TEN);
  const failure = await failureFrom(() => read("ten.txt", { offset: 900 }));
  expect([failure.code, failure.message]).toEqual([
    "invalid_input",
    'Cannot read "ten.txt": line 900 is past the end (it has 10 lines)',
  ]);
});

test("line ends stay as they are, a lone CR ends a line only where there is no LF", async () => {
  space.write("crlf.txt", "a\r\nb\rc\nd");
  const mixed = await read("crlf.txt", { offset: 2, limit: 1 });
  expect([mixed.text, mixed.total_lines]).toEqual(["b\rc\n", 3]);
  space.write("mac.txt", "a\rb\rc");
  const mac = await read("mac.txt");
  expect([mac.text, mac.total_lines]).toEqual(["a\rb\rc", 3]);
});

test.each([
  ["utf-8-bom", Buffer.from("\ufeffgrüß\n")],
  ["utf-16le", Buffer.from("\ufeffgrüß\n", "utf16le")],
  ["utf-16be", Buffer.from("\ufeffgrüß\n", "utf16le").swap16()],
] as const)("%s is told by its mark", async (encoding, bytes) => {
  space.write("marked.txt", bytes);
  const answer = await read("marked.txt");
  expect([answer.text, answer.encoding, answer.size]).toEqual(["grüß\n", encoding, bytes.length]);
});

test("a code page is read when it is configured or named, else refused with the offset", async () => {
  space.write("latin.txt", Buffer.from("a\nh\xe4nde\n", "latin1"));
  const failure = await failureFrom(() => read("latin.txt"));
  expect([failure.code, failure.details]).toEqual(["not_text", { offset: 3 }]);
  expect(failure.message).toBe('Cannot read "latin.txt": the byte 0xe4 is not UTF-8 (byte offset 3)');
  expect(failure.hint).toContain("base64");
  const configured = await read("latin.txt", {}, space.with({ legacyEncoding: "windows-1252" }));
  expect([configured.text, configured.encoding]).toEqual(["a\nhände\n", "windows-1252"]);
  expect((await read("latin.txt", { encoding: "iso-8859-1" })).text).toBe("a\nhände\n");
});

test("a long line is cut and named, and the lines after it still come", async () => {
  space.write("long.txt", `a\n${"x".repeat(100_000)}\nb\n`);
  const answer = await read("long.txt");
  expect(answer.cut_lines).toEqual([2]);
  expect(answer.truncated).toBe(true);
  expect(answer.next).toBeUndefined();
  expect(answer.text.startsWith(`a\n${"x".repeat(16_384)} …`)).toBe(true);
  expect(answer.text.endsWith("\nb\n")).toBe(true);
});

test("the default is a page of lines or bytes; a limit may ask for more, but never for over 1 MiB", async () => {
  space.write("many.txt", "x\n".repeat(5000));
  expect((await read("many.txt")).lines).toBe(2000);
  space.write("wide.txt", `${"x".repeat(999)}\n`.repeat(3000));
  const page = await read("wide.txt");
  expect([page.lines, page.next?.offset]).toEqual([32, 33]);
  const most = await read("wide.txt", { limit: 3000, maxBytes: 9e9 });
  expect([most.lines, Buffer.byteLength(most.text) <= 1024 * 1024]).toEqual([1048, true]);
});

test("unless_hash answers unchanged only while the content is the same", async () => {
  space.write("same.txt", "one");
  const { hash } = await read("same.txt");
  const again = await readFile(space.ctx, { path: "same.txt", unless_hash: hash });
  expect(again).toEqual({ kind: "unchanged", path: "same.txt", hash: hash ?? "" });
  space.write("same.txt", "two");
  expect((await readFile(space.ctx, { path: "same.txt", unless_hash: hash })).kind).toBe("text");
});

test("what is not a regular file is refused by name, without waiting", async () => {
  execFileSync("mkfifo", [join(space.root, "pipe")]);
  mkdirSync(join(space.root, "folder"));
  expect((await failureFrom(() => read("pipe"))).message).toContain("it is a FIFO");
  expect((await failureFrom(() => read("folder"))).code).toBe("invalid_input");
  expect((await failureFrom(() => read("missing.txt"))).code).toBe("not_found");
});

test("a link out is refused, a link inside is followed", async () => {
  writeFileSync(join(space.outside, "secret"), "secret");
  symlinkSync("../outside/secret", join(space.root, "out"));
  space.write("inside.txt", "inside");
  symlinkSync("inside.txt", join(space.root, "in"));
  expect((await failureFrom(() => read("out"))).code).toBe("outside_scope");
  expect((await read("in")).text).toBe("inside");
});

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

test("no descriptor stays open, also when reading fails", async () => {
  space.write("nul.bin", "a\0b");
  space.write("latin.txt", Buffer.from("\xe4", "latin1"));
  const before = openDescriptors();
  for (let times = 0; times < 20; times++) {
    await readFile(space.ctx, { path: "nul.bin" });
    await failureFrom(() => read("latin.txt"));
    await failureFrom(() => read("latin.txt", { encoding: "base64", offset: 99 }));
  }
  // Others of this process may have been closed by the collector meanwhile.
  expect(openDescriptors()).toBeLessThanOrEqual(before);
});
