/**
 * The names of the targets, pinned: they are part of the names of released files.
 */
import { expect, test } from "bun:test";
import { nativeTarget, parseTargets, TARGETS } from "../../scripts/build/targets.ts";
import { readLock } from "../../scripts/build/lock-file.ts";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

test("the targets are the promised ones", () => {
  expect(parseTargets("all").map((target) => target.name)).toEqual([
    "linux-x64",
    "linux-arm64",
    "linux-x64-musl",
    "linux-arm64-musl",
    "darwin-x64",
    "darwin-arm64",
    "windows-x64",
    "windows-arm64",
  ]);
});

test("each has a pinned runtime with a hash", () => {
  const { packages } = readLock(REPOSITORY);
  const without = TARGETS.filter(
    (target) => packages[`node_modules/@oven/${target.runtimePackage}`]?.integrity === undefined,
  );
  expect(without).toEqual([]);
});

test("a list is read, an unknown name is refused with the known ones", () => {
  expect(parseTargets("linux-x64, windows-x64").map((target) => target.suffix)).toEqual(["", ".exe"]);
  expect(() => parseTargets("solaris")).toThrow('Cannot build for "solaris": it must be "all" or one of linux-x64,');
});

test("the native target is one of them", () => {
  expect(TARGETS).toContain(nativeTarget());
});
