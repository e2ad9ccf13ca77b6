/**
 * A file that is only moved, copied or removed is not read when that would take long, or when nobody may: its size, times
 * and inode say whether it is the one that was shown, and an undo asks for the same.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import type { Change } from "../../src/txn/index.ts";
import { bytesRead } from "../waits/bytes-read.ts";
import { fileClockTicks } from "../waits/file-clock.ts";
import { TransactionKit } from "./transaction-kit.ts";
import { undoLast } from "./undo-last.ts";

/** The size of a sparse file, which takes no blocks on the disk. */
const BIG_BYTES: number = 6 * 1024 * 1024 * 1024;
/** More than the journal and all other reads take, and far less than any real part of the file. */
const FEW_BYTES: number = 1024 * 1024;

let kit: TransactionKit;
let big = "";
beforeEach(() => {
  kit = new TransactionKit();
  big = join(kit.root, "big");
  kit.put("big", "");
  truncateSync(big, BIG_BYTES);
});
afterEach(() => kit[Symbol.dispose]());

const relocate = (op: "move" | "copy", source: string, destination: string): Change => ({
  op,
  source,
  destination,
  overwrite: true,
  recursive: false,
});
const moveBig: Change = relocate("move", "big", "there");
const removeBig: Change = { op: "delete", path: "big", recursive: false };
const replaceBig: Change = relocate("move", "small", "big");

describe("a file of 6 GB", () => {
  test.each<[string, Change[]]>([
    ["moved", [moveBig]],
    ["deleted", [removeBig]],
    ["replaced by a move", [replaceBig]],
    ["moved twice", [moveBig, relocate("move", "there", "on")]],
    ["moved and deleted", [moveBig, { op: "delete", path: "there", recursive: false }]],
  ])("a large object is %s and brought back without being read", async (_what, set) => {
    kit.put("small", "small\n");
    const { ino } = statSync(big);
    const read = await bytesRead(() => {
      expect(kit.commit(kit.prepare(...set))).toBe("ok");
      expect(undoLast(kit)).toBe("ok");
    });
    expect(read).toBeLessThan(FEW_BYTES);
    expect([statSync(big).ino, statSync(big).size]).toEqual([ino, BIG_BYTES]);
  });

  test("two names of it go in one change", () => {
    linkSync(big, join(kit.root, "also"));
    const prepared = kit.prepare(removeBig, { op: "delete", path: "also", recursive: false });
    expect(kit.commit(prepared)).toBe("ok");
    expect(undoLast(kit)).toBe("ok");
    expect(statSync(big).nlink).toBe(2);
  });

  const touches: readonly (readonly [string, (path: string) => void])[] = [
    ["was written to", (path) => appendFileSync(path, "more")],
    [
      "was written to at the same length and time",
      (path) => {
        const fd = openSync(path, "r+");
        writeSync(fd, "other");
        closeSync(fd);
        utimesSync(path, 1000, 1000);
      },
    ],
  ];
  test.each(touches)("a file of 6 GB is not moved or deleted when it %s since", async (_what, touch) => {
    for (const change of [moveBig, removeBig]) {
      utimesSync(big, 1000, 1000);
      const prepared = kit.prepare(change);
      await fileClockTicks(big, kit.top);
      touch(big);
      expect(kit.commit(prepared)).toBe("stale");
    }
  });

  test("a file of 6 GB stays where it was moved to when it was written to since, and may have got a second name", () => {
    expect(kit.commit(kit.prepare(moveBig))).toBe("ok");
    const there = join(kit.root, "there");
    linkSync(there, join(kit.root, "second"));
    const move = kit.transaction;
    appendFileSync(there, "more");
    expect(undoLast(kit)).toBe("stale");
    truncateSync(there, BIG_BYTES);
    expect(undoLast(kit)).toBe("stale");
    expect(kit.stores.history.get(move).undoneBy).toBeUndefined();
  });

  test("a file of 6 GB is brought back from where it has a second name", async () => {
    expect(kit.commit(kit.prepare(moveBig))).toBe("ok");
    await fileClockTicks(join(kit.root, "there"), kit.top);
    linkSync(join(kit.root, "there"), join(kit.root, "second"));
    expect(undoLast(kit)).toBe("ok");
    expect(statSync(big).nlink).toBe(2);
  });
});

test("a small file may be touched: its content counts", () => {
  kit.put("small", "small\n");
  const prepared = kit.prepare(relocate("move", "small", "there"));
  utimesSync(join(kit.root, "small"), 1, 1);
  expect(kit.commit(prepared)).toBe("ok");
  utimesSync(join(kit.root, "there"), 2, 2);
  expect(undoLast(kit)).toBe("ok");
  expect(readFileSync(join(kit.root, "small"), "utf8")).toBe("small\n");
});

/** Root may read everything, so this one runs as somebody else. */
const AS_OTHER: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];

/** @returns what it prints. @throws what it says when it fails */
function runAsOther(script: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...AS_OTHER, process.execPath, "-e", script], {
    env: { ...process.env, TMPDIR: "/tmp" },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

/** Not where they may not enter the checkout. */
function canRunAsOther(): boolean {
  if (process.platform === "win32" || (AS_OTHER.length > 0 && component("setpriv").isMissing)) return false;
  const checkout = join(import.meta.dir, "transaction-kit.ts");
  const trial = [...AS_OTHER, "test", "-r", checkout, "-a", "-x", process.execPath];
  return Bun.spawnSync(trial, { stderr: "ignore" }).exitCode === 0;
}

test.skipIf(!canRunAsOther())(`a file that its owner may not read goes too${component("setpriv").note}`, () => {
  const script = `
    import { chmodSync, statSync } from "node:fs";
    import { bytesRead } from "../waits/bytes-read.ts";
import { fileClockTicks } from "../waits/file-clock.ts";
import { TransactionKit } from ${JSON.stringify(join(import.meta.dir, "transaction-kit.ts"))};
    import { undoLast } from ${JSON.stringify(join(import.meta.dir, "undo-last.ts"))};
    using kit = new TransactionKit();
    kit.put("shut", "shut\\n");
    chmodSync(kit.root + "/shut", 0);
    const said = [];
    for (const change of [
      { op: "move", source: "shut", destination: "there", overwrite: false, recursive: false },
      { op: "delete", path: "shut", recursive: false },
    ]) {
      said.push(kit.commit(kit.prepare(change)), undoLast(kit), statSync(kit.root + "/shut").size);
    }
    console.log(JSON.stringify(said));`;
  expect(JSON.parse(runAsOther(script))).toEqual(["ok", "ok", 5, "ok", "ok", 5]);
});
