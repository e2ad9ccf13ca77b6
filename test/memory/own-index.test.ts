/**
 * Projects with one state folder: each folder of notes, and each choice of documents, has an index of its own, so what one
 * project has never stands in an answer of another.
 */
import { expect, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { layFiles } from "../host/file-tree.ts";
import { layNotes, openMemoryHost, search } from "./memory-host.ts";

test("the index of one project has nothing of another project on the same state folder, in a short time as well", async () => {
  const memory = { folder: "notes", sources: ["*.md"] };
  await using host = await openMemoryHost({
    memory,
    files: { "notes/plan.md": "The zebra launch is ours.\n", "readme.md": "zebra, readme\n" },
    config: { budgets: { call: { wall_ms: 2500 } } },
  });
  layFiles(host.outside, { "notes/plan.md": "The zebra launch is theirs.\n", "their.md": "zebra, their readme\n" });
  await using other = await openMemoryHost({ memory, top: host.top, config: { roots: [host.outside] } });
  expect((await search(other, "zebra launch", { limit: 50 })).text).toContain("theirs");
  for (let round = 0; round < 2; round++) {
    const { text, places } = await search(host, "zebra launch", { limit: 50 });
    expect(places.toSorted()).toEqual([join(host.root, "readme.md"), "plan"]);
    expect(text).toContain("ours");
    expect(text).not.toContain("their");
  }
  expect((await search(other, "zebra launch", { limit: 50 })).text).not.toContain("ours");
});

test("the notes of projects without a folder of their own are shared, and the documents of each are its own", async () => {
  const memory = { sources: ["*.md"] };
  await using host = await openMemoryHost({ memory, files: { "readme.md": "zebra, ours\n" } });
  layFiles(host.outside, { "their.md": "zebra, theirs\n" });
  layNotes(host, { plan: "zebra, shared" });
  await using other = await openMemoryHost({ memory, top: host.top, config: { roots: [host.outside] } });
  expect((await search(host, "zebra")).places.toSorted()).toEqual([join(host.root, "readme.md"), "plan"]);
  expect((await search(other, "zebra")).places.toSorted()).toEqual([join(host.outside, "their.md"), "plan"]);
});

test("an index of all projects, as there once was, goes, and so does one that was not used for a month", async () => {
  await using host = await openMemoryHost();
  const folder = join(host.stateDir, "memory-index");
  layFiles(folder, {
    "index.sqlite": "old",
    "index.sqlite-wal": "old",
    "0a/index.sqlite": "",
    "0b/index.sqlite": "",
  });
  utimesSync(join(folder, "0a"), 1e9, 1e9);
  layNotes(host, { a: "apples" });
  expect((await search(host, "apples")).places).toEqual(["a"]);
  const left = readdirSync(folder);
  expect(left).toContain("0b");
  expect(left).toHaveLength(2);
  expect(left.filter((name) => name === "0a" || name.startsWith("index"))).toEqual([]);
});
