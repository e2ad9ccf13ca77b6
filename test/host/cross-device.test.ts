/**
 * Between devices a rename does not work: a move is a whole copy or nothing, and a delete says what it does not keep.
 * Hosts of tests are in memory where that can be had, so the temporary folder is as a rule the other device.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { openTestHost, type TestHost } from "./in-memory-host.ts";

const HAS_SECOND_DEVICE = statSync(memoryFolder()).dev !== statSync(tmpdir()).dev;

describe.if(HAS_SECOND_DEVICE)("another device", () => {
  let other = "";
  beforeEach(() => {
    other = realpathSync(mkdtempSync(join(tmpdir(), "other-")));
    mkdirSync(join(other, "d/sub"), { recursive: true });
    writeFileSync(join(other, "d/sub/a.txt"), "content\n");
    writeFileSync(join(other, "f.txt"), "content\n");
  });
  afterEach(() => rmSync(other, { recursive: true, force: true }));

  function openOn(first: TestHost): TestHost {
    return openTestHost({ top: first.top, config: { roots: [first.root, other], mode: "bypass" } });
  }

  test("a tree is moved whole, with its modes", async () => {
    await using first = openTestHost({ files: {} });
    await using host = openOn(first);
    chmodSync(join(other, "d/sub"), 0o555);
    expect((await host.call("move", { source: join(other, "d"), destination: "d" })).failure).toBeUndefined();
    expect(first.read("d/sub/a.txt")).toBe("content\n");
    expect(statSync(join(first.root, "d/sub")).mode & 0o777).toBe(0o555);
    expect(readdirSync(other)).toEqual(["f.txt"]);
    chmodSync(join(first.root, "d/sub"), 0o755);
  });

  test("what cannot be copied is not moved, and nothing is left behind", async () => {
    await using first = openTestHost({ files: {} });
    await using host = openOn(first);
    Bun.spawnSync(["mkfifo", join(other, "d/pipe")]);
    expect((await host.call("move", { source: join(other, "d"), destination: "d" })).failure?.code).toBe("denied");
    expect(readdirSync(join(other, "d")).sort()).toEqual(["pipe", "sub"]);
    expect(readdirSync(first.root)).toEqual([]);
  });

  test("a delete says that it does not keep what is large, and leaves nothing behind", async () => {
    await using first = openTestHost({ files: {} });
    await using host = openOn(first);
    truncateSync(join(other, "f.txt"), limits.MAX_KEPT_COPY_BYTES + 1);
    const answer = await host.call("delete", { path: join(other, "f.txt") });
    expect(answer.text).toContain("it cannot be brought back");
    expect(readdirSync(other)).toEqual(["d"]);
  });
});
