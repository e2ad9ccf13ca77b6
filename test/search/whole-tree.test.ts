/**
 * Searches of a whole tree in parts: whoever does them, and in whatever order their answers come, the answer is that of
 * one worker alone.
 */
import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fc } from "../property.ts";
import { Failure, limits, NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { answerPart, diskUsage, glob, listDirectory, type SearchContext } from "../../src/search/index.ts";
import { NewestFound, type NewestPlace } from "../../src/search/glob.ts";
import { LevelEntry } from "../../src/search/walk/read-level.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { allPages, makeTree, type Tree } from "./make-tree.ts";

type Share = NonNullable<SearchContext["share"]>;

const DENY: readonly string[] = ["**/denied"];
const NAMES: readonly string[] = ["a", "b", "a.b", "é", ".h", "denied", "x.o"];
const SEED: fc.Arbitrary<number[]> = fc.array(fc.nat(1000), { minLength: 20, maxLength: 20 });

/** Large enough to be cut into several parts; times, names and hard links as the numbers say. */
function plantLarge({ path }: Tree, numbers: readonly number[]): void {
  const number = (at: number): number => numbers[at % numbers.length] ?? 0;
  const name = (at: number): string => NAMES[number(at) % NAMES.length] ?? "a";
  const files: string[] = [];
  for (let at = 0; at < 70; at++) {
    const directory = join(path, `d${at % 9}`, name(at), `e${at % 5}`, name(at + 7));
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < 28 + (number(at) % 16); file++) {
      const one = join(directory, `${name(at + file)}-${file}`);
      writeFileSync(one, "x".repeat(number(file) % 50));
      utimesSync(one, 1000, 1000 + (number(at + file) % 3) - 1500);
      files.push(one);
    }
  }
  mkdirSync(join(path, ".git"));
  writeFileSync(join(path, ".gitignore"), ".*\n*.o\n/d1/*/e2\n*-3\n*~\n");
  for (let at = 0; at < 9; at++) {
    const below = dirname(files[(number(at) * 7) % files.length] ?? "");
    for (const directory of [join(path, `d${at}`), dirname(below), below])
      writeFileSync(join(directory, ".gitignore"), `${number(at) % 2 === 0 ? "!" : ""}*-${number(at) % 5}\n`);
  }
  for (let at = 0; at < 12; at++) {
    const from = files[(number(at) * 31) % files.length] ?? "";
    linkSync(from, join(dirname(files[(number(at) * 17) % files.length] ?? ""), `link${at}`));
  }
}

class Other implements Disposable {
  readonly scope: Scope;
  parts = 0;

  constructor({ path }: Tree) {
    this.scope = new Scope({ roots: [{ path, readOnly: true }], deny: DENY });
  }

  readonly share: Share = async (name, input) => {
    this.parts++;
    const ctx = {
      scope: this.scope,
      cancel: NEVER_CANCELLED,
      progress: () => {},
      skip: limits.SKIPPED_DIRECTORIES,
    };
    return await answerPart(ctx, name.slice("part:".length), input);
  };

  [Symbol.dispose](): void {
    this.scope[Symbol.dispose]();
  }
}

/** Whatever else is to be done comes first, so many times: the search goes on with its own part meanwhile. */
async function somethingElse(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}

const refuse: Share = () => Promise.reject(new Failure("denied", "Cannot do it"));

/** What is asked; every answer in full. */
async function answers(ctx: SearchContext): Promise<unknown> {
  const newest = { pattern: "**/*", limit: 100 };
  const first = await glob(ctx, newest);
  return [
    first,
    first.next && (await glob(ctx, { ...newest, cursor: String(first.next["cursor"]) })),
    await glob(ctx, { pattern: "d{1,2,3}/**/*-1*", hidden: true, no_ignore: true }),
    await glob(ctx, { pattern: "**/a*", path: "d3", exclude: ["*-2"] }),
    await diskUsage(ctx, {}),
    await diskUsage(ctx, { depth: 3, limit: 50 }),
    await diskUsage(ctx, { depth: 20, path: "d2" }),
  ];
}

/** As the list of the same tree has them, which walks it in order and alone. */
async function listed(ctx: SearchContext): Promise<string[]> {
  const options = { recursive: true, sort: "mtime", hidden: true, no_ignore: true } as const;
  const pages = await allPages((cursor) => listDirectory(ctx, { ...options, cursor }));
  return pages.flatMap(({ entries }) => entries.filter(({ type }) => type === "file").map((one) => one.path));
}

describe("in parts", () => {
  test("a search of which another worker does all, some or none, later or at once, gives the same answer", async () => {
    await fc.assert(
      fc.asyncProperty(SEED, fc.array(fc.nat(3), { minLength: 1, maxLength: 9 }), async (numbers, moods) => {
        using tree = makeTree({}, DENY, memoryFolder());
        plantLarge(tree, numbers);
        using other = new Other(tree);
        const alone = await answers(tree.ctx);
        let asked = 0;
        const share: Share = async (name, input) => {
          const mood = moods[asked++ % moods.length];
          if (mood === 0) return undefined;
          if (mood === 1) await somethingElse();
          const answer = other.share(name, input);
          if (mood === 2) await somethingElse(7);
          return await answer;
        };
        expect(await answers({ ...tree.ctx, share })).toEqual(alone);
        expect(asked).toBeGreaterThan(0);
        const newest = { pattern: "**/*", hidden: true, no_ignore: true };
        const pages = await allPages((cursor) => glob({ ...tree.ctx, share }, { ...newest, cursor, limit: 150 }));
        expect(pages.flatMap(({ paths }) => paths)).toEqual(await listed(tree.ctx));
        if (moods.some((mood) => mood > 0)) expect(other.parts).toBeGreaterThan(0);
      }),
      { numRuns: 8 },
    );
  });

  test("what a part throws is thrown", () => {
    using tree = makeTree({}, DENY, memoryFolder());
    plantLarge(tree, [1, 2, 3]);
    expect(diskUsage({ ...tree.ctx, share: refuse }, {})).rejects.toThrow("Cannot do it");
  });

  test("a small tree is not given away", async () => {
    using tree = makeTree({ "a/b/c": "", "d/e": "" });
    const { paths } = await glob({ ...tree.ctx, share: refuse }, { pattern: "**/*" });
    expect(paths.toSorted()).toEqual(["a/b/c", "d/e"]);
  });
});

test("the rules of every directory above hold in each part, the deeper ones first", async () => {
  using tree = makeTree(
    { ".git/HEAD": "", ".gitignore": "*.log\nb*\n", "big/.gitignore": "!*.log\n*.o\n" },
    DENY,
    memoryFolder(),
  );
  for (let at = 0; at < 90; at++) {
    mkdirSync(join(tree.path, `big/d${at % 3}/${at}`), { recursive: true });
    for (const name of ["a.log", "b.txt", "c.o"])
      for (let file = 0; file < 10; file++) writeFileSync(join(tree.path, `big/d${at % 3}/${at}/${file}${name}`), "");
    writeFileSync(join(tree.path, `big/d${at % 3}/${at}/b`), "");
  }
  writeFileSync(join(tree.path, ".gitignore"), "*.log\nb\n");
  using other = new Other(tree);
  const { totals } = await glob({ ...tree.ctx, share: other.share }, { pattern: "**/*" });
  expect(other.parts).toBeGreaterThan(1);
  // Of the ignored one is `.git` itself.
  expect([totals.paths, totals.ignored]).toEqual([90 * 20, 90 * 11 + 1]);
});

test("the newest of many are found, in whatever order their directories come", () => {
  using tree = makeTree({});
  const at = tree.ctx.scope.locate(".", "read");
  const files = fc.array(fc.tuple(fc.nat(40), fc.nat(2)), { minLength: 1300, maxLength: 1600 });
  fc.assert(
    fc.property(files, fc.integer({ min: 1, max: 5 }), (given, limit) => {
      const found = new NewestFound(limit, undefined);
      const all = given.map(([directory, mtimeMs], name): NewestPlace => {
        const entry = new LevelEntry(at, `d${directory}`, `f${name}`, "file");
        entry.stat = { mode: 0, size: 0, blocks: 0, nlink: 1, mtimeMs, identity: "" };
        found.visit([entry], `d${directory}`);
        return { rel: entry.rel, mtimeMs };
      });
      all.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.rel < b.rel ? -1 : 1));
      expect(found.take().map(({ rel }) => rel)).toEqual(all.slice(0, limit).map(({ rel }) => rel));
      expect(found.seen).toBe(given.length);
    }),
    { numRuns: 20 },
  );
});

test("a file with several names counts under the first in the upper levels, or else the first by path", async () => {
  using tree = makeTree({ "a/p/q/deep": "12345", "b/p/other": "", "c/p/q/deep": "123", "b/p/q/more": "1" });
  linkSync(join(tree.path, "a/p/q/deep"), join(tree.path, "b/upper"));
  linkSync(join(tree.path, "c/p/q/deep"), join(tree.path, "b/p/q/again"));
  const { children, bytes } = await diskUsage(tree.ctx, {});
  expect(bytes).toBe(9);
  expect(children.map(({ path, bytes: own, files }) => [path, own, files])).toEqual([
    ["b", 9, 4],
    ["a", 0, 0],
    ["c", 0, 0],
  ]);
  const deeper = await diskUsage(tree.ctx, { depth: 4 });
  expect(deeper.children.slice(0, 2).map(({ path, bytes: own }) => [path, own])).toEqual([
    ["a", 5],
    ["a/p", 5],
  ]);
});

test("a search that is stopped has what it saw, and says so", async () => {
  using tree = makeTree({}, DENY, memoryFolder());
  plantLarge(tree, [5, 6, 7]);
  const whole = await diskUsage(tree.ctx, {});
  let asked = 0;
  const stopped = tree.withCancel({ state: () => (asked++ > 40 ? "timed_out" : "none") });
  const answer = await diskUsage(stopped, {});
  expect(answer).toMatchObject({ stopped_by: "timed_out", truncated: true, totals: { at_least: true } });
  expect(answer.files).toBeGreaterThan(0);
  expect(answer.files).toBeLessThan(whole.files);
});

test("an ignore file that cannot be read is counted once, however many parts there are", async () => {
  using tree = makeTree({}, DENY, memoryFolder());
  plantLarge(tree, [1, 2, 1, 8, 9]);
  mkdirSync(join(tree.path, ".rgignore"));
  using other = new Other(tree);
  const { totals } = await glob({ ...tree.ctx, share: other.share }, { pattern: "**/*" });
  expect(other.parts).toBeGreaterThan(0);
  expect(totals.unreadable).toBe(1);
});
