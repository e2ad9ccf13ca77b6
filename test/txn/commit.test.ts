/**
 * Applying, where it can go wrong: another process's lock, a failing step, a directory that was swapped. A failing commit
 * leaves every byte and no stray name; a good one is seen old or new, never half.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Change, PreparedChanges } from "../../src/txn/index.ts";
import { readTree } from "../host/file-tree.ts";
import { TestClock } from "../waits/test-clock.ts";
import { FLOCK, holdElsewhere } from "./hold-elsewhere.ts";
import { TransactionKit, write } from "./transaction-kit.ts";

let kit: TransactionKit;
let [top, root]: [string, string] = ["", ""];

beforeEach(() => {
  kit = new TransactionKit();
  ({ top, root } = kit);
});
afterEach(() => kit[Symbol.dispose]());

const prepare = (...changes: readonly Change[]): PreparedChanges => kit.prepare(...changes);
const put = (path: string, content: string): void => kit.put(path, content);
const commit = (prepared: PreparedChanges, content?: (index: number) => Uint8Array): string =>
  kit.commit(prepared, content);

const several = (): PreparedChanges =>
  prepare(
    write("a.txt", "new a\n"),
    write("deep/er/n.txt", "n\n"),
    { op: "move", source: "m.txt", destination: "moved/m.txt", overwrite: false, recursive: true },
    { op: "delete", path: "d", recursive: true },
    { op: "copy", source: "b.txt", destination: "c.txt", overwrite: false, recursive: false },
    { op: "create_directory", path: "made" },
    write("b.txt", "new b\n"),
  );

describe("several changes in one commit", () => {
  beforeEach(() => {
    for (const name of ["a.txt", "b.txt", "m.txt"]) put(name, `old ${name}\n`);
    mkdirSync(join(root, "d"));
    put("d/x", "x\n");
  });

  test("several changes in one commit are all there", () => {
    expect(commit(several())).toBe("ok");
    expect(readTree(root)).toEqual({
      "a.txt": "new a\n",
      "b.txt": "new b\n",
      "c.txt": "old b.txt\n",
      "deep/er/n.txt": "n\n",
      made: { directory: true },
      "moved/m.txt": "old m.txt\n",
    });
  });

  test("a commit makes none of several changes, whichever step fails", () => {
    const before = readTree(root);
    for (let failing = 0; failing < 3; failing++) {
      kit.contents.length = 0;
      const prepared = several();
      const content = (index: number): Uint8Array => {
        if (index === failing) throw new Error("the disk is on fire");
        return kit.contents[index]!;
      };
      expect(commit(prepared, content)).toBe("bug");
      expect(readTree(root)).toEqual(before);
    }
  });

  test("a commit makes none of several changes when the last step finds its name taken", () => {
    const prepared = several();
    const before = readTree(root);
    // The check comes first, so the name must appear after it: while the contents are staged.
    const content = (index: number): Uint8Array => {
      if (index === kit.contents.length - 1) mkdirSync(join(root, "made"));
      return kit.contents[index]!;
    };
    expect(commit(prepared, content)).not.toBe("ok");
    rmSync(join(root, "made"), { recursive: true });
    expect(readTree(root)).toEqual(before);
  });

  test("several changes in one commit are stale together when one file has moved on", () => {
    const prepared = several();
    put("b.txt", "theirs\n");
    const before = readTree(root);
    expect(commit(prepared)).toBe("stale");
    expect(readTree(root)).toEqual(before);
  });
});

test.skipIf(FLOCK.isMissing)(
  "another process that holds the directory makes it busy, and is never run over",
  async () => {
    put("a.txt", "a\n");
    const prepared = prepare(write("a.txt", "b\n"));
    await using _holder = await holdElsewhere(root);
    using clock = new TestClock({ stepMs: 100 });
    expect(commit(prepared)).toBe("busy");
    // It has tried again and again, for no more than eight seconds of this clock.
    expect(clock.looks).toBeGreaterThan(10);
    expect(clock.looks).toBeLessThan(80);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a\n");
  },
);

test("a directory on the way that became a link is not followed to somewhere else", () => {
  mkdirSync(join(root, "dir"));
  mkdirSync(join(root, "other"));
  put("dir/a.txt", "a\n");
  put("other/a.txt", "a\n");
  const prepared = prepare(write("dir/a.txt", "b\n"), write("dir/new.txt", "n\n"));
  renameSync(join(root, "dir"), join(root, "was"));
  symlinkSync("other", join(root, "dir"));
  expect(commit(prepared)).toBe("stale");
  expect(readFileSync(join(root, "other/a.txt"), "utf8")).toBe("a\n");
  rmSync(join(root, "dir"));
  symlinkSync(join(top, "outside"), join(root, "dir"));
  expect(commit(prepared)).not.toBe("ok");
  expect(readdirSync(join(top, "outside"))).toEqual([]);
});

test("replacing keeps the mode and makes a new inode; in place keeps the inode", () => {
  put("a.txt", "old\n");
  const { ino } = statSync(join(root, "a.txt"));
  expect(commit(prepare(write("a.txt", "new\n")))).toBe("ok");
  expect(statSync(join(root, "a.txt")).ino).not.toBe(ino);
  const now = statSync(join(root, "a.txt")).ino;
  const edits = [{ oldText: "new", newText: "newer" }];
  expect(commit(prepare({ op: "edit", path: "a.txt", edits, inPlace: true }))).toBe("ok");
  expect(statSync(join(root, "a.txt")).ino).toBe(now);
  expect(readdirSync(root)).toEqual(["a.txt"]);
});
