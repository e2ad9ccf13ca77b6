/**
 * An edit through the whole host changes the bytes that it says and no others, whatever stands around them: every kind
 * of line ending, encodings, marks, a missing newline at the end.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;

beforeAll(() => {
  host = openTestHost({ files: { "a.txt": "" }, config: { mode: "bypass" } });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

const ending = fc.constantFrom("\n", "\r\n", "\r");
const line = fc.string({
  unit: fc.constantFrom("a", "b", " ", "\t", "é", "日", "😀", "$", "\\", "\u00a0"),
  maxLength: 8,
});
const lines = fc.array(fc.tuple(line, ending), { maxLength: 8 }).map((list) => list.flat().join(""));
const encodings: Record<string, (text: string) => Buffer> = {
  "utf-8": (text) => Buffer.from(text),
  "utf-8 with a mark": (text) => Buffer.from(`\ufeff${text}`),
  "utf-16le": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "utf-16be": (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
};
const bytesOf = (): Buffer => readFileSync(join(host.root, "a.txt"));

test.each(Object.keys(encodings))(
  "any edit of a file in %s changes the bytes that it names and no others",
  async (name) => {
    const encode = encodings[name]!;
    await fc.assert(
      fc.asyncProperty(lines, lines, line, async (before, after, replacement) => {
        writeFileSync(join(host.root, "a.txt"), encode(`${before}<<old>>${after}`));
        const args = { path: "a.txt", old_text: "<<old>>", new_text: `<<${replacement}>>` };
        const { failure } = await host.call("edit_file", args);
        expect(failure).toBeUndefined();
        expect(bytesOf()).toEqual(encode(`${before}<<${replacement}>>${after}`));
      }),
      { numRuns: 40 },
    );
  },
);

test("several edits in one call have the same result as one after the other", async () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[A-Z]{3,6}$/), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(words, lines, async (names, between) => {
      const marks = names.map((name) => `<${name}>`);
      const text = marks.join(between);
      writeFileSync(join(host.root, "a.txt"), text);
      const edits = marks.map((old_text, index) => ({ old_text, new_text: `[${index}]` }));
      const { failure } = await host.call("edit_file", { path: "a.txt", edits });
      expect(failure).toBeUndefined();
      expect(bytesOf().toString()).toBe(marks.map((_, index) => `[${index}]`).join(between));
    }),
    { numRuns: 40 },
  );
});

test("an edit that fails changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(lines, line, line, async (text, old_text, new_text) => {
      writeFileSync(join(host.root, "a.txt"), text);
      const { failure } = await host.call("edit_file", { path: "a.txt", old_text, new_text });
      if (failure) expect(bytesOf().toString()).toBe(text);
    }),
    { numRuns: 40 },
  );
});
