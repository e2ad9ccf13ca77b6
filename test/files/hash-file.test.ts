/** Hashes against published digests; failures, stops and progress. */
import { afterAll, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { hashFiles, type HashAlgorithm } from "../../src/files/index.ts";
import { createWorkspace, failureFrom } from "./workspace.ts";

const space = createWorkspace();
afterAll(() => space[Symbol.dispose]());
const MB = 1024 * 1024;

// FIPS 180-4 and RFC 1321 examples; BLAKE2b-256 from b2sum --length=256.
test.each([
  ["sha256", "sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["sha1", "sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  ["md5", "md5", "900150983cd24fb0d6963f7d28e17f72"],
  ["blake2b", "blake2b256", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"],
] as const)("the %s of abc is the one of its standard", async (algorithm: HashAlgorithm, name, hash) => {
  space.write("abc", "abc");
  expect(await hashFiles(space.ctx, { paths: ["abc"], algorithm })).toEqual({
    hashes: [{ path: "abc", algorithm: name, hash, size: 3 }],
  });
});

test("an empty file has a hash, and one that fails fails in its place", async () => {
  space.write("empty", "");
  const { hashes } = await hashFiles(space.ctx, { paths: ["empty", "missing", "empty"] });
  const empty = {
    path: "empty",
    algorithm: "sha256" as const,
    hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    size: 0,
  };
  expect(hashes).toMatchObject([empty, { path: "missing", failure: { code: "not_found" } }, empty]);
});

test("a large file is hashed in little memory, with progress over all bytes", async () => {
  truncateSync(space.write("zeros", ""), 300 * MB);
  space.write("more", Buffer.alloc(8 * MB, 1));
  const seen: [number, number | undefined][] = [];
  const before = process.memoryUsage().rss;
  const progress = (done: number, total: number | undefined): void => void seen.push([done, total]);
  const { hashes } = await hashFiles({ ...space.ctx, progress }, { paths: ["zeros", "more"], algorithm: "md5" });
  expect(process.memoryUsage().rss - before).toBeLessThan(32 * MB);
  // head -c 300M /dev/zero | md5sum
  expect(hashes[0]).toMatchObject({ hash: "0d97a9cd8bbd7ce75a2a76bb06258915", size: 300 * MB });
  expect(seen[0]).toEqual([4 * MB, 308 * MB]);
  expect(seen.at(-1)).toEqual([308 * MB, 308 * MB]);
});

test.each(["cancelled", "timed_out"] as const)("%s ends it within one file", async (state) => {
  truncateSync(space.write("zeros", ""), 300 * MB);
  let asked = 0;
  const cancel = { state: () => (++asked > 4 ? state : ("none" as const)) };
  expect((await failureFrom(() => hashFiles(space.with({ cancel }), { paths: ["zeros"] }))).code).toBe(state);
  expect(asked).toBe(5);
});

test("a file that shrinks meanwhile is hashed as far as it goes", async () => {
  const path = space.write("shrinks", Buffer.alloc(8 * MB));
  const progress = (): void => truncateSync(path, 5 * MB);
  const { hashes } = await hashFiles({ ...space.ctx, progress }, { paths: ["shrinks"] });
  expect(hashes[0]).toMatchObject({ size: 5 * MB });
});
