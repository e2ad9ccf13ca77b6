/**
 * The pages of a list are one listing, cut: whatever names there are, whether they are read again for each page or come
 * from the names that were kept, and whatever is written into the files between two pages.
 */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { showName } from "../../src/scope/index.ts";
import { nameFromBytes, fsName, type DirectoryEntry } from "../../src/sys/index.ts";
import { type ListAnswer, listDirectory } from "../../src/search/index.ts";
import { OrderedNames, readToKeep } from "../../src/search/list-level.ts";
import { sortByName } from "../../src/search/walk/name-order.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { fc } from "../property.ts";
import { makeTree, type Tree } from "./make-tree.ts";
import { TestClock } from "../waits/test-clock.ts";

const TYPES = ["file", "directory", "symlink", "fifo", "socket", "device", "unknown"] as const;
const name = fc
  .tuple(fc.constantFrom("", "", ".", "deny-"), fc.string({ unit: "binary", minLength: 1, maxLength: 4 }))
  .map(([head, rest]) => head + rest.replaceAll(/[/\0]/g, "x"));
const entry = fc.record<DirectoryEntry>({ name, type: fc.constantFrom(...TYPES) });
const isDenied = (one: string): boolean => one.startsWith("deny-");

test("pages of a list in the order of names have the counts of a look at each of them", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(entry, { selector: (one) => one.name, maxLength: 40 }),
      fc.constantFrom(1, 30, 60),
      name,
      fc.boolean(),
      fc.integer({ min: 1, max: 700 }),
      (some, times, after, hidden, limit) => {
        // More than a block of them.
        const many = Array.from({ length: times }, (_, at) =>
          some.map((one) => ({ ...one, name: at === 0 ? one.name : `${one.name}${at}` })),
        ).flat();
        const sorted = sortByName([...new Map(many.map((one) => [one.name, one])).values()]);
        const left = sorted.filter((one) => Buffer.compare(bytesOf(one.name), bytesOf(after)) > 0);
        const open = left.filter((one) => !isDenied(one.name));
        const shown = open.filter((one) => hidden || !one.name.startsWith("."));
        const answer = new OrderedNames(sorted, isDenied).pageAfter({ hidden, limit, after });
        const countOf = (...types: string[]): number => shown.filter(({ type }) => types.includes(type)).length;
        expect(answer.page).toEqual(shown.slice(0, limit));
        expect(answer.seen).toBe(shown.length);
        expect(answer.skipped.totals()).toMatchObject({
          files: countOf("file"),
          directories: countOf("directory"),
          links: countOf("symlink"),
          special: countOf("fifo", "socket", "device", "unknown"),
          hidden: open.length - shown.length,
          denied: left.length - open.length,
        });
      },
    ),
  );
});

const FILES = 2100;
const LONG_MS: number = 24 * 60 * 60_000;

function nameOf(at: number): string {
  return `${at % 7 === 0 ? "." : ""}f${at}${at % 2 === 0 ? "" : "é"}`;
}

/** Every kind of name that a listing meets, and enough of them to be kept. */
function makeMany(): Tree {
  const names = Array.from({ length: FILES }, (_, at) => `d/${nameOf(at)}`);
  const tree = makeTree(
    {
      ...Object.fromEntries(names.map((one) => [one, ""])),
      "d/dir/x": "",
      "d/日本": null,
      "d/no.secret": "",
    },
    ["**/*.secret"],
    memoryFolder(),
  );
  const top = join(tree.path, "d");
  symlinkSync("f1", join(top, "link"));
  expect(spawnSync("mkfifo", [join(top, "pipe")]).status).toBe(0);
  writeFileSync(fsName(`${top}/bad\udcff`), "");
  return tree;
}

test("every page shows what its files are like when it is asked for, with kept names and without", async () => {
  using tree = makeMany();
  const top = join(tree.path, "d");
  // Only a directory that was not just changed is kept.
  using clock = new TestClock({ nowMs: Date.now() + LONG_MS });
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.integer({ min: 97, max: 1000 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(fc.nat(FILES - 1), fc.nat(5000), fc.nat(2e9)), { maxLength: 50 }),
      async (hidden, limits, changes) => {
        const shown: string[] = [];
        let next: ListAnswer["next"];
        do {
          for (const [at, size, time] of changes) changeFile(top, at, size, time + shown.length);
          const limit = limits[shown.length % limits.length] ?? 1000;
          const cursor = next === undefined ? undefined : String(next["cursor"]);
          const page = await listDirectory(tree.ctx, { path: "d", hidden, limit, cursor });
          expect(page).toMatchObject(pageOfModel(top, { hidden, limit, skip: shown.length }));
          expect(page.tree_changed).toBeUndefined();
          shown.push(...page.entries.map(({ path }) => path));
          next = page.next;
        } while (next !== undefined);
      },
    ),
    { numRuns: 12 },
  );
  using directory = tree.ctx.scope.openDirectory(tree.ctx.scope.locate("d", "list"), "list");
  expect(readToKeep(tree.ctx.scope, directory, directory.at)).toBeInstanceOf(OrderedNames);
  // From here on it is read again for each page, and that it changed is said once.
  const first = await listDirectory(tree.ctx, { path: "d", limit: 10 });
  writeFileSync(join(top, "f1x"), "new");
  clock.setNow(Math.ceil(statSync(top).ctimeMs));
  const second = await listDirectory(tree.ctx, {
    path: "d",
    limit: 1000,
    cursor: String(first.next?.["cursor"]),
  });
  expect(second).toMatchObject({
    ...pageOfModel(top, { hidden: true, limit: 1000, skip: 10 }),
    tree_changed: true,
  });
  expect(Array.isArray(readToKeep(tree.ctx.scope, directory, directory.at))).toBe(true);
});

/** Changes the size and the time of a file, which leaves the times of its directory as they are. */
function changeFile(top: string, at: number, size: number, seconds: number): void {
  const path = join(top, nameOf(at));
  truncateSync(path, size);
  utimesSync(path, seconds, seconds);
}

/** The directory as it is now, by other means. */
function pageOfModel(top: string, { hidden, limit, skip }: { hidden: boolean; limit: number; skip: number }): object {
  const all = readdirSync(top, { encoding: "buffer" })
    .sort((a, b) => Buffer.compare(a, b))
    .map(nameFromBytes)
    .filter((one) => !one.endsWith(".secret") && (hidden || !one.startsWith(".")));
  const left = all.slice(skip);
  const entries = left.slice(0, limit).map((one) => {
    const stat = lstatSync(fsName(`${top}/${one}`));
    return {
      path: showName(`d/${one}`),
      type: stat.isFile() ? "file" : stat.isDirectory() ? "directory" : stat.isFIFO() ? "fifo" : "symlink",
      size: stat.size,
      mtime: new Date(Math.trunc(stat.mtimeMs)).toISOString(),
    };
  });
  return { entries, truncated: left.length > limit, totals: { entries: left.length } };
}

function bytesOf(one: string): Buffer {
  return Buffer.from(fsName(one));
}
