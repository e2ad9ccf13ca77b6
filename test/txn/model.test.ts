/**
 * Random change sets on random trees, against the model: what is committed is what the model says, and undone it is what
 * was before, to the last mode and link. Bytes that changed since are never undone. fast-check prints the seed.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { candidates, choose, lay, start } from "./model-changes.ts";
import { inOrder, scanTree } from "./model-tree.ts";
import { TransactionKit } from "./transaction-kit.ts";
import { undoLast } from "./undo-last.ts";

const RUNS = Number(process.env["RUNS"] ?? 150);

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit(memoryFolder());
});
afterEach(() => kit[Symbol.dispose]());

test("a set is made as the model says, undone, and the undo undone", () => {
  let longest = 0;
  fc.assert(
    fc.property(start, candidates, (from, given) => {
      const before = lay(kit.root, from);
      const { changes, tree } = choose(before, given);
      const prepared = kit.prepare(...changes);
      if (prepared.steps.length === 0) return;
      longest = Math.max(longest, prepared.steps.length);
      expect(kit.commit(prepared)).toBe("ok");
      expect(inOrder(scanTree(kit.root))).toEqual(inOrder(tree));
      const done = kit.transaction;
      expect(undoLast(kit)).toBe("ok");
      expect(inOrder(scanTree(kit.root))).toEqual(inOrder(before));
      expect(undoLast(kit)).toBe("ok");
      expect(inOrder(scanTree(kit.root))).toEqual(inOrder(tree));
      expect(kit.transaction).not.toBe(done);
      expect(readdirSync(kit.stores.journal)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  // Sets of nothing hold too.
  expect(longest).toBeGreaterThan(6);
});

test("an undo takes nothing away that was written after it", () => {
  let refused = 0;
  fc.assert(
    fc.property(start, candidates, fc.nat(), (from, given, which) => {
      const { changes } = choose(lay(kit.root, from), given);
      const prepared = kit.prepare(...changes);
      if (prepared.steps.length === 0 || kit.commit(prepared) !== "ok") return;
      const files = filesOf(kit.root);
      const path = files[which % files.length];
      if (path === undefined) return;
      writeFileSync(join(kit.root, path), "written after it\n");
      const now = scanTree(kit.root);
      if (undoLast(kit) === "ok") {
        // Then it did not touch the file: it stands where it stood, or went along with a directory.
        const texts = [...scanTree(kit.root).values()].map((entry) => (entry.kind === "file" ? entry.text : ""));
        expect(texts).toContain("written after it\n");
      } else {
        refused++;
        expect(inOrder(scanTree(kit.root))).toEqual(inOrder(now));
      }
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(RUNS / 10);
});

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => lstatSync(join(root, path)).isFile())
    .sort();
}
