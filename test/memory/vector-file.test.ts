/**
 * The file with the vectors beside the index: whatever happens to it, answers are those of before; what another host writes is
 * found by meaning too, and what is gone is not.
 */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { layFiles } from "../host/file-tree.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";
import { openMemoryHost } from "./memory-host.ts";
import { cosine, layWordModel, WORDS } from "./word-model.ts";

async function answerTo(host: TestHost, query: string, limit = 20): Promise<string> {
  return (await host.call("memory_search", { query, limit })).all;
}

async function whole(host: TestHost): Promise<void> {
  await until("all vectors", async () => (await answerTo(host, "w1")).includes("By meaning: on]"));
}

function onlyFile(host: TestHost, name = /vectors-[^/]*$/): string {
  const folder = join(host.stateDir, "memory-index");
  const [file, ...others] = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((one) => name.test(one));
  expect(others).toEqual([]);
  return join(folder, file ?? "none");
}

const indexFile = (host: TestHost): string => onlyFile(host, /index\.sqlite$/);

describe("the file of the vectors", () => {
  test("the file is made again when it is deleted, cut, overwritten or of another index, and answers are the same", async () => {
    await using place = await openMemoryHost();
    const memory = { embedder: { file: layWordModel(place.top) } };
    await using host = await openMemoryHost({ top: place.top, memory });
    layFiles(
      join(host.stateDir, "memory"),
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`n${at}.md`, `w${at} w${(at * 7) % WORDS}\n`])),
    );
    await whole(host);
    const questions = ["w3", "w150 w151", "w299"];
    const answers = async (by: TestHost): Promise<string[]> =>
      await Promise.all(questions.map(async (query) => await answerTo(by, query)));
    const before = await answers(host);
    expect(before.join("\n")).toContain("(meaning)");
    const kept = readFileSync(onlyFile(host));
    const harms: readonly ((file: string) => void)[] = [
      (file) => rmSync(file),
      (file) => truncateSync(file, 0),
      (file) => truncateSync(file, 5),
      (file) => truncateSync(file, Math.floor(kept.length / 2) + 3),
      (file) => writeFileSync(file, "this has never been a file of vectors, and is none"),
      (file) => writeFileSync(file, Buffer.from(kept).fill(0, 2000, 6096)),
      (file) => writeFileSync(file, Buffer.from(kept).fill(0x41, 100)),
      // Rows that no index of this size has: too many, and too new.
      (file) => writeFileSync(file, Buffer.concat([kept, kept.subarray(16), kept.subarray(16)])),
      (file) => writeFileSync(file, numbered(kept, 1e9)),
    ];
    for (const [at, harm] of harms.entries()) {
      harm(onlyFile(host));
      expect([at, await answers(host)]).toEqual([at, before]);
      expect([at, readFileSync(onlyFile(host)).equals(kept)]).toEqual([at, true]);
      harm(onlyFile(host));
      await using other = await openMemoryHost({ top: host.top, memory });
      expect([at, await answers(other)]).toEqual([at, before]);
    }
    rmSync(join(host.stateDir, "memory-index"), { recursive: true });
    await whole(host);
    expect(await answers(host)).toEqual(before);
    // The index alone: its vectors are another file, and those of the old one go.
    rmSync(indexFile(host));
    await whole(host);
    expect(await answers(host)).toEqual(before);
    onlyFile(host);
    host.log();
  });

  test("the file follows what two hosts write and delete, and what is gone takes no place of what is there", async () => {
    await using place = await openMemoryHost();
    const memory = { embedder: { file: layWordModel(place.top) } };
    await using host = await openMemoryHost({ top: place.top, memory });
    await using other = await openMemoryHost({ top: place.top, memory });
    await host.call("memory_write", { namespace: "mine", content: "w5" });
    expect(await answerTo(other, "w5")).toContain("mine:2  (words and meaning");
    for (let round = 0; round < 30; round++) {
      // Each host has a note with one entry: the one before is gone.
      const [by, namespace] = round % 2 === 0 ? [host, "first"] : [other, "second"];
      await by.call("memory_write", { namespace, content: `w${round} w9`, mode: "replace" });
      const found = await answerTo(round % 3 === 0 ? host : other, `w${round}`, 3);
      expect(found).toContain(`${namespace}:2`);
      expect(found).toContain("By meaning: on]");
    }
    const [size, rows] = [readFileSync(onlyFile(host)).length, 31];
    expect(size).toBe(16 + rows * (16 + 24));
    layFiles(
      join(host.stateDir, "memory"),
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`gone/n${at}.md`, `w${at}\n`])),
    );
    await whole(host);
    rmSync(join(host.stateDir, "memory", "gone"), { recursive: true });
    expect(await answerTo(host, "w7", 2)).not.toContain("gone");
    // With so many gone it began anew.
    expect(readFileSync(onlyFile(host)).length).toBe(16 + 3 * (16 + 24));
  });
});

/** More than a search by meaning ever looked at, all of them nearer to the question than anything else. */
const NEARER = 410;
const byNearness = Array.from({ length: WORDS }, (_, at) => at).sort((a, b) => cosine(7, b) - cosine(7, a));

test("hundreds of nearer entries that have gone take no place of what is there", async () => {
  await using place = await openMemoryHost();
  const memory = { embedder: { file: layWordModel(place.top) } };
  await using host = await openMemoryHost({ top: place.top, memory });
  // So many are left that the file does not begin anew.
  const left = byNearness.slice(1).flatMap((word) => [word, word, word, word]);
  layFiles(join(host.stateDir, "memory"), {
    ...Object.fromEntries(left.map((word, at) => [`left${at}.md`, `w${word}\n`])),
    ...Object.fromEntries(Array.from({ length: NEARER }, (_, at) => [`gone/n${at}.md`, "w7\n"])),
  });
  await whole(host);
  const rows = readFileSync(onlyFile(host)).length;
  rmSync(join(host.stateDir, "memory", "gone"), { recursive: true });
  const found = await answerTo(host, "w7", 3);
  expect(readFileSync(onlyFile(host)).length).toBe(rows);
  expect(found).toContain("By meaning: on]");
  expect(found.match(/^left\d+:1 {2}\(meaning\)$/gm)).toHaveLength(3);
});

test("hundreds of nearer entries that a rule closes take no place of what is open", async () => {
  await using place = await openMemoryHost();
  const memory = { embedder: { file: layWordModel(place.top) } };
  const config = { rules: [{ deny: "memory_*(closed/**)" }] };
  await using host = await openMemoryHost({ top: place.top, memory, config });
  layFiles(join(host.stateDir, "memory"), {
    "open.md": `w${byNearness[1]}\n`,
    ...Object.fromEntries(Array.from({ length: NEARER }, (_, at) => [`closed/n${at}.md`, "w7\n"])),
  });
  await whole(host);
  const found = await answerTo(host, "w7", 3);
  expect(found).toMatch(/^open:1 {2}\(meaning\)$/m);
  expect(found).not.toContain("closed");
});

test("a piece that has gone does not say how near others must be", async () => {
  await using place = await openMemoryHost();
  const memory = { embedder: { file: layWordModel(place.top) } };
  await using host = await openMemoryHost({ top: place.top, memory });
  // Not near enough to be shown beside what is asked for itself.
  const distant = Array.from({ length: WORDS }, (_, at) => at).find((at) => cosine(7, at) > 0.2 && cosine(7, at) < 0.5);
  await host.call("memory_write", { namespace: "distant", content: `w${distant}` });
  await host.call("memory_write", { namespace: "exact", content: "w7" });
  expect(await answerTo(host, "w7")).not.toContain("distant");
  rmSync(join(host.stateDir, "memory", "exact.md"));
  expect(await answerTo(host, "w7")).toContain("distant:2  (meaning");
});

test("what a power cut took from the index is not found under the name of what came next", async () => {
  await using place = await openMemoryHost();
  const memory = { embedder: { file: layWordModel(place.top) } };
  await place.call("memory_write", { namespace: "first", content: "w3" });
  const [lost, next] = [5, Array.from({ length: WORDS }, (_, at) => at).find((at) => cosine(5, at) < -0.5)];
  const kept = join(place.top, "kept.sqlite");
  {
    await using host = await openMemoryHost({ top: place.top, memory });
    await answerTo(host, "w3");
    using index = new Database(indexFile(host));
    index.run("VACUUM INTO ?", [kept]);
    await host.call("memory_write", { namespace: "lost", content: `w${lost}` });
    expect(await answerTo(host, `w${lost}`)).toContain("lost:2  (words and meaning");
  }
  rmSync(join(place.stateDir, "memory", "lost.md"));
  for (const end of ["-wal", "-shm"]) rmSync(`${indexFile(place)}${end}`, { force: true });
  renameSync(kept, indexFile(place));
  await using host = await openMemoryHost({ top: place.top, memory });
  await host.call("memory_write", { namespace: "next", content: `w${next}` });
  expect(await answerTo(host, `w${next}`)).toContain("next:2  (words and meaning");
});

test.skipIf(process.platform !== "linux")("a disk that is full costs the meaning and no open files", async () => {
  await using place = await openMemoryHost();
  await using host = await openMemoryHost({
    top: place.top,
    memory: { embedder: { file: layWordModel(place.top) } },
  });
  await host.call("memory_write", { namespace: "mine", content: "w5" });
  await whole(host);
  const file = onlyFile(host);
  rmSync(file);
  // Takes no byte, as a disk that is full.
  symlinkSync("/dev/full", file);
  for (let round = 0; round < 3; round++) {
    const found = await answerTo(host, "w5");
    expect(found).toContain("By meaning: off, unsupported: Cannot compare meanings");
    expect(found).toContain("mine:2  (words");
  }
  expect(openFiles()).not.toContain("/dev/full");
});

test("an index that another host holds costs the meaning when that would write, and words are searched", async () => {
  await using place = await openMemoryHost();
  await using host = await openMemoryHost({
    top: place.top,
    memory: { embedder: { file: layWordModel(place.top) } },
  });
  const note = join(host.stateDir, "memory", "mine.md");
  layFiles(host.stateDir, { "memory/mine.md": "w5\n" });
  // Not so new that it is looked at again.
  utimesSync(note, 1e9, 1e9);
  await whole(host);
  rmSync(onlyFile(host));
  using index = new Database(indexFile(host));
  index.run("BEGIN IMMEDIATE");
  const found = await answerTo(host, "w5");
  expect(found).toContain("words: on. By meaning: off, busy: ");
  expect(found).toContain("mine:1  (words)");
  index.run("ROLLBACK");
  expect(await answerTo(host, "w5")).toContain("mine:1  (words and meaning)");
});

test("a model that is only searched with keeps its vectors when another one has all of its own", async () => {
  await using place = await openMemoryHost();
  const [file, another] = [layWordModel(place.top), layWordModel(place.top, { name: "another", words: WORDS - 1 })];
  await using host = await openMemoryHost({ top: place.top, memory: { embedder: { file } } });
  await using other = await openMemoryHost({ top: place.top, memory: { embedder: { file: another } } });
  const inIndex = <T>(use: (index: Database) => T): T => {
    using index = new Database(indexFile(host));
    return use(index);
  };
  const models = (): number => inIndex((index) => index.query("SELECT name FROM models").values().length);
  const letTimePass = (): unknown => inIndex((index) => index.run("UPDATE models SET used = 0"));
  await host.call("memory_write", { namespace: "first", content: "w5" });
  await whole(host);
  await whole(other);
  letTimePass();
  await answerTo(host, "w5");
  await other.call("memory_write", { namespace: "second", content: "w5" });
  await whole(other);
  expect(models()).toBe(2);
  // Nobody has used it since.
  letTimePass();
  await other.call("memory_write", { namespace: "third", content: "w5" });
  await whole(other);
  expect(models()).toBe(1);
});

function openFiles(): readonly string[] {
  const links = readdirSync("/proc/self/fd").map((fd) => `/proc/self/fd/${fd}`);
  return links.filter((link) => existsSync(link)).map((link) => readlinkSync(link));
}

function numbered(kept: Buffer, more: number): Buffer {
  const bytes = Buffer.from(kept);
  for (let at = 16; at < bytes.length; at += 16 + 24) bytes.writeDoubleLE(bytes.readDoubleLE(at) + more, at);
  return bytes;
}
