/**
 * The rules of Windows on every system: names by a table, and each case of the path corpus that text alone decides,
 * through parsing and the walk of a tree that is only data.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../src/base/index.ts";
import { expandLinks } from "../../src/scope/expand-links.ts";
import { parsePath, refuseWindowsPath, slashWindowsPath } from "../../src/scope/parse-path.ts";
import type { OpenRoot } from "../../src/scope/backend.ts";

const refused: [code: string, paths: string[]][] = [
  ["denied", ["CON", "con", "Prn.txt", "AUX.tar.gz", "NUL ", "nul .txt", "a/b/NUL", "a\\COM0", "com9.x", "LPT1"]],
  ["denied", ["COM\u00b9", "com\u00b2.txt", "LPT\u00b3", "CONIN$", "conout$.log", "NUL:", "CON/a", "dir\\aux\\b"]],
  ["denied", ["a.txt:stream", "a.txt::$DATA", "ab::$INDEX_ALLOCATION/b", "C:\\a:b", ":a", "ab:"]],
  ["invalid_input", ["a.", "a ", "a. .", "...", "a./b", "dir \\b", ".. \\x", "..."]],
  ["invalid_input", ["a<b", "a>b", "a|b", "a?", "a*", 'a"b', "a\u0001b", "a\tb", "a\u001fb"]],
  ["invalid_input", ["PROGRA~1", "progra~1\\x", "A~1", "ABCDEF~1.TXT", "AB1234~2.h", "LONGN~10.t", "a/B~123456"]],
  ["outside_scope", ["C:", "C:x", "c:..\\x", "Z:a/b"]],
  ["outside_scope", ["\\\\server\\share", "//server/share/x", "\\/server\\x", "/\\server/x", "\\\\localhost@80\\s"]],
  ["outside_scope", ["\\\\?\\C:\\a", "\\\\.\\pipe\\x", "\\\\.\\PhysicalDrive0", "\\??\\C:\\a", "//?/C:/a", "//./NUL"]],
];
describe.each(refused)("is %s", (code, paths) => {
  test.each(paths)("a path of Windows is told apart: %j", (path) => {
    expect(refuseWindowsPath(path)?.code).toBe(code as "denied");
  });
});

const allowed = [
  "a",
  "a/b\\c",
  ".",
  "..",
  "../x",
  "..\\x",
  ".hidden",
  "a.b.c",
  "CONSOLE",
  "com",
  "COM10",
  "COMA",
  "lpt",
  "nul_",
];
const alsoAllowed = [
  "C:\\a",
  "C:/a",
  "\\a",
  "/a",
  "a~b",
  "~1",
  "notes~1draft.txt",
  "ABCDEFG~1",
  "file~1.html",
  "ü ö",
  "a b.txt",
  "a/",
];
test.each([...allowed, ...alsoAllowed])("nothing speaks against %j", (path) => {
  expect(refuseWindowsPath(path)).toBeUndefined();
});

test.each([
  ["\\\\?\\C:\\a\\b", "C:/a/b"],
  ["\\??\\C:\\a", "C:/a"],
  ["\\\\?\\UNC\\server\\share", "//server/share"],
  ["C:\\a/b", "C:/a/b"],
])("%j is %j for comparing", (path, slashed) => {
  expect(slashWindowsPath(path)).toBe(slashed);
});

test("a root is found in any case and with any slash, what lies beside it is not", () => {
  const roots = [{ spellings: ["C:\\Data\\Root"] }, { spellings: ["C:\\Data\\Root\\Deep", "D:\\"] }];
  const found = (path: string): unknown => {
    try {
      const { root, rel } = parsePath(path, roots, "read", "win32");
      return `${root}:${rel}`;
    } catch (thrown) {
      return thrown instanceof Failure ? thrown.code : thrown;
    }
  };
  expect(["c:/data/ROOT/A.txt", "C:\\Data\\Root", "C:\\Data\\Root\\deep\\X", "D:\\x", "a\\b"].map(found)).toEqual([
    "0:A.txt",
    "0:",
    "1:X",
    "1:x",
    "0:a/b",
  ]);
  for (const path of ["C:\\Data\\Root2\\a", "C:\\Data", "\\Data\\Root\\a", "E:\\x"])
    expect(found(path)).toBe("outside_scope");
});

/** What only the file system of Windows can show. */
const NEEDS_WINDOWS: Readonly<Record<string, string>> = {
  "win-junction-out": "a junction is made on the disk; the walk takes it for the link that lstat says it is",
  "win-junction-delete-tree": "deleting goes over what is on the disk, and takes a junction as an entry",
};

interface WindowsCase {
  readonly name: string;
  readonly category: string;
  readonly args: { readonly path: string };
  readonly expect: string;
  readonly accept?: readonly string[];
}

const corpus = readFileSync(join(import.meta.dir, "../fixtures/corpora/path.jsonl"), "utf8");
const cases = corpus
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as WindowsCase)
  .filter(({ category }) => category === "windows");

describe("the corpus", () => {
  test("the corpus of Windows is there, and its cases are named", () => {
    expect(cases.length).toBeGreaterThan(30);
    expect(Object.keys(NEEDS_WINDOWS).filter((name) => !cases.some((one) => one.name === name))).toEqual([]);
  });

  test.each(cases.filter(({ name }) => !(name in NEEDS_WINDOWS)).map((one) => [one.name, one] as const))(
    "the corpus of Windows is met: %s",
    (_name, one) => {
      expect([one.expect, ...(one.accept ?? [])]).toContain(outcome(one.args.path));
    },
  );

  // The shortest list of what is not refused as firmly as the corpus would have it.
  test("the corpus of Windows is met exactly but for short names", () => {
    const others = cases
      .filter(({ name }) => !(name in NEEDS_WINDOWS))
      .filter((one) => outcome(one.args.path) !== one.expect);
    expect(others.map(({ name }) => name).sort()).toEqual(["win-dotdot-space", "win-short-name-deny-rule"]);
  });
});

/** On a disk that holds the files of the corpus' usual layout and no link. */
function outcome(asked: string): string {
  const path = asked.replaceAll("{ROOT}", "C:/base/root").replaceAll("{OUTSIDE}", "C:/base/outside");
  const handle = { fd: -1, path: "", canonical: "C:/base/root", dev: 0n, ino: 0n, isBorrowed: true };
  const root: OpenRoot = { index: 0, handle, readOnly: false, spellings: ["C:/base/root"] };
  try {
    const { rel } = parsePath(path, [root], "read", "win32");
    const found = expandLinks({ roots: [root], root, rel, links: "follow" }, (_root, below) =>
      below === "dir" ? "directory" : ["a.txt", "dir/b.txt"].includes(below.toLowerCase()) ? "other" : "missing",
    );
    return found.rel === "" ? "ok" : /^(?:a\.txt|dir(?:\/b\.txt)?)$/i.test(found.rel) ? "ok" : "not_found";
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code === "outside_scope" ? "denied" : thrown.code;
    const code = (thrown as NodeJS.ErrnoException).code;
    return code === "EXDEV" ? "denied" : "not_found";
  }
}
