/**
 * A diff that is prepared as a patch gives the bytes of the other file, whatever its encoding and its endings; sent again
 * it changes nothing. fast-check prints the seed of a failure.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc } from "../property.ts";
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { encodeText, parsePatch, unifiedDiff, type EncodingName } from "../../src/text/index.ts";
import { prepareChanges } from "../../src/txn/prepare/prepare.ts";
import type { PreparedChanges } from "../../src/txn/model.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-patch-")));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function prepare(patch: string, legacyEncoding?: "gbk"): { prepared: PreparedChanges; contents: Uint8Array[] } {
  const parsed = parsePatch(patch);
  if (parsed.kind === "problem") throw new Error(JSON.stringify(parsed));
  using scope = new Scope({ roots: [{ path: root, readOnly: false }] });
  const contents: Uint8Array[] = [];
  const keep = (bytes: Uint8Array): number => contents.push(bytes) - 1;
  const { files, tolerances } = parsed;
  const prepared = prepareChanges(
    { changes: [{ op: "patch", files, tolerances, ifHashes: {}, overwrite: false }] },
    {
      scope,
      cancel: NEVER_CANCELLED,
      keep,
      ...(legacyEncoding ? { legacyEncoding } : {}),
    },
  );
  return { prepared, contents };
}

function bytesOf(text: string, encoding: EncodingName): Uint8Array {
  const result = encodeText(text, encoding);
  if (result.kind !== "bytes") throw new Error(JSON.stringify(result));
  return result.bytes;
}

const line = fc.tuple(
  fc.constantFrom("one", "two lines", "  drei", "", "\tvier", "中文", "你好 x", "}"),
  fc.constantFrom("\n", "\n", "\r\n", "\r\n", "\r", ""),
);
const text = fc.array(line, { maxLength: 12 }).map((parts) => parts.flat().join(""));

describe("a diff gives the bytes of the other file", () => {
  test.each(["utf-8", "utf-8-bom", "utf-16le", "utf-16be", "gbk"] as const)(
    "a diff gives the bytes of the other file in %s",
    (encoding) => {
      let patched = 0;
      fc.assert(
        fc.property(text, text, fc.nat(3), (before, after, context) => {
          // An empty file, or one of ASCII alone, has the encoding of its mark at most.
          fc.pre(before !== after && before !== "" && (encoding !== "gbk" || /[^\0-\x7f]/.test(before)));
          writeFileSync(join(root, "x"), bytesOf(before, encoding));
          const diff = unifiedDiff(before, after, { path: "x", maxBytes: 1_000_000, context: context + 1 });
          const { prepared, contents } = prepare(diff.text, encoding === "gbk" ? "gbk" : undefined);
          expect(prepared.tolerant).toBeUndefined();
          const [step] = prepared.steps;
          if (step?.op !== "put") throw new Error(JSON.stringify(prepared));
          expect(Buffer.from(contents[step.content] ?? [])).toEqual(Buffer.from(bytesOf(after, encoding)));
          patched++;
        }),
        { numRuns: 150 },
      );
      expect(patched).toBeGreaterThan(100);
    },
  );
});

test("a diff that takes a byte order mark away leaves none", () => {
  writeFileSync(join(root, "x"), "\ufeffone\ntwo\n");
  const names = "--- a/x\n+++ b/x\n";
  const { prepared, contents } = prepare(`${names}@@ -1,2 +1,2 @@\n-\ufeffone\n+one\n two\n`);
  expect([prepared.tolerant, contents.map((bytes) => Buffer.from(bytes).toString())]).toEqual([
    undefined,
    ["one\ntwo\n"],
  ]);
  const kept = prepare(`${names}@@ -2 +2 @@\n-two\n+TWO\n`).contents;
  expect(kept.map((bytes) => Buffer.from(bytes).toString())).toEqual(["\ufeffone\nTWO\n"]);
});

function put(path: string, content: string): void {
  mkdirSync(join(root, "dir"), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe("a patch that is sent again", () => {
  const parts = [
    "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new file\n",
    "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n",
    "diff --git a/old b/dir/moved\nrename from old\nrename to dir/moved\n--- a/old\n+++ b/dir/moved\n@@ -1,2 +1,2 @@\n head\n-old line\n+new line\n",
    "diff --git a/text b/text\n--- a/text\n+++ b/text\n@@ -1,2 +1,2 @@\n head\n-old line\n+new line\n",
  ];
  /** Each part done by hand, and not done. */
  const lay: readonly { readonly done: () => void; readonly open: () => void }[] = [
    { done: () => put("new", "new file\n"), open: () => undefined },
    { done: () => undefined, open: () => put("gone", "gone\n") },
    { done: () => put("dir/moved", "head\nnew line\n"), open: () => put("old", "head\nold line\n") },
    { done: () => put("text", "head\nnew line\n"), open: () => put("text", "head\nold line\n") },
  ];

  test.each(Array.from({ length: 16 }, (_, bits) => bits))("a patch does what is left, with parts %d done", (bits) => {
    for (const [index, part] of lay.entries()) (bits & (1 << index) ? part.done : part.open)();
    const patch = parts.join("");
    // That a file is missing says nothing while all the rest is still to be done.
    if (bits === 0b0010) {
      expect(() => prepare(patch)).toThrow('Cannot delete "gone"');
      return;
    }
    const { prepared } = prepare(patch);
    const open = prepared.files.filter(({ operation }) => operation !== "none" && operation !== "create_directory");
    const isOpen = (index: number): boolean => (bits & (1 << index)) === 0;
    const wanted = [
      ...(isOpen(0) ? ["new"] : []),
      ...(isOpen(1) ? ["gone"] : []),
      ...(isOpen(2) ? ["dir/moved", "old"] : []),
      ...(isOpen(3) ? ["text"] : []),
    ];
    expect(open.map(({ path }) => path.replace(/^.*?(?=dir\/|[a-z]+$)/, "")).sort()).toEqual(wanted.sort());
    expect(prepared.tolerant === true).toBe(bits !== 0);
  });
});
