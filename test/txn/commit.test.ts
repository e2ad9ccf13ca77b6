/**
 * Applying, where it can go wrong: another process's lock, a failing step, a directory that was swapped. A failing commit
 * leaves every byte and no stray name; a good one is seen old or new, never half.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { commitChanges, sealChanges, type Change, type Sealed } from "../../src/txn/index.ts";
import { readTree } from "../host/file-tree.ts";

let top: string;
let root: string;
let scope: Scope;
const contents: Uint8Array[] = [];

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-txn-")));
  root = join(top, "root");
  for (const path of ["root", "outside", "undo"]) mkdirSync(join(top, path));
  scope = new Scope({ roots: [{ path: root, readOnly: false }] });
  contents.length = 0;
});

afterEach(() => {
  scope[Symbol.dispose]();
  rmSync(top, { recursive: true, force: true });
});

const keep = (bytes: Uint8Array): number => contents.push(bytes) - 1;

function seal(...changes: readonly Change[]): Sealed {
  return sealChanges({ changes }, { scope, cancel: NEVER_CANCELLED, progress: () => undefined, keep });
}

function commit(sealed: Sealed, content = (index: number): Uint8Array => contents[index]!): string {
  try {
    const undoFolder = (name: string): string => {
      mkdirSync(join(top, "undo", name), { recursive: true });
      return join(top, "undo", name);
    };
    commitChanges(sealed, { scope, cancel: NEVER_CANCELLED, content, undoFolder });
    return "ok";
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    return "bug";
  }
}

const write = (path: string, content: string): Change => ({ op: "write", path, content, overwrite: true });
const put = (path: string, content: string): void => writeFileSync(join(root, path), content);

const several = (): Sealed =>
  seal(
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

  test("are all there", () => {
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

  test("or none is, whichever step fails", () => {
    const before = readTree(root);
    for (let failing = 0; failing < 3; failing++) {
      contents.length = 0;
      const sealed = several();
      const content = (index: number): Uint8Array => {
        if (index === failing) throw new Error("the disk is on fire");
        return contents[index]!;
      };
      expect(commit(sealed, content)).toBe("bug");
      expect(readTree(root)).toEqual(before);
    }
  });

  test("or none is when the last step finds its name taken", () => {
    const sealed = several();
    const before = readTree(root);
    // The check comes first, so the name must appear after it: while the contents are staged.
    const content = (index: number): Uint8Array => {
      if (index === contents.length - 1) mkdirSync(join(root, "made"));
      return contents[index]!;
    };
    expect(commit(sealed, content)).not.toBe("ok");
    rmSync(join(root, "made"), { recursive: true });
    expect(readTree(root)).toEqual(before);
  });

  test("are stale together when one file has moved on", () => {
    const sealed = several();
    put("b.txt", "theirs\n");
    const before = readTree(root);
    expect(commit(sealed)).toBe("stale");
    expect(readTree(root)).toEqual(before);
  });
});

test("two changes of one place are refused when they are sealed", () => {
  put("a.txt", "a\n");
  expect(() => seal(write("a.txt", "1"), write("./a.txt", "2"))).toThrow("two of them touch");
  expect(() =>
    seal(write("n/x", "1"), { op: "delete", path: "a.txt", recursive: false }, write("n", "2")),
  ).toThrow();
});

test("another process that holds the directory makes it busy, and is never run over", () => {
  put("a.txt", "a\n");
  if (!Bun.which("flock")) return;
  const holder = Bun.spawn(["flock", root, "sleep", "20"]);
  try {
    Bun.sleepSync(200);
    const started = performance.now();
    expect(commit(seal(write("a.txt", "b\n")))).toBe("busy");
    expect(performance.now() - started).toBeLessThan(8000);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a\n");
  } finally {
    holder.kill();
  }
}, 20_000);

test("a directory on the way that became a link is not followed to somewhere else", () => {
  mkdirSync(join(root, "dir"));
  mkdirSync(join(root, "other"));
  put("dir/a.txt", "a\n");
  put("other/a.txt", "a\n");
  const sealed = seal(write("dir/a.txt", "b\n"), write("dir/new.txt", "n\n"));
  renameSync(join(root, "dir"), join(root, "was"));
  symlinkSync("other", join(root, "dir"));
  expect(commit(sealed)).toBe("stale");
  expect(readFileSync(join(root, "other/a.txt"), "utf8")).toBe("a\n");
  rmSync(join(root, "dir"));
  symlinkSync(join(top, "outside"), join(root, "dir"));
  expect(commit(sealed)).not.toBe("ok");
  expect(readdirSync(join(top, "outside"))).toEqual([]);
});

test("replacing keeps the mode and makes a new inode; in place keeps the inode", () => {
  put("a.txt", "old\n");
  const { ino } = statSync(join(root, "a.txt"));
  expect(commit(seal(write("a.txt", "new\n")))).toBe("ok");
  expect(statSync(join(root, "a.txt")).ino).not.toBe(ino);
  const now = statSync(join(root, "a.txt")).ino;
  const edits = [{ oldText: "new", newText: "newer" }];
  expect(commit(seal({ op: "edit", path: "a.txt", edits, inPlace: true }))).toBe("ok");
  expect(statSync(join(root, "a.txt")).ino).toBe(now);
  expect(readdirSync(root)).toEqual(["a.txt"]);
});
