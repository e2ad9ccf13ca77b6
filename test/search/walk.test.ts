/**
 * The walk: inside only, no loops, everything left out counted, deterministic, continued exactly. Seen through glob,
 * which gives every file it finds.
 */
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import { glob, grep, listDirectory } from "../../src/search/index.ts";
import { allPages, makeTree, plant } from "./make-tree.ts";

test("a walk follows no link out and no loop, and reports them", async () => {
  using outside = makeTree({ "secret.txt": "x" });
  using tree = makeTree({
    "a/file.txt": "1",
    "a/loop": { link: ".." },
    out: { link: outside.path },
    "out-file": { link: join(outside.path, "secret.txt") },
    self: { link: "self" },
  });
  const answer = await glob(tree.ctx, { pattern: "**/*", sort: "name" });
  expect(answer.paths).toEqual(["a/file.txt"]);
  expect(answer.totals.links).toBe(4);
});

test("a walk that follows links goes through those inside the root, once, and not out", async () => {
  using outside = makeTree({ "secret.txt": "needle" });
  using tree = makeTree({
    "a/file.txt": "needle",
    "a/loop": { link: ".." },
    "b/into": { link: "../a" },
    "b/out": { link: outside.path },
    "linked.txt": { link: "a/file.txt" },
  });
  const answer = await grep(tree.ctx, { pattern: "needle", output: "files", follow: true });
  expect(answer.paths).toEqual(["a/file.txt", "b/into/file.txt", "linked.txt"]);
  expect(answer.totals.links).toBe(1);
});

test("the rules in a directory that a link leads to hold there too; rules that are links themselves do not", async () => {
  using tree = makeTree({
    "a/.rgignore": "no.txt\n!.shown\n",
    "a/no.txt": "x",
    "a/yes.txt": "x",
    "a/.shown": "x",
    "b/.ignore": { link: "../a/.rgignore" },
    "b/no.txt": "x",
    into: { link: "a" },
  });
  const answer = await grep(tree.ctx, { pattern: "x", output: "files", follow: true });
  expect(answer.paths).toEqual(["a/.shown", "a/yes.txt", "b/no.txt", "into/.shown", "into/yes.txt"]);
  expect(answer.totals.unreadable).toBe(1);
});

test("a walk leaves out FIFOs without waiting, also as ignore files", async () => {
  using tree = makeTree({ "a.txt": "needle", "sub/b.txt": "needle" });
  for (const name of ["pipe", ".ignore", "sub/.gitignore"]) execFileSync("mkfifo", [join(tree.path, name)]);
  const answer = await grep(tree.ctx, { pattern: "needle", output: "files" });
  expect(answer.paths).toEqual(["a.txt", "sub/b.txt"]);
  expect(answer.totals).toMatchObject({ special: 1, unreadable: 2 });
});

test.skipIf(process.getuid?.() === 0)("a walk counts an unreadable directory and goes on", async () => {
  using tree = makeTree({ "a.txt": "", "locked/b.txt": "", "z.txt": "" });
  chmodSync(join(tree.path, "locked"), 0);
  const answer = await glob(tree.ctx, { pattern: "**/*", sort: "name" });
  chmodSync(join(tree.path, "locked"), 0o700);
  expect(answer.paths).toEqual(["a.txt", "z.txt"]);
  expect(answer.totals.unreadable).toBe(1);
});

test("denied names are counted and never shown, whatever the call", async () => {
  using tree = makeTree({ "a.txt": "needle", "keys/id": "needle", "sub/keys/id": "needle", "b.key": "needle" }, [
    "**/keys",
    "*.key",
  ]);
  expect((await glob(tree.ctx, { pattern: "**/*", hidden: true, no_ignore: true })).paths).toEqual(["a.txt"]);
  expect(
    (await grep(tree.ctx, { pattern: "needle", output: "files", include: ["*.key", "id", "a.txt"] })).paths,
  ).toEqual(["a.txt"]);
  const list = await listDirectory(tree.ctx, { recursive: true });
  expect(list.entries.map(({ path }) => path)).toEqual(["a.txt", "sub"]);
  expect(list.totals.denied).toBe(3);
});

test("a walk gives names in byte order, and a directory's content right after it", async () => {
  using tree = makeTree({ "a/z": "", "a.b": "", "a-b": "", "\u{1f600}": "", "\uffee": "", B: "" });
  expect((await listDirectory(tree.ctx, { recursive: true })).entries.map(({ path }) => path)).toEqual([
    "B",
    "a",
    "a/z",
    "a-b",
    "a.b",
    "\uffee",
    "\u{1f600}",
  ]);
});

test("names that are not UTF-8 or hold a line feed are shown escaped and found again", async () => {
  using tree = makeTree({ "two\nlines.txt": "needle" });
  writeFileSync(Buffer.concat([Buffer.from(`${tree.path}/bad-`), Buffer.from([0xff])]), "needle");
  mkdirSync(Buffer.concat([Buffer.from(`${tree.path}/dir-`), Buffer.from([0xfe])]));
  writeFileSync(
    Buffer.concat([Buffer.from(`${tree.path}/dir-`), Buffer.from([0xfe]), Buffer.from("/in.txt")]),
    "needle",
  );
  const answer = await grep(tree.ctx, { pattern: "needle", output: "files" });
  expect(answer.paths).toEqual(["bytes:bad-%FF", "bytes:dir-%FE/in.txt", "bytes:two%0Alines.txt"]);
  for (const path of answer.paths ?? [])
    expect((await grep(tree.ctx, { pattern: "needle", path, output: "count" })).counts).toEqual([{ path, count: 1 }]);
});

test("a very deep tree neither overflows nor fails", async () => {
  using tree = makeTree({ "top.txt": "" });
  // Longer than PATH_MAX; made from below, name by name.
  execFileSync(
    "sh",
    [
      "-c",
      "for i in $(seq 1 60); do mkdir -p dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd && cd -P d*; done; echo x > deep.txt",
    ],
    { cwd: tree.path },
  );
  const answer = await glob(tree.ctx, { pattern: "**/*" });
  expect(answer.paths).toContain("top.txt");
  execFileSync("rm", ["-rf", tree.path]);
});

test("a running search ends when it is told to, with what it has", async () => {
  const spec = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`d${at % 7}/f${at}.txt`, "needle\n"]));
  using tree = makeTree(spec);
  let asked = 0;
  const ctx = tree.withCancel({ state: () => (asked++ > 40 ? "timed_out" : "none") });
  const answer = await grep(ctx, { pattern: "needle", output: "files" });
  expect(answer).toMatchObject({ stopped_by: "timed_out", truncated: true, totals: { at_least: true } });
  expect(answer.paths?.length).toBeGreaterThan(10);
  const rest = await grep(tree.ctx, {
    pattern: "needle",
    output: "files",
    cursor: String(answer.next?.["cursor"]),
  });
  expect([...(answer.paths ?? []), ...(rest.paths ?? [])].length).toBe(600);
});

test("pages put together are the whole, whatever the tree and the page size", async () => {
  const name = fc.constantFrom("a", "b", "a.b", "a-b", "B", "é", "\u{1f600}", ".h");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
  await fc.assert(
    fc.asyncProperty(fc.array(path, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (paths, limit) => {
      using tree = makeTree({});
      for (const [at, file] of paths.entries()) {
        try {
          plant(tree.path, { [file]: "x".repeat(at % 3) });
        } catch {
          // A file stands where a directory should; another tree is as good.
        }
      }
      for (const sort of ["name", "size"] as const) {
        const whole = await listDirectory(tree.ctx, { recursive: true, hidden: true, sort });
        const pages = await allPages((cursor) =>
          listDirectory(tree.ctx, { recursive: true, hidden: true, sort, limit, cursor }),
        );
        expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries);
      }
      for (const sort of ["name", "mtime"] as const) {
        const whole = await glob(tree.ctx, { pattern: "**/*", hidden: true, sort });
        const pages = await allPages(
          async (cursor) => await glob(tree.ctx, { pattern: "**/*", hidden: true, sort, limit, cursor }),
        );
        expect(pages.flatMap(({ paths: found }) => found)).toEqual(whole.paths);
      }
    }),
    { numRuns: 60 },
  );
});
