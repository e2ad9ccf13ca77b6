/**
 * Broken messages to the compiled host, the short form of `bun run test:fuzz-wire`: it lives, answers, and writes nothing
 * but messages.
 */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { playWireFuzz } from "../fuzz/play-wire-fuzz.ts";
import { binaryPath } from "./build-binary.ts";
import { Place } from "./serve-process.ts";

const COUNT = 5000;

test.each([1, 2])("the seed %d leads to no crash, no hang and no line that is no message", async (seed) => {
  using place = new Place();
  mkdirSync(join(place.root, "b"));
  writeFileSync(join(place.root, "a.txt"), "one\ntwo\n");
  writeFileSync(join(place.root, "b/c.txt"), "some\n");
  const { sent, answers, problems } = await playWireFuzz({
    command: [await binaryPath(), "serve", "--root", place.root, "--state-dir", place.stateDir],
    env: { PATH: process.env["PATH"], HOME: place.path },
    count: COUNT,
    seed,
  });
  expect(problems).toEqual([]);
  expect(sent).toBe(COUNT);
  expect(answers).toBeGreaterThan(COUNT / 2);
});
