/**
 * A host dies in a change, and another one that has not noticed takes away or copies a tree in which something of that change
 * lies. It finds what lies there half made first: nothing of a temporary name comes along, where no journal would know of it.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../../src/txn/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { clearFolder } from "../scope/path-cases.ts";
import { commitUntil } from "./crash-point.ts";
import { TransactionKit, write } from "./transaction-kit.ts";

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit(memoryFolder());
});
afterEach(() => kit[Symbol.dispose]());

interface Case {
  readonly what: string;
  /** What the first host dies in. */
  readonly dying: readonly Change[];
  /** The tree with which the other one does something as soon as it is there. */
  readonly tree: string;
  readonly op: "copy" | "move";
}

const between = (op: "copy" | "move", source: string, destination: string): Change =>
  op === "copy"
    ? { op, source, destination, overwrite: false, recursive: true }
    : { op, source, destination, overwrite: false, recursive: false };
const writesBelow = (path: string): Change[] => [write(`${path}/a.txt`, "new a\n"), write(`${path}/b.txt`, "new b\n")];

const cases: readonly Case[] = [
  { what: "copies the directory", dying: writesBelow("d/from"), tree: "d/from", op: "copy" },
  { what: "copies a directory above", dying: writesBelow("d/from/sub"), tree: "d/from", op: "copy" },
  { what: "moves a directory that the change made", dying: writesBelow("d/s/t"), tree: "d/s/t", op: "move" },
  {
    what: "moves one of a tree that the change copied",
    dying: [between("copy", "d/from", "d/twin"), ...writesBelow("d/twin/sub")],
    tree: "d/twin/sub",
    op: "move",
  },
  {
    what: "moves one of a tree that the change moved",
    dying: [between("move", "d/from", "d/to"), ...writesBelow("d/to/sub")],
    tree: "d/to/sub",
    op: "move",
  },
  {
    what: "moves one of a tree that the change copies",
    dying: [...writesBelow("d/from/sub"), between("copy", "d/from", "d/twin")],
    tree: "d/from/sub",
    op: "move",
  },
];

test.skipIf(process.platform === "win32").each(cases.map((one) => [one.what, one] as const))(
  "nothing half made goes along when another host %s",
  (_what, { dying, tree, op }) => {
    let tries = 0;
    for (let nth = 0; ; nth++) {
      lay();
      const isDead = commitUntil(kit, kit.prepare(...dying), nth);
      const other = existsSync(join(kit.root, tree)) ? kit.prepare(between(op, tree, "e")) : undefined;
      if (other) tries++;
      // What was half made may have been what it was to take.
      if (other) expect([nth, kit.commit(other)]).toEqual([nth, expect.stringMatching(/^(?:ok|stale|not_found)$/)]);
      kit.recover();
      expect([nth, leftOver()]).toEqual([nth, []]);
      expect(readdirSync(kit.stores.journal)).toEqual([]);
      if (!isDead) break;
    }
    expect(tries).toBeGreaterThan(2);
  },
);

function lay(): void {
  clearFolder(kit.root);
  mkdirSync(join(kit.root, "d/from/sub"), { recursive: true });
  for (const path of ["d/from/a.txt", "d/from/sub/a.txt"]) kit.put(path, "old\n");
}

/** Temporary names that are left, wherever they went. */
function leftOver(): string[] {
  const names = readdirSync(kit.root, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.includes(".ringfence_"));
}
