/**
 * More new files than are flushed together, in one commit: all are there, or none is, and no descriptor stays open.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import type { PreparedChanges } from "../../src/txn/index.ts";
import { TransactionKit, write } from "./transaction-kit.ts";

const FILES: number = limits.MAX_FLUSHED_TOGETHER * 2 + 3;

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit();
});
afterEach(() => kit[Symbol.dispose]());

const many = (): PreparedChanges =>
  kit.prepare(...Array.from({ length: FILES }, (_, at) => write(`f${at}`, `${at}\n`)));
const descriptors = (): number => readdirSync("/proc/self/fd").length;

test.skipIf(process.platform !== "linux")("all of them have their own content", () => {
  const prepared = many();
  const before = descriptors();
  expect(kit.commit(prepared)).toBe("ok");
  expect(descriptors()).toBe(before);
  const found = readdirSync(kit.root).map((name) => [name, readFileSync(join(kit.root, name), "utf8")]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`f${at}`, `${at}\n`])),
  );
});

test.skipIf(process.platform !== "linux")("none is there when one of the last cannot be written", () => {
  const prepared = many();
  const before = descriptors();
  const content = (index: number): Uint8Array => {
    if (index === FILES - 2) throw new Error("no content");
    return kit.contents[index] ?? new Uint8Array();
  };
  expect(kit.commit(prepared, content)).not.toBe("ok");
  expect(descriptors()).toBe(before);
  expect(readdirSync(kit.root)).toEqual([]);
});
