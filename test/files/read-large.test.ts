/** Files that are too large to hold: lines by windows, bounded in work and memory, exact all the same. */
import { afterAll, expect, test } from "bun:test";
import { appendFileSync, closeSync, openSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readFile, type FileRead, type FilesContext, type ReadRequest, type TextRead } from "../../src/files/index.ts";
import { bytesRead } from "../waits/bytes-read.ts";
import { createWorkspace, failureFrom } from "./workspace.ts";

const space = createWorkspace();
afterAll(() => space[Symbol.dispose]());

const GB = 1024 ** 3;
const LINES = 900_000;
const line = (number: number): string => `line ${String(number).padStart(7, "0")} of a file that is not held\n`;

async function read(path: string, request: Omit<ReadRequest, "path"> = {}, ctx = space.ctx): Promise<TextRead> {
  const answer = await readFile(ctx, { path, ...request });
  if (answer.kind !== "text") throw new Error(`it was read as ${answer.kind}`);
  return answer;
}

const counted = space.write("counted.txt", Array.from({ length: LINES }, (_, index) => line(index + 1)).join(""));

test("a range in the middle is exact, and has a version in place of a hash", async () => {
  const answer = await read("counted.txt", { offset: 700_000, limit: 3 });
  expect(answer).toMatchObject({
    text: line(700_000) + line(700_001) + line(700_002),
    first_line: 700_000,
    lines: 3,
    total_lines: LINES,
    truncated: true,
    next: { path: "counted.txt", offset: 700_003, limit: 3 },
  });
  expect(answer.version).toMatch(/^[0-9a-f]{32}$/);
  expect(answer).not.toHaveProperty("hash");
  expect(answer).not.toHaveProperty("total_lines_at_least");
  const again = await readFile(space.ctx, { path: "counted.txt", unless_hash: answer.version });
  expect(again).toEqual({ kind: "unchanged", path: "counted.txt", version: answer.version ?? "" });
});

test("from the end, numbered", async () => {
  const answer = await read("counted.txt", { offset: -2, line_numbers: true });
  expect(answer.text).toBe(`${LINES - 1}\t${line(LINES - 1)}${LINES}\t${line(LINES)}`);
  expect([answer.first_line, answer.total_lines, answer.truncated]).toEqual([LINES - 1, LINES, false]);
});

test("the first and last line, past the end, and an unterminated last line", async () => {
  expect((await read("counted.txt", { limit: 1 })).text).toBe(line(1));
  expect((await read("counted.txt", { offset: LINES })).text).toBe(line(LINES));
  const failure = await failureFrom(() => read("counted.txt", { offset: LINES + 1 }));
  expect(failure.message).toContain(`line ${LINES + 1} is past the end (it has ${LINES} lines)`);
  appendFileSync(counted, "tail");
  const tail = await read("counted.txt", { offset: LINES + 1 });
  expect([tail.text, tail.total_lines, tail.truncated]).toEqual(["tail", LINES + 1, false]);
  expect((await read("counted.txt", { offset: -1 })).first_line).toBe(LINES + 1);
  expect((await read("counted.txt", { offset: 1, limit: 1 })).total_lines).toBe(LINES + 1);
  truncateSync(counted, LINES * line(1).length);
});

test("following next over windows loses and repeats nothing", async () => {
  let request: ReadRequest = { path: "counted.txt", offset: 1, limit: 60_000 };
  let number = 1;
  for (let pages = 0; pages < 4; pages++) {
    const answer: FileRead = await readFile(space.ctx, request);
    if (answer.kind !== "text" || !answer.next) throw new Error("no next page");
    expect(answer.first_line).toBe(number);
    expect(answer.text.startsWith(line(number))).toBe(true);
    number += answer.lines;
    expect(answer.text.endsWith(line(number - 1))).toBe(true);
    request = answer.next;
  }
});

test("encodings: a mark at the beginning, a code page, UTF-16 refused with the way on", async () => {
  const body = "grüß\n".repeat(3_000_000);
  space.write("mark.txt", `\ufeff${body}`);
  expect(await read("mark.txt", { limit: 1 })).toMatchObject({ text: "grüß\n", encoding: "utf-8-bom" });
  expect(await read("mark.txt", { offset: 2_000_000, limit: 1 })).toMatchObject({ encoding: "utf-8-bom" });
  space.write("latin.txt", Buffer.from(`a\n${body.repeat(2)}`, "latin1"));
  const refused = await failureFrom(() => read("latin.txt", { offset: 2, limit: 1 }));
  expect([refused.code, refused.details]).toEqual(["not_text", { offset: 4 }]);
  const legacy = await read("latin.txt", { offset: 2, limit: 1 }, space.with({ legacyEncoding: "windows-1252" }));
  expect([legacy.text, legacy.encoding]).toEqual(["grüß\n", "windows-1252"]);
  space.write("wide.txt", Buffer.from(`\ufeff${body}`, "utf16le"));
  const wide = await failureFrom(() => read("wide.txt"));
  expect([wide.code, wide.hint]).toEqual(["too_large", expect.stringContaining("base64")]);
});

test("a line longer than any window is cut between characters, and the next line is found", async () => {
  space.write("giant.txt", `first\n${"é".repeat(10 * 1024 * 1024)}\nlast`);
  const answer = await read("giant.txt", { offset: 2 });
  expect([answer.lines, answer.cut_lines, answer.next?.offset, answer.total_lines]).toEqual([1, [2], 3, 3]);
  expect(answer.text).toBe(`${"é".repeat(8192)} … [${20 * 1024 * 1024 - 16_384} more bytes]\n`);
  expect((await read("giant.txt", { offset: 3 })).text).toBe("last");
  expect((await read("giant.txt", { offset: -1 })).first_line).toBe(3);
  expect((await read("giant.txt")).text).toBe("first\n");
});

test("a long line of a code page is cut between its characters", async () => {
  const text = `a${"\u30c6\u30b9\u30c8".repeat(20_000)}`;
  const bytes = Buffer.concat([Buffer.from("a"), ...Array.from({ length: 4_000_000 }, () => TE_SU_TO)]);
  space.write("kana.txt", bytes);
  const answer = await read("kana.txt", {}, space.with({ legacyEncoding: "shift_jis" }));
  expect([answer.encoding, answer.cut_lines]).toEqual(["shift_jis", [1]]);
  expect(text.startsWith(answer.text.slice(0, 8000))).toBe(true);
  expect(answer.text).not.toContain("\ufffd");
});

test("a cut inside a UTF-8 character does not make the line one of a code page", async () => {
  space.write("odd.txt", `x${"é".repeat(9 * 1024 * 1024)}`);
  const answer = await read("odd.txt", {}, space.with({ legacyEncoding: "windows-1252" }));
  expect([answer.encoding, answer.text.slice(0, 8192)]).toEqual(["utf-8", `x${"é".repeat(8191)}`]);
});

test("what resembles a byte order mark inside the file is a character of it", async () => {
  space.write("inner.txt", `first\n\ufeffsecond\n${"x\n".repeat(9 * 1024 * 1024)}`);
  const answer = await read("inner.txt", { offset: 2, limit: 1 });
  expect([answer.text, answer.encoding]).toEqual(["\ufeffsecond\n", "utf-8"]);
});

/** Three characters of two bytes each in Shift_JIS. */
const TE_SU_TO: Buffer = Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]);

/** Lines are counted for so long; where they end, a range is far from reading all of the file. */
const BYTES_OF_A_RANGE: number = 144 * 1024 * 1024;

test("a gigabyte in ranges: little of it is read, and in little memory", async () => {
  const path = join(space.root, "sparse.log");
  const fd = openSync(path, "w");
  writeSync(fd, line(1).repeat(20_000), 0);
  writeSync(fd, `\n${line(2).repeat(100)}`, GB - 100_000);
  closeSync(fd);
  truncateSync(path, GB - 100_000 + 1 + 100 * line(2).length);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  for (let times = 0; times < 5; times++) {
    const [head, ofHead] = await readCounted({ offset: 10_000, limit: 100 });
    expect([head.lines, head.total_lines_at_least]).toEqual([100, true]);
    const [tail, ofTail] = await readCounted({ offset: -50 });
    expect([tail.text, tail.first_line, tail.truncated]).toEqual([line(2).repeat(50), -50, false]);
    const [part, ofPart] = await readCounted({ offset: -50, limit: 20, line_numbers: true });
    expect([part.next?.offset, part.text.slice(0, 7)]).toEqual([-30, "   -50\t"]);
    for (const bytes of [ofHead, ofTail, ofPart]) expect(bytes).toBeLessThan(BYTES_OF_A_RANGE);
    // It lies behind all of the hole, which is read once.
    const [beyond, ofBeyond] = await readCounted({ offset: 20_050, limit: 1 });
    expect(beyond.text).toBe(line(2));
    expect(ofBeyond).toBeLessThan(1.25 * GB);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});

async function readCounted(request: Omit<ReadRequest, "path">): Promise<[TextRead, number]> {
  let answer: TextRead | undefined;
  const bytes = await bytesRead(async () => (answer = await read("sparse.log", request)));
  if (!answer) throw new Error("nothing was read");
  return [answer, bytes];
}

test("a file that grows or shrinks while it is read ends where it ends", async () => {
  const path = space.write("moving.txt", line(1).repeat(500_000));
  let calls = 0;
  const growing: FilesContext = {
    ...space.ctx,
    progress: () => void (calls++ < 50 && appendFileSync(path, line(2).repeat(10_000))),
  };
  const grown = await read("moving.txt", { offset: 499_999 }, growing);
  expect([grown.lines, grown.total_lines]).toEqual([2, 500_000]);
  const shrinking: FilesContext = { ...space.ctx, progress: () => truncateSync(path, 5) };
  const failure = await failureFrom(() => read("moving.txt", { offset: 400_000 }, shrinking));
  expect(failure.code).toBe("invalid_input");
});

test("a stop is noticed while scanning", async () => {
  let asked = 0;
  const cancel = { state: () => (++asked > 3 ? ("timed_out" as const) : ("none" as const)) };
  const failure = await failureFrom(() => read("counted.txt", { offset: 899_000 }, space.with({ cancel })));
  expect(failure.code).toBe("timed_out");
});

test("raw bytes are read far into the file", async () => {
  const offset = 500 * line(1).length + 1;
  const answer = await readFile(space.ctx, { path: "counted.txt", encoding: "base64", offset, limit: 12 });
  expect(answer).toMatchObject({
    kind: "base64",
    data: Buffer.from("line 0000501").toString("base64"),
    bytes: 12,
  });
});
