/**
 * The state folder and the undo store: private, refused when it cannot be, bounded in age and number.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/base/index.ts";
import {
  findStateFolder,
  noteRejection,
  openStateFolder,
  probeStateFolder,
  takeRejections,
} from "../../src/state/index.ts";

let top: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "ringfence-state-"));
});

afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

test("it is made with all its parts, for its owner only", () => {
  const folder = openStateFolder(join(top, "deep", "state"));
  for (const path of [folder.path, folder.proposals, folder.undo, folder.audit])
    expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(openStateFolder(folder.path)).toEqual(folder);
});

test("one that is open to others is closed", () => {
  mkdirSync(join(top, "state"));
  chmodSync(join(top, "state"), 0o777);
  openStateFolder(join(top, "state"));
  expect(statSync(join(top, "state")).mode & 0o777).toBe(0o700);
});

test("a directory of somebody else is refused, and stays as it was", () => {
  const path = join(top, "shared");
  mkdirSync(join(path, "review"), { recursive: true });
  writeFileSync(join(path, "other"), "");
  chmodSync(path, 0o1777);
  expect(() => openStateFolder(path)).toThrow("it holds other things, and is no state folder of ringfence");
  expect(readdirSync(path).sort()).toEqual(["other", "review"]);
  expect(statSync(path).mode & 0o7777).toBe(0o1777);
});

test("one that was begun is finished, and one in which a person put a file is still one", () => {
  const path = join(top, "state");
  mkdirSync(join(path, "proposals"), { recursive: true });
  mkdirSync(join(path, "lost+found"));
  writeFileSync(join(path, ".DS_Store"), "");
  openStateFolder(path);
  writeFileSync(join(path, "notes.txt"), "");
  chmodSync(path, 0o755);
  openStateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("findStateFolder() names the folders and makes none", () => {
  const path = join(top, "none");
  expect(findStateFolder(path).audit).toBe(join(path, "audit"));
  expect(existsSync(path)).toBe(false);
});

test("one that cannot be made is named", () => {
  writeFileSync(join(top, "file"), "");
  expect(() => openStateFolder(join(top, "file", "state"))).toThrow(Failure);
  expect(() => openStateFolder(join(top, "file"))).toThrow(`Cannot use the state folder "${join(top, "file")}"`);
});

test("a rejection is given once for each path that it was about", () => {
  const { proposals } = openStateFolder(join(top, "state"));
  noteRejection(proposals, ["/r/a", "/r/b"], { id: "p_1", reason: "no" });
  expect(takeRejections(proposals, ["/r/c"])).toEqual([]);
  expect(takeRejections(proposals, ["/r/a", "/r/x"])).toEqual([{ id: "p_1", reason: "no" }]);
  expect(takeRejections(proposals, ["/r/a"])).toEqual([]);
  expect(takeRejections(proposals, ["/r/b"])).toEqual([{ id: "p_1", reason: "no" }]);
});

test("probeStateFolder() leaves nothing, and says when nothing can be written", () => {
  const { path, review } = openStateFolder(join(top, "state"));
  probeStateFolder(path);
  expect(readdirSync(review)).toEqual([]);
  rmSync(review, { recursive: true });
  expect(() => probeStateFolder(path)).toThrow(`Cannot write in the state folder "${path}"`);
});
