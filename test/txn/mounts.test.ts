/**
 * Mounts: a rename goes from none to another, also where both show one device, as the volumes of a container do. A move is
 * a copy then, what is removed is kept as a copy, and what cannot be kept is said before.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { canMount } from "../components/can-mount.ts";
import { limits } from "../../src/base/index.ts";
import type { Change } from "../../src/txn/index.ts";
import { readTree } from "../host/file-tree.ts";
import { attributeOf, setAttribute } from "./file-attributes.ts";
import { TransactionKit, write } from "./transaction-kit.ts";
import { undoLast } from "./undo-last.ts";

/** What is mounted as `vol` in the root: another directory of the same device, or another file system. */
const MOUNTS: readonly (readonly [string, (at: string, other: string) => string[]])[] = [
  ["a bind mount of the same device", (at, other) => ["mount", "--bind", other, at]],
  ["another file system", (at) => ["mount", "-t", "tmpfs", "tmpfs", at]],
];

const move = (source: string, destination: string, overwrite = false): Change => ({
  op: "move",
  source,
  destination,
  overwrite,
  recursive: true,
});
const remove = (path: string): Change => ({ op: "delete", path, recursive: true });

/** What is not content, of the tree with hard links. */
const look = (tree: string): unknown => {
  const [file, directory, other] = [`${tree}/a`, `${tree}/sub`, `${tree}/sub/also-a`].map((path) => statSync(path));
  return {
    file: [file?.uid, file?.gid, file?.mode],
    directory: [directory?.uid, directory?.gid, directory?.mode],
    times: ["a", "sub", "link"].map((name) => lstatSync(`${tree}/${name}`, { bigint: true }).mtimeNs),
    links: [file?.nlink, file?.ino === other?.ino],
    attribute: attributeOf(`${tree}/a`, "user.origin")?.toString(),
  };
};

describe.skipIf(!canMount()).each(MOUNTS)("on %s", (kind, command) => {
  let kit: TransactionKit;
  let volume = "";
  beforeEach(() => {
    kit = new TransactionKit();
    volume = join(kit.root, "vol");
    mkdirSync(volume);
    const other = join(kit.top, "other");
    mkdirSync(other);
    const { exitCode, stderr } = Bun.spawnSync(command(volume, other));
    if (exitCode !== 0) throw new Error(stderr.toString());
    mkdirSync(join(volume, "tree/sub"), { recursive: true });
    kit.put("vol/tree/a", "a\n");
    kit.put("vol/tree/sub/b", "b\n");
    symlinkSync("a", join(volume, "tree/link"));
    kit.put("vol/f", "f\n");
    kit.put("here", "here\n");
  });
  afterEach(() => {
    Bun.spawnSync(["umount", "--lazy", volume]);
    kit[Symbol.dispose]();
  });

  const changes: readonly (readonly [string, Change[]])[] = [
    ["a file that is moved there", [move("here", "vol/there")]],
    ["a file that is moved from there", [move("vol/f", "g")]],
    ["a tree that is moved from there", [move("vol/tree", "tree")]],
    ["one that is moved over another there", [move("here", "vol/f", true)]],
    ["a file that is deleted there", [remove("vol/f")]],
    ["a tree that is deleted there", [remove("vol/tree")]],
    ["a file that is replaced there", [write("vol/f", "new\n")]],
    ["a replaced file in a tree that is deleted then", [write("vol/tree/a", "new\n"), remove("vol/tree")]],
    ["a tree that is moved, and moved on", [move("vol/tree", "t"), move("t", "vol/u"), remove("vol/u/a")]],
  ];
  test.each(changes)("a change across mounts is done, leaves nothing beside, and is undone: %s", (_what, set) => {
    const before = readTree(kit.root);
    const prepared = kit.prepare(...set);
    expect(kit.commit(prepared)).toBe("ok");
    expect(readTree(kit.root)).not.toEqual(before);
    const names = readdirSync(kit.root, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => name.includes(".ringfence_"))).toEqual([]);
    expect(prepared.warnings.join(" ")).not.toContain("cannot be brought back");
    expect(undoLast(kit)).toBe("ok");
    expect(readTree(kit.root)).toEqual(before);
  });

  test.each([
    ["vol/f", "vol/f"],
    ["vol/tree", "vol/tree/a"],
  ])("what somebody writes into %s while it is copied from there is not lost", (source, saved) => {
    const before = readTree(kit.root);
    const prepared = kit.prepare(move(source, "moved"), write("z", "z\n"));
    let calls = 0;
    const outcome = kit.commit(prepared, (index) => {
      // The second time it is staged, after the copy.
      if (++calls === 2) appendFileSync(join(kit.root, saved), "more\n");
      return kit.contents[index] ?? new Uint8Array();
    });
    expect([calls, outcome]).toEqual([2, "stale"]);
    expect(readFileSync(join(kit.root, saved), "utf8")).toEndWith("\nmore\n");
    expect(Object.keys(readTree(kit.root)).toSorted()).toEqual(Object.keys(before).toSorted());
  });

  test("a move and an undo keep owner, mode, attributes, times and hard links", () => {
    const [a, sub] = [join(volume, "tree/a"), join(volume, "tree/sub")];
    linkSync(a, join(sub, "also-a"));
    setAttribute(a, "user.origin", Buffer.from("somewhere"));
    chownSync(a, 12_345, 23_456);
    chmodSync(a, 0o6750);
    chownSync(sub, 12_346, 23_457);
    chmodSync(sub, 0o2711);
    const before = look(join(volume, "tree"));
    expect(kit.commit(kit.prepare(move("vol/tree", "tree")))).toBe("ok");
    expect(look(join(kit.root, "tree"))).toEqual(before);
    expect(undoLast(kit)).toBe("ok");
    expect(look(join(volume, "tree"))).toEqual(before);
    expect(kit.commit(kit.prepare(remove("vol/tree")))).toBe("ok");
    expect(undoLast(kit)).toBe("ok");
    expect(look(join(volume, "tree"))).toEqual(before);
  });

  test("what is too large to be kept is said before, and nothing else is", () => {
    kit.put("vol/big", "");
    truncateSync(join(volume, "big"), limits.MAX_KEPT_COPY_BYTES + 1);
    for (const change of [remove("vol/big"), move("here", "vol/big", true)])
      expect(kit.prepare(change).warnings.join(" ")).toContain("cannot be brought back");
    expect(kit.commit(kit.prepare(remove("vol/big")))).toBe("ok");
    expect(undoLast(kit)).toBe("conflict");
    expect(kit.prepare(remove("vol/f")).warnings).toEqual([]);
  });

  test("a move there says that it is a copy, and what it splits", () => {
    linkSync(join(kit.root, "here"), join(kit.root, "here2"));
    const warnings = kit.prepare(move("here", "vol/there")).warnings.join(" ");
    expect(warnings).toContain("It goes to another mount");
    expect(warnings).toContain("2 names share this file");
    expect(warnings.includes("cannot hold")).toBe(kind === "another file system");
    expect(kit.prepare(move("here", "there")).warnings).toEqual([]);
  });

  test("a FIFO is not moved there, and said to be lost by a delete", () => {
    Bun.spawnSync(["mkfifo", join(volume, "tree/pipe")]);
    expect(() => kit.prepare(move("vol/tree", "tree"))).toThrow('it holds "pipe", which cannot be copied');
    expect(kit.prepare(remove("vol/tree")).warnings.join(" ")).toContain('does not bring them back: "pipe"');
    expect(kit.commit(kit.prepare(remove("vol/tree")))).toBe("ok");
  });

  test("what is mounted is neither moved nor deleted with the directory above it", () => {
    mkdirSync(join(kit.root, "above/deep point"), { recursive: true });
    const point = join(kit.root, "above/deep point");
    Bun.spawnSync(["mount", "--bind", join(volume, "tree"), point]);
    try {
      for (const change of [remove("above"), move("above", "b"), remove("above/deep point"), remove("vol")])
        expect(() => kit.prepare(change)).toThrow("something is mounted");
    } finally {
      Bun.spawnSync(["umount", "--lazy", point]);
    }
    expect(readFileSync(join(volume, "tree/a"), "utf8")).toBe("a\n");
    expect(kit.commit(kit.prepare(remove("above")))).toBe("ok");
  });
});
