/**
 * Files of a listing, opened by their names in a directory that is held open: only what stands there, no link, nothing
 * that waits, and no descriptor is left.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListedFiles, Scope } from "../../src/scope/index.ts";

const root = mkdtempSync(join(tmpdir(), "listed-files-"));
let scope: Scope;

beforeAll(() => {
  for (const directory of ["", "a", "a/b", "a/c", "d"]) {
    mkdirSync(join(root, directory), { recursive: true });
    writeFileSync(join(root, directory, "x"), `in ${directory}`);
  }
  symlinkSync("/etc/hostname", join(root, "a", "link"));
  symlinkSync("/etc", join(root, "outside"));
  scope = new Scope({ roots: [{ path: root, readOnly: true }] });
});

afterAll(() => {
  scope[Symbol.dispose]();
  rmSync(root, { recursive: true });
});

function read(files: ListedFiles, directory: string, name: string): string {
  const parent = { ...scope.locate(".", "read"), rel: directory };
  const { fd } = files.open(parent, name, "read");
  try {
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

test("files are listed in any order of directories", () => {
  using files = new ListedFiles(scope);
  for (const directory of ["", "a", "a/b", "a", "a/c", "d", "a/b", "", "d"])
    expect(read(files, directory, "x")).toBe(`in ${directory}`);
});

test("links, ways out and what is missing are refused", () => {
  using files = new ListedFiles(scope);
  expect(() => read(files, "a", "link")).toThrow("link");
  expect(() => read(files, "a", "b/x")).toThrow();
  expect(() => read(files, "a", "../x")).toThrow();
  expect(() => read(files, "outside", "hostname")).toThrow("link");
  expect(() => read(files, "a", "none")).toThrow("no such file");
});

test.skipIf(process.platform !== "linux")("no directory stays open", () => {
  const before = readdirSync("/proc/self/fd").length;
  const files = new ListedFiles(scope);
  for (const directory of ["", "a", "a/b", "a/c", "d"]) read(files, directory, "x");
  files[Symbol.dispose]();
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});
