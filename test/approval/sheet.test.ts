/**
 * The words and the digest of what waits for approval: one line is one line whatever it is made of, nothing is left
 * out, and the digest has one form.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import {
  callLines,
  canonical,
  canonicalDigest,
  operationLine,
  pageText,
  parseLabel,
  sheetLines,
  shortCallLines,
  type FileChange,
  type Sheet,
} from "../../src/approval/index.ts";

const HIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}/u;
const anyText = fc.string({ unit: "binary", maxLength: 20 });

const moved: FileChange = {
  operation: "move",
  path: "b",
  absolute: "/r/b",
  source: "a",
  source_absolute: "/r/a",
  added: 0,
  removed: 0,
  size_before: 7,
  before: { kind: "symlink", mode: 0o777, target: "x" },
  after: { kind: "directory", size: 7, mode: 0o750, entries: 3 },
};

describe("an operation", () => {
  test("an operation is named in full to a person, and in short to a model", () => {
    expect(operationLine(moved, "full")).toBe(
      'Move /r/a -> /r/b (a directory with 3 entries, 7 bytes, mode 750, replaces a link to "x")',
    );
    expect(operationLine(moved, "short")).toBe("Move a -> b (7 bytes)");
  });

  test("an operation is one line in which nothing hides, whatever its names hold", () => {
    fc.assert(
      fc.property(anyText, anyText, (name, target) => {
        const line = operationLine(
          {
            ...moved,
            absolute: `/r/${name}`,
            source_absolute: `/r/${target}`,
            before: { kind: "symlink", target },
          },
          "full",
        );
        expect(line).not.toMatch(HIDDEN);
        expect(line.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("a program", () => {
  const start = {
    program: "/bin/tee",
    args: ["-a", `${"x".repeat(10_000)} end`, "a\nb"],
    cwd: "/r",
    stdin: "first\nlast",
    environment: { PATH: "/bin", ODD: "a\u001b\n\u200bb" },
    pty: false,
    fence: "none",
    reach: { "/r": "rw", "/lib": "r" },
    timeout_ms: 5,
    limits: { cpu_seconds: 1 },
    kept: [],
  };
  const lines = [
    ...callLines("cmd_tee", {
      input: { text: "\u202e" },
      paths: [],
      facts: { kind: "run", name: "tee", start },
    }),
  ];

  test("a program is shown with all that it is given", () => {
    expect(lines[0]).toBe(`Program and arguments: /bin/tee -a "${"x".repeat(10_000)} end" "a\\nb"`);
    expect(lines.slice(1, 8)).toEqual([
      "Working directory: /r",
      "Standard input: 10 bytes",
      "| first",
      "| last",
      "Environment:",
      "  ODD=a\\x1b\\x0a\\u200bb",
      "  PATH=/bin",
    ]);
    expect(lines).toContain("  reads and writes /r");
    expect(lines).toContain('    "text": "\\u202e"');
    for (const line of lines) expect(line).not.toMatch(HIDDEN);
  });
});

test("a program in the background is shown without a time limit, which it does not have", () => {
  const start = {
    program: "/bin/tail",
    args: [],
    cwd: "/r",
    environment: {},
    pty: false,
    fence: "none",
    reach: {},
    timeout_ms: 120_000,
    limits: { cpu_seconds: 1 },
    kept: [],
  };
  const linesOf = (background: boolean): string[] => {
    const call = { input: {}, paths: [], facts: { kind: "run", name: "tail", start, background } as const };
    return [...callLines("process_start", call), ...shortCallLines(call)];
  };
  expect(linesOf(false).filter((line) => line === "Time limit: 120000 ms")).toHaveLength(2);
  expect(linesOf(true).filter((line) => line.startsWith("Time limit"))).toEqual([]);
  expect(linesOf(true)).toContain("Limits: cpu_seconds 1");
});

const edit = (path: string): FileChange => ({
  operation: "edit",
  path,
  absolute: `/r/${path}`,
  added: 1,
  removed: 0,
  diff: `--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,1 @@\n+\u200bx\n`,
});

describe("pages", () => {
  test("joined are the whole, and none is longer than it may be", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 300 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const { pages } = pageText(lines, 1, 64);
        const texts = Array.from({ length: pages }, (_, at) => pageText(lines, at + 1, 64).text);
        for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64);
        expect(texts.join("")).toBe(lines.map((one) => `${one}\n`).join(""));
      }),
    );
  });

  test("pages begin with the point, then have every operation before the first diff, and notes last", () => {
    const sheet: Sheet = {
      label: "p@d",
      lead: ["Edit\n"],
      tool: "t",
      risk: "R2",
      createdAt: "then",
      expiresAt: "later",
      lines: [],
      operations: [{ file: edit("a") }, { file: edit("b") }],
      warnings: ["one\ntwo"],
      problem: "it\nis gone",
    };
    expect([...sheetLines(sheet)]).toEqual([
      "It cannot be applied now: it\\x0ais gone",
      "Edit\\x0a",
      "1. Edit /r/a",
      "2. Edit /r/b",
      "--- a/a",
      "+++ b/a",
      "@@ -0,0 +1,1 @@",
      "+\\u200bx",
      "--- a/b",
      "+++ b/b",
      "@@ -0,0 +1,1 @@",
      "+\\u200bx",
      "id: p@d",
      "tool: t, risk R2",
      "made: then, expires: later",
      "Note: one\\x0atwo",
    ]);
  });
});

describe("the digest", () => {
  test("the digest is of JSON in one form", () => {
    expect(canonical({ b: [1, { d: "ü", c: undefined }], a: null })).toBe('{"a":null,"b":[1,{"d":"ü"}]}');
    expect(canonicalDigest({ b: 1, a: 2 })).toBe(canonicalDigest({ a: 2, b: 1 }));
    // printf '{"a":2,"b":1}' | sha256sum
    expect(canonicalDigest({ b: 1, a: 2 })).toBe("d3626ac30a87e6f7a6428233b3c68299976865fa");
  });

  test("the digest stands behind the id, and a name with one never means the id alone", () => {
    expect(parseLabel("p_x")).toEqual({ id: "p_x" });
    expect(parseLabel("p_x@12")).toEqual({ id: "p_x", digest: "12" });
    expect(parseLabel("p_x@")).toEqual({ id: "p_x", digest: "" });
  });
});
