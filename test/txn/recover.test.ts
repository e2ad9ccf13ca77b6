/**
 * Recovery of commits that died somewhere on their way: the tree is wholly old or wholly new, nothing is left of the
 * transaction, and what came to its commit point can be undone. What somebody else wrote meanwhile is never taken away.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import { tryLock } from "../../src/state/index.ts";
import { encodeRecord } from "../../src/state/journal.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { readTree } from "../host/file-tree.ts";
import { TestClock } from "../waits/test-clock.ts";
import { commitUntil } from "./crash-point.ts";
import { candidates, choose, lay, start } from "./model-changes.ts";
import { inOrder, scanTree } from "./model-tree.ts";
import { TransactionKit, write } from "./transaction-kit.ts";
import { undoLast } from "./undo-last.ts";

const RUNS = Number(process.env["RUNS"] ?? 300);
const MOST_STEPS = 120;

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit(memoryFolder());
});
afterEach(() => kit[Symbol.dispose]());

const recover = (): string[] => kit.recover();

test("a commit that dies anywhere is recovered to all or nothing", () => {
  const seen = { taken_back: 0, finished: 0 };
  fc.assert(
    fc.property(start, candidates, fc.nat(MOST_STEPS), (from, given, nth) => {
      const before = lay(kit.root, from);
      const { changes, tree } = choose(before, given);
      const prepared = kit.prepare(...changes);
      if (prepared.steps.length === 0) return;
      const isDead = commitUntil(kit, prepared, nth);
      expect(recover()).toEqual([isDead ? "taken_back" : "finished"]);
      seen[isDead ? "taken_back" : "finished"]++;
      expect(inOrder(scanTree(kit.root))).toEqual(inOrder(isDead ? before : tree));
      expect(readdirSync(kit.stores.journal)).toEqual([]);
      expect(recover()).toEqual([]);
      expect(kit.stores.history.list().some(({ transaction }) => transaction === kit.transaction)).toBe(!isDead);
      if (isDead) return;
      expect(undoLast(kit)).toBe("ok");
      expect(inOrder(scanTree(kit.root))).toEqual(inOrder(before));
    }),
    { numRuns: RUNS },
  );
  expect(seen.taken_back).toBeGreaterThan(RUNS / 10);
  expect(seen.finished).toBeGreaterThan(RUNS / 10);
});

const two = (): ReturnType<TransactionKit["prepare"]> => kit.prepare(write("a", "new a\n"), write("b", "new b\n"));

/** Dies with the first of its two acts done. */
function dieHalfway(): void {
  for (const name of ["a", "b"]) writeFileSync(join(kit.root, name), `old ${name}\n`);
  for (let nth = 0; nth < MOST_STEPS; nth++) {
    commitUntil(kit, two(), nth);
    if (readFileSync(join(kit.root, "a"), "utf8") === "new a\n") return;
    recover();
  }
  throw new Error("it never came to its first act");
}

test("what somebody wrote into the new file meanwhile stays, and the old content is kept", () => {
  dieHalfway();
  expect(readFileSync(join(kit.root, "b"), "utf8")).toBe("old b\n");
  writeFileSync(join(kit.root, "a"), "theirs\n");
  expect(recover()).toEqual(["taken_back"]);
  expect(readFileSync(join(kit.root, "a"), "utf8")).toBe("theirs\n");
  const [record] = kit.stores.history.list();
  expect(record?.conflict).toBe(true);
  expect(undoLast(kit)).toBe("conflict");
  expect(readFileSync(kit.stores.history.objectOf(kit.transaction, 0), "utf8")).toBe("old a\n");
});

test("a journal whose owner lives is left alone, and one of an unreachable root waits", () => {
  dieHalfway();
  const moved = `${kit.root}-moved`;
  renameSync(kit.root, moved);
  expect(recover()).toEqual([]);
  expect(readdirSync(kit.stores.journal).length).toBe(1);
  renameSync(moved, kit.root);
  expect(recover()).toEqual(["taken_back"]);
  expect(readFileSync(join(kit.root, "a"), "utf8")).toBe("old a\n");
});

test("another directory at the path of the root is not touched", () => {
  dieHalfway();
  rmSync(kit.root, { recursive: true });
  lay(join(kit.top, "outside"), { files: [], hasLink: false });
  renameSync(join(kit.top, "outside"), kit.root);
  writeFileSync(join(kit.root, "a"), "new a\n");
  expect(recover()).toEqual([]);
  expect(readFileSync(join(kit.root, "a"), "utf8")).toBe("new a\n");
});

test("after a restart of the machine the root is known again, though its device has another number", () => {
  dieHalfway();
  const [name = ""] = readdirSync(kit.stores.journal);
  const path = join(kit.stores.journal, name);
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  const otherDevice = lines.map((line) =>
    line.slice(line.indexOf("\t") + 1).replaceAll(/"dev":"\d+"/g, '"dev":"4711"'),
  );
  writeFileSync(path, otherDevice.map((text) => encodeRecord(JSON.parse(text) as object)).join(""));
  expect(recover()).toEqual(["taken_back"]);
  expect(readFileSync(join(kit.root, "a"), "utf8")).toBe("old a\n");
  expect(kit.stores.history.list()).toEqual([]);
});

test("a journal that tells nothing goes", () => {
  writeFileSync(join(kit.stores.journal, "t_torn.journal"), '00000000\t{"kind":"begin"');
  expect(recover()).toEqual([]);
  expect(existsSync(join(kit.stores.journal, "t_torn.journal"))).toBe(false);
});

test("what a host had begun that died meanwhile is taken back before its directory is moved away", () => {
  mkdirSync(join(kit.root, "d"));
  for (const path of ["d/a.txt", "d/b.txt"]) kit.put(path, "old\n");
  const moves = kit.prepare({ op: "move", source: "d", destination: "e", overwrite: false, recursive: false });
  const seen = new Set<string>();
  for (let nth = 0; commitUntil(kit, kit.prepare(write("d/a.txt", "new\n"), write("d/b.txt", "new\n")), nth); nth++) {
    seen.add(JSON.stringify(readTree(kit.root)));
    expect([nth, kit.commit(moves)]).toEqual([nth, "ok"]);
    expect([nth, readTree(kit.root)]).toEqual([nth, { "e/a.txt": "old\n", "e/b.txt": "old\n" }]);
    expect(readdirSync(kit.stores.journal)).toEqual([]);
    renameSync(join(kit.root, "e"), join(kit.root, "d"));
  }
  // In some of them one file was new already.
  expect(seen.size).toBeGreaterThan(2);
});

/** As another host that is about to recover it, or one that is dying, holds it. */
function holdJournal(): Disposable {
  const [name = ""] = readdirSync(kit.stores.journal);
  const fd = openSync(join(kit.stores.journal, name), "r");
  expect(tryLock(fd)).toBe(true);
  return { [Symbol.dispose]: () => closeSync(fd) };
}

/** @returns a move of the directory in which a host has died since */
function dieInDirectory(): ReturnType<TransactionKit["prepare"]> {
  mkdirSync(join(kit.root, "d"));
  for (const path of ["d/a.txt", "d/b.txt"]) kit.put(path, "old\n");
  const moves = kit.prepare({ op: "move", source: "d", destination: "e", overwrite: false, recursive: false });
  const prepared = kit.prepare(write("d/a.txt", "new\n"), write("d/b.txt", "new\n"));
  for (let nth = 0; commitUntil(kit, prepared, nth) && readTree(kit.root)["d/a.txt"] !== "new\n"; nth++) kit.recover();
  expect(readTree(kit.root)).toMatchObject({ "d/a.txt": "new\n", "d/b.txt": "old\n" });
  return moves;
}

test.skipIf(process.platform === "win32")(
  "a change waits while somebody else has the journal of what lies in its way",
  () => {
    const moves = dieInDirectory();
    const other = holdJournal();
    let isHeld = true;
    const onLook = (looks: number): void => {
      if (looks !== 5) return;
      expect(existsSync(join(kit.root, "e"))).toBe(false);
      other[Symbol.dispose]();
      isHeld = false;
    };
    using _clock = new TestClock({ stepMs: 10, onLook });
    expect(kit.commit(moves)).toBe("ok");
    expect([isHeld, readTree(kit.root)]).toEqual([false, { "e/a.txt": "old\n", "e/b.txt": "old\n" }]);
    expect(readdirSync(kit.stores.journal)).toEqual([]);
  },
);

test.skipIf(process.platform === "win32")(
  "a change is busy where the journal in its way is never let go, and goes on elsewhere",
  () => {
    const moves = dieInDirectory();
    mkdirSync(join(kit.root, "f"));
    const elsewhere = kit.prepare(write("f/new.txt", "new\n"));
    using _other = holdJournal();
    using clock = new TestClock({ stepMs: 100 });
    expect(kit.commit(moves)).toBe("busy");
    const { looks } = clock;
    expect(kit.commit(elsewhere)).toBe("ok");
    expect(clock.looks - looks).toBeLessThan(looks);
    expect(existsSync(join(kit.root, "e"))).toBe(false);
  },
);
