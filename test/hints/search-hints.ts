/**
 * What a search that fails, or finds nothing, says about the next one.
 */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Members } from "../host/in-memory-host.ts";
import type { CallHint } from "./call-hint.ts";

const finds =
  (...lines: readonly string[]): CallHint["holds"] =>
  ({ text }) =>
    expect(text.trimEnd()).toEqual(lines.join("\n"));

/** A pattern that cannot be used as it stands. */
function pattern(says: string, given: string, file: string, found: string, more: object = {}): CallHint {
  return { says, files: { "a.txt": file }, call: ["grep", { pattern: given, ...more }], holds: finds(found) };
}

/** A search that finds nothing, and would with another argument. */
function nothing(says: string, asked: Members, files: Readonly<Record<string, string>>, found: string): CallHint {
  const call = ["grep", asked] as const;
  return { says: `with ${says} something would`, from: [says], files, call, isGlance: true, holds: finds(found) };
}

/** A pattern that the engine cannot have which was asked for. */
function otherEngine(says: string, given: string, file: string, found: string): CallHint {
  return {
    ...pattern(says, given, file, found, { engine: "rust" }),
    next: () => [["grep", { pattern: given }]],
  };
}

const looksLikeGlob = (given: string, says: string, found: string): CallHint[] => [
  {
    says,
    files: { [found]: "x\n", "b.txt": "x\n" },
    call: ["grep", { pattern: given }],
    next: ({ text }) => [["grep", { pattern: "x", include: JSON.parse(/include: (\[.*?\])/.exec(text)?.[1] ?? "") }]],
    holds: finds(`${found}:1:x`),
  },
  {
    says: ", or use glob.",
    files: { [found]: "x\n", "b.txt": "x\n" },
    call: ["grep", { pattern: given }],
    next: () => [["glob", { pattern: given }]],
    holds: finds(found),
  },
];

export const SEARCH_HINTS: readonly CallHint[] = [
  pattern("Write a literal parenthesis as", "foo(", "foo(x)\n", "a.txt:1:foo(x)"),
  pattern("Write a literal *, + or ? with", "*foo", "*foo\n", "a.txt:1:*foo"),
  pattern("Write a literal bracket as", "foo[", "foo[\n", "a.txt:1:foo["),
  pattern("Write a literal brace as", "a{b}", "a{b}\n", "a.txt:1:a{b}"),
  pattern("Write a literal backslash as", "\\y", "\\y\n", "a.txt:1:\\y"),
  pattern("Pass literal: true to search for the text as it stands", "\\xZZ", "\\xZZ\n", "a.txt:1:\\xZZ"),
  pattern("Pass multiline: true to match across lines", "a\\nb", "a\nb\n", "a.txt:1:a\nb"),
  otherEngine("auto takes the engine that can do this", "(?<=a)b", "ab\n", "a.txt:1:ab"),
  otherEngine("engine that has references to groups", "(?<x>a)\\k<x>", "aa\n", "a.txt:1:aa"),
  pattern("because nothing here backtracks, or pass", "(?>a)b", "ab\n", "a.txt:1:ab"),
  pattern("Write both branches as alternatives", "(a)?(?(1)b|c)", "ab\n", "a.txt:1:ab"),
  pattern("out and take the column and text of the match", "a\\Kb", "ab\n", "a.txt:1:ab"),
  {
    ...pattern("Pass literal: true in place of", "\\Qa.b\\E", "a.b\nacb\n", "a.txt:1:a.b"),
    next: () => [["grep", { pattern: "a.b", literal: true }]],
  },
  {
    ...pattern(", with multiline: true", "a\\Rb", "a\r\nb\n", "a.txt:1:a"),
    next: ({ text }) => {
      const [, instead = ""] = /Write (\S+) in place of/.exec(text) ?? [];
      return [["grep", { pattern: `a${instead}b`, multiline: true, output: "files" }]];
    },
    holds: finds("a.txt"),
  },
  ...looksLikeGlob("*.ts", "That looks like a glob", "a.ts"),
  ...looksLikeGlob("src/**", "the pattern looks like a glob", "src/a.ts"),
  nothing("literal: true", { pattern: "a.*b[0]" }, { "a.txt": "a.*b[0]\n" }, "a.txt:1:a.*b[0]"),
  nothing("word: false", { pattern: "foo", word: true }, { "a.txt": "food\n" }, "a.txt:1:food"),
  nothing("line: false", { pattern: "foo", line: true }, { "a.txt": "food\n" }, "a.txt:1:food"),
  nothing('case: "insensitive"', { pattern: "FOO" }, { "a.txt": "foo\n" }, "a.txt:1:foo"),
  nothing("hidden: true", { pattern: "foo" }, { ".a.txt": "foo\n" }, ".a.txt:1:foo"),
  nothing("no_ignore: true", { pattern: "foo" }, { ".ignore": "a.txt\n", "a.txt": "foo\n" }, "a.txt:1:foo"),
  {
    says: "Or leave the file out with exclude",
    files: { "a.txt": `${"a".repeat(60)}\n`, "b.txt": "ab\n" },
    call: ["grep", { pattern: "(?=(a*)*b)" }],
    next: () => [["grep", { pattern: "(?=(a*)*b)", exclude: ["a.txt"] }]],
    holds: finds("b.txt:1:ab"),
  },
  {
    says: "Give the directory as path, and a pattern below it",
    files: { "sub/b.txt": "", "a.txt": "" },
    call: ["glob", { path: "sub", pattern: "../*.txt" }],
    next: () => [["glob", { path: ".", pattern: "*.txt" }]],
    holds: finds("a.txt"),
  },
  {
    says: "or leave out cursor to start again",
    files: { "a.txt": "", "b.txt": "" },
    call: ["glob", { pattern: "*.txt", sort: "name", cursor: "x" }],
    next: () => [["glob", { pattern: "*.txt", sort: "name" }]],
    holds: finds("a.txt", "b.txt"),
  },
  {
    says: "For anything else use include",
    files: { "a.tyypescript": "x\n", "b.txt": "x\n" },
    call: ["grep", { pattern: "x", type: ["tyypescript"] }],
    next: ({ text }) => [["grep", { pattern: "x", include: JSON.parse(/example (\[.*\])/.exec(text)?.[1] ?? "") }]],
    holds: finds("a.tyypescript:1:x"),
  },
  {
    says: "Use include instead",
    files: { "a.ext": "x\n", "b.txt": "x\n" },
    call: ["grep", { pattern: "x", type: ["qqqqqqqqqqqq"] }],
    next: ({ text }) => [["grep", { pattern: "x", include: JSON.parse(/example (\[.*\])/.exec(text)?.[1] ?? "") }]],
    holds: finds("a.ext:1:x"),
  },
  {
    says: "leave out cursor and start again",
    files: { "a.txt": "", "b.txt": "" },
    call: async (host) => {
      const { all } = await host.call("glob", { pattern: "*.txt", sort: "name", limit: 1 });
      writeFileSync(join(host.root, "0.txt"), "");
      return ["glob", JSON.parse(/To go on: glob (\{.*\})/.exec(all)?.[1] ?? "")];
    },
    next: () => [["glob", { pattern: "*.txt", sort: "name" }]],
    holds: finds("0.txt", "a.txt", "b.txt"),
  },
  {
    says: "Give the directory as path, and patterns below it.",
    files: { "sub/a.txt": "", "src/b.txt": "" },
    call: ["glob", { pattern: "{/sub,/src}/*.txt" }],
    next: () => [["glob", { path: "sub", pattern: "*.txt" }]],
    holds: finds("sub/a.txt"),
  },
  {
    says: 'All of it: read_file {"path":"a.txt","offset":2,"limit":1}',
    from: [
      "cut for length: line ${first.line} of ${first.path}${others}. All of it: read_file ${JSON.stringify(whole)}",
    ],
    files: { "a.txt": `one\n${"x".repeat(2000)} needle\n` },
    call: ["grep", { pattern: "needle" }],
    next: () => [["read_file", { path: "a.txt", offset: 2, limit: 1 }]],
    holds: ({ text }) => expect(text).toBe(`${"x".repeat(2000)} needle\n`),
  },
];
