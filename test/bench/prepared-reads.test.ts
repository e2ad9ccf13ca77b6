/**
 * Prepared requests: every line is a request of the same length, and no id comes twice while it could be in flight.
 */
import { expect, test } from "bun:test";
import { prepareReads } from "../../bench/prepared-reads.ts";
import { countNewlines } from "../../bench/raw-client.ts";

function parseLines(bytes: Uint8Array): { id: number; params: unknown }[] {
  const text = new TextDecoder().decode(bytes);
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("prepared reads are so many whole requests, with new ids each time", () => {
  const reads = prepareReads("read_file", "/ä.txt");
  const batches = [64, 1, 7].map((count) => {
    const bytes = reads.next(count);
    expect(countNewlines(bytes)).toBe(count);
    return parseLines(bytes);
  });
  const requests = batches.flat();
  expect(new Set(requests.map(({ id }) => id)).size).toBe(72);
  expect(requests[71]?.params).toEqual({ name: "read_file", arguments: { path: "/ä.txt" } });
});

test("prepared reads begin again at the end without cutting a request, and repeat no recent id", () => {
  const reads = prepareReads("read_file", "a");
  const recent: number[] = [];
  for (let batch = 0; batch < 200; batch++) {
    const ids = parseLines(reads.next(63)).map(({ id }) => id);
    expect(ids).toHaveLength(63);
    expect(recent.filter((id) => ids.includes(id))).toEqual([]);
    recent.push(...ids);
    recent.splice(0, recent.length - 1000);
  }
});

test("prepared reads are refused when more are wanted than there are", () => {
  expect(() => prepareReads("read_file", "a").next(4097)).toThrow("at most 4096");
});

test.each([
  ["", 0],
  ["no end", 0],
  ["a\n", 1],
  ["\n\nb\nc", 3],
])("countNewlines(%p) is %p", (text, count) => {
  expect(countNewlines(new TextEncoder().encode(text))).toBe(count);
});
