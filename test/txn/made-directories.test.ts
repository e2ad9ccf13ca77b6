/**
 * Directories that a commit makes and that somebody else makes at the same time: theirs is never taken away, also not
 * while it is empty, and a commit that died takes its own away.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "../../src/state/index.ts";
import type { Change, PreparedChanges } from "../../src/txn/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { readTree } from "../host/file-tree.ts";
import { TestClock } from "../waits/test-clock.ts";
import { commitUntil } from "./crash-point.ts";
import { FLOCK, holdElsewhere } from "./hold-elsewhere.ts";
import { TransactionKit, write } from "./transaction-kit.ts";

let kit: TransactionKit;
beforeEach(() => {
  kit = new TransactionKit(memoryFolder());
});
afterEach(() => kit[Symbol.dispose]());

const inRoot = (path: string): string => join(kit.root, path);
const makes: readonly [what: string, path: string, prepare: () => PreparedChanges][] = [
  ["parents of a new file", "deep", () => kit.prepare(write("deep/er/new.txt", "new\n"))],
  [
    "a directory among others",
    "made",
    () => kit.prepare({ op: "create_directory", path: "made" }, write("b.txt", "b\n")),
  ],
  ["a single directory", "made", () => kit.prepare({ op: "create_directory", path: "made" })],
];

/** Every way to die, with what is done after it and what the recovery must leave. */
function dieEverywhere(prepare: () => PreparedChanges, after: () => boolean, path: string): Set<string> {
  const seen = new Set<string>();
  for (let nth = 0; commitUntil(kit, prepare(), nth); nth++) {
    const wasThere = existsSync(inRoot(path));
    const isTheirs = after();
    kit.recover();
    expect([nth, wasThere, readTree(kit.root)]).toEqual([
      nth,
      wasThere,
      isTheirs ? { [path]: { directory: true } } : {},
    ]);
    seen.add(`${wasThere} ${isTheirs}`);
    rmSync(inRoot(path), { recursive: true, force: true });
    expect(readdirSync(kit.stores.journal)).toEqual([]);
  }
  return seen;
}

test.each(makes)("a directory that somebody made after the crash stays, and ours goes: %s", (_what, path, prepare) => {
  const makeIfMissing = (): boolean => {
    if (existsSync(inRoot(path))) return false;
    mkdirSync(inRoot(path));
    return true;
  };
  const seen = dieEverywhere(prepare, makeIfMissing, path);
  expect(seen.has("false true")).toBe(true);
});

test("a parent directory that somebody put in the place of ours stays", () => {
  const seen = dieEverywhere(() => kit.prepare(write("deep/er/new.txt", "new\n")), replaceOurs, "deep");
  expect(seen).toEqual(new Set(["false false", "true true"]));
});

function replaceOurs(): boolean {
  if (!existsSync(inRoot("deep/er"))) return false;
  rmSync(inRoot("deep"), { recursive: true });
  mkdirSync(inRoot("deep"));
  return true;
}

/** Somebody makes the directory in the moment in which the commit first uses a name for its own. */
function withSomebody(name: RegExp, path: string): void {
  const { scope } = kit;
  const watched = new Proxy(scope, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        const [at] = given as readonly [{ readonly rel: string }];
        // Whether it is denied is asked of every place, also of one below a held handle.
        const isNow = key === "denies" && name.test(at.rel);
        if (isNow && !existsSync(inRoot(path))) mkdirSync(inRoot(path));
        return Reflect.apply(value, target, given);
      };
    },
  });
  Object.assign(kit, { scope: watched });
}

test("one that somebody makes meanwhile makes the change stale, and stays; then it is used", () => {
  const prepared = kit.prepare(write("deep/er/new.txt", "new\n"), write("other/new.txt", "new\n"));
  withSomebody(/parent\.tmp$/, "deep");
  expect(kit.commit(prepared)).toBe("stale");
  expect(readTree(kit.root)).toEqual({ deep: { directory: true } });
  expect(kit.commit(prepared)).toBe("ok");
  expect(readTree(kit.root)).toEqual({ "deep/er/new.txt": "new\n", "other/new.txt": "new\n" });
});

test("a directory of the change set that is there already makes it stale, and stays", () => {
  const prepared = kit.prepare(write("a.txt", "a\n"), { op: "create_directory", path: "made" });
  withSomebody(/staged\.tmp$/, "made");
  expect(kit.commit(prepared)).toBe("stale");
  expect(readTree(kit.root)).toEqual({ made: { directory: true } });
});

test("what is kept before a late act is flushed before the act", () => {
  mkdirSync(inRoot("tree"));
  kit.put("tree/x.txt", "old\n");
  const changes = kit.prepare(
    { op: "copy", source: "tree", destination: "twin", overwrite: false, recursive: true },
    write("twin/x.txt", "new\n"),
  );
  const { history } = kit.stores;
  const flush = history.flush.bind(history);
  const seen: unknown[] = [];
  history.flush = (durability) => {
    flush(durability);
    seen.push(readTree(kit.root)["twin/x.txt"]);
  };
  expect(kit.commit(changes)).toBe("ok");
  expect(seen).toEqual([undefined, "old\n"]);
  expect(readTree(kit.root)["twin/x.txt"]).toBe("new\n");
});

const lockedWhileMade: readonly [what: string, prepare: () => PreparedChanges, directories: readonly string[]][] = [
  ["parents of a new file", () => kit.prepare(write("deep/er/new.txt", "new\n")), ["deep", "deep/er"]],
  [
    "a directory into which a later step writes",
    () => kit.prepare({ op: "create_directory", path: "made" }, write("made/new.txt", "new\n")),
    ["made"],
  ],
  [
    "a tree that is copied",
    () => {
      mkdirSync(inRoot("from/sub"), { recursive: true });
      kit.put("from/sub/a.txt", "a\n");
      return kit.prepare(
        { op: "copy", source: "from", destination: "to", overwrite: false, recursive: true },
        write("to/new.txt", "new\n"),
      );
    },
    ["to", "to/sub"],
  ],
];

test.skipIf(process.platform === "win32").each(lockedWhileMade)(
  "no other host comes into a directory that a change has made before it is over: %s",
  (_what, prepare, directories) => {
    const seen = new Set<boolean>();
    // The content is asked for when the plan is made, and when it is written.
    const content = (index: number): Uint8Array => {
      for (const path of directories.filter((one) => existsSync(inRoot(one)))) seen.add(isLocked(inRoot(path)));
      return kit.contents[index] ?? new Uint8Array();
    };
    expect(kit.commit(prepare(), content)).toBe("ok");
    expect(seen).toEqual(new Set([true]));
    for (const path of directories) expect(isLocked(inRoot(path))).toBe(false);
  },
);

function isLocked(directory: string): boolean {
  const fd = openSync(directory, "r");
  try {
    return !tryLock(fd);
  } finally {
    closeSync(fd);
  }
}

const ofTrees: readonly [what: string, change: Change][] = [
  ["taken away", { op: "delete", path: "tree", recursive: true }],
  ["copied", { op: "copy", source: "tree", destination: "twin", overwrite: false, recursive: true }],
];

test.skipIf(FLOCK.isMissing).each(ofTrees)(
  `a tree is not %s while somebody works in it${FLOCK.note}`,
  async (_what, change) => {
    mkdirSync(inRoot("tree/sub"), { recursive: true });
    kit.put("tree/sub/x.txt", "x\n");
    await using _holder = await holdElsewhere(inRoot("tree/sub"));
    using _clock = new TestClock({ stepMs: 100 });
    expect(kit.commit(kit.prepare(change))).toBe("busy");
    expect(readTree(kit.root)).toEqual({ "tree/sub/x.txt": "x\n" });
  },
);

/** By another open of this process: locks belong to the open file. */
function hold(directory: string): Disposable {
  const fd = openSync(directory, "r");
  expect(tryLock(fd)).toBe(true);
  return { [Symbol.dispose]: () => closeSync(fd) };
}

test.skipIf(process.platform === "win32")(
  "a change that waited for a directory that was replaced waits for the new one too",
  () => {
    mkdirSync(inRoot("d"));
    kit.put("d/a.txt", "a\n");
    mkdirSync(inRoot("new"));
    kit.put("new/a.txt", "a\n");
    const prepared = kit.prepare(write("d/a.txt", "b\n"));
    const first = hold(inRoot("d"));
    using _second = hold(inRoot("new"));
    // While the commit waits for the one, the other comes in its place.
    const onLook = (looks: number): void => {
      if (looks !== 5) return;
      renameSync(inRoot("d"), inRoot("was"));
      renameSync(inRoot("new"), inRoot("d"));
      first[Symbol.dispose]();
    };
    using clock = new TestClock({ stepMs: 100, onLook });
    expect(kit.commit(prepared)).toBe("busy");
    expect(clock.looks).toBeGreaterThan(10);
    expect(readTree(kit.root)).toEqual({ "d/a.txt": "a\n", "was/a.txt": "a\n" });
  },
);
