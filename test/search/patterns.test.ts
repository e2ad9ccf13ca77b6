/**
 * Patterns: which engine, true answers where backtracking engines lie, and failures that say what to do.
 */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/base/index.ts";
import type * as search from "../../src/search/index.ts";
import { grep, type GrepOptions } from "../../src/search/index.ts";
import { expectGrowthOf } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { makeTree } from "./make-tree.ts";

async function engineFor(options: GrepOptions): Promise<string> {
  using tree = makeTree({ f: "x" });
  return (await grep(tree.ctx, options)).engine;
}

test("plain text is compared as bytes, all else goes to the Rust engine", async () => {
  expect(await engineFor({ pattern: "needle" })).toBe("literal");
  expect(await engineFor({ pattern: "a.b", literal: true })).toBe("literal");
  expect(await engineFor({ pattern: "12-34", case: "insensitive" })).toBe("literal");
  expect(await engineFor({ pattern: "Needle", case: "smart" })).toBe("literal");
  // K and S have relatives outside of ASCII.
  expect(await engineFor({ pattern: "needles", case: "smart" })).toBe("rust");
  expect(await engineFor({ pattern: "width", case: "insensitive" })).toBe("literal");
  expect(await engineFor({ pattern: "width\u00e9", case: "insensitive" })).toBe("rust");
  expect(await engineFor({ pattern: "needle", word: true })).toBe("rust");
  expect(await engineFor({ pattern: "a.b" })).toBe("rust");
});

describe("true answers where JavaScript's engine says no", () => {
  const cases: [pattern: string, line: string][] = [
    ["(x+x+)+y|zzz", `${"x".repeat(5000)}zzz`],
    ["^((a+)+$|a+b$)", `${"a".repeat(27)}b`],
    ["^(?:a|b)+$", "a".repeat(3_000_000)],
  ];
  test.each(cases)("grep() answers truly where JavaScript's engine says no: %s", async (pattern, line) => {
    using tree = makeTree({ f: `no\n${line}\n` });
    const { counts } = await grep(tree.ctx, { pattern, output: "count" });
    expect(counts).toEqual([{ path: "f", count: 1 }]);
  });
});

describe("adversarial patterns end in time", () => {
  const alternatives = Array.from({ length: 10_000 }, (_, at) => `w${at}x`).join("|");
  const end = "\n w9999x aaa\n";
  const cases: [name: string, pattern: string, count: number, mostPerByte: number][] = [
    ["nested", "(x+x+)+y", 0, 34],
    ["overlapping", "(a|aa)*$", 2, 15],
    ["quadratic", "x*y", 0, 34],
    ["many", alternatives, 1, 15],
  ];
  test.each(cases)("an adversarial pattern ends in time: %s", async (_name, pattern, count, mostPerUnit) => {
    using tree = makeTree({ f: `${"x".repeat(300_000)}${end}` });
    const answer = await grep(tree.ctx, { pattern, output: "count" });
    expect(answer.counts?.[0]?.count ?? 0).toBe(count);
    // That engine never backtracks; what is counted is how often it is asked, and what it is handed.
    expect(answer.engine).toBe("rust");
    using small = makeTree({ f: `${"x".repeat(150_000)}${end}` });
    const counted = await loadCounted<typeof search>("src/search/index.ts");
    // The first search loads the engine, too.
    await counted.grep(small.ctx, { pattern, output: "count" });
    await expectGrowthOf({ size: 150_000, mostGrowth: 2.1, mostPerUnit }, (size) => async () => {
      await counted.grep((size === 150_000 ? small : tree).ctx, { pattern, output: "count" });
    });
  });
});

test.each([
  ["a class that is closed everywhere, in no brackets", "[:a:]", "", 6500],
  ["brackets that nothing closes", "[", "", 200],
  ["a class with a long name", "a", ":]]", 190],
])("a long pattern is read in one pass: %s", async (_name, part, end, mostPerUnit) => {
  using tree = makeTree({ f: "-\n" });
  const counted = await loadCounted<typeof search>("src/search/index.ts");
  const ask = async (parts: number): Promise<unknown> => {
    const pattern = (end === "" ? "" : "([[:") + part.repeat(parts) + end;
    // What it finds and how it fails is said elsewhere.
    return await counted.grep(tree.ctx, { pattern }).catch(() => undefined);
  };
  // The first search loads the engine, too.
  await ask(1);
  await expectGrowthOf({ size: 1000, mostGrowth: 2.2, mostPerUnit }, (size) => async () => await ask(size));
});

describe("a pattern that cannot be used says where, why, and what to do", () => {
  const cases: [pattern: string, code: string, message: string, hint: string][] = [
    ["foo(", "invalid_input", "unclosed group at character 4", "\\("],
    ["a{", "invalid_input", "unclosed counted repetition at character 2", "\\{"],
    ["[a", "invalid_input", "unclosed character class at character 1", "\\["],
    ["*.ts", "invalid_input", "repetition operator missing expression", "glob"],
    ["\\q", "invalid_input", "unrecognized escape", "literal: true"],
    ["a)(b", "invalid_input", "unopened group", "\\("],
    ["\\w{1000}{1000}", "invalid_input", "size limit", "smaller"],
    ["a\\nb", "invalid_input", "line feed", "multiline: true"],
    ["a\nb", "invalid_input", "line feed", "multiline: true"],
    ["fn main() {", "invalid_input", "unclosed counted repetition at character 11", "\\{"],
    ["lib/*.{ts,js}", "invalid_input", "at character 8", 'include: ["lib/*.{ts,js}"]'],
    ["*.{ts,js}", "invalid_input", "at character 1", 'include: ["*.{ts,js}"]'],
    ["[[:alpha]", "invalid_input", "unclosed character class", "[[:alpha:]]"],
    ["(?>a)b", "invalid_input", "unrecognized flag at character 3", 'engine: "backtracking"'],
    ["\\Qa.b\\E", "invalid_input", "unrecognized escape", "literal: true"],
    ["a\\Kb", "invalid_input", "unrecognized escape", "Leave \\K out"],
    ["\\h+", "invalid_input", "unrecognized escape", "[ \\t]"],
    ["a{,3}", "invalid_input", "at character 3", "{0,3}"],
    ["(?-u:\\xff)", "invalid_input", "invalid UTF-8", "Leave (?-u) out"],
    ["\\p{Foo}", "invalid_input", "property not found", "\\p{Greek}"],
  ];
  test.each(cases)(
    "the pattern %p is refused with its place, the reason and a way out",
    async (pattern, code, message, hint) => {
      using tree = makeTree({ f: "x" });
      const failure = await grep(tree.ctx, { pattern }).catch((thrown: unknown) => thrown);
      if (!(failure instanceof Failure)) throw new Error("no failure");
      expect<string>(failure.code).toBe(code);
      expect(failure.message).toContain(message);
      expect(failure.data.hint).toContain(hint);
    },
  );
});

test("with multiline, a pattern that cannot reach over a line end counts lines", async () => {
  using tree = makeTree({ f: "aa b\nb a\n" });
  const count = async (pattern: string): Promise<number | undefined> =>
    (await grep(tree.ctx, { pattern, multiline: true, output: "count" })).counts?.[0]?.count;
  expect(await count("a")).toBe(2);
  expect(await count("^a|b")).toBe(3);
  expect(await count("a\\n")).toBe(1);
});

test("the engine works in a compiled, hardened binary", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-engine-"));
  const root = join(import.meta.dir, "../..");
  const script = join(folder, "main.ts");
  const face = (name: string): string => JSON.stringify(join(root, `src/${name}/index.ts`));
  const program = `import { Scope } from ${face("scope")};
import { NEVER_CANCELLED } from ${face("base")};
import { grep } from ${face("search")};
const scope = new Scope({ roots: [{ path: process.argv[2] ?? "", readOnly: true }] });
const answer = await grep({ scope, cancel: NEVER_CANCELLED, progress() {}, skip: [] }, { pattern: "n[e]+dle" });
process.stdout.write(answer.engine + JSON.stringify(answer.matches));`;
  try {
    writeFileSync(script, program);
    const flags = [
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "--compile-exec-argv=--disallow-code-generation-from-strings=strict --no-addons --no-ffi-cc",
    ];
    const built = Bun.spawnSync(
      [process.execPath, "build", "--compile", ...flags, script, "--outfile", join(folder, "app")],
      { cwd: root },
    );
    expect(built.stderr.toString()).not.toContain("error");
    using tree = makeTree({ f: "a needle\n" });
    const ran = Bun.spawnSync([join(folder, "app"), tree.path], { cwd: "/" });
    expect(ran.stderr.toString()).toBe("");
    expect(ran.stdout.toString()).toBe('rust[{"path":"f","line":1,"column":3,"text":"a needle"}]');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("however a pattern names CR, a line then ends with LF alone", async () => {
  using tree = makeTree({ a: "x\r\ny\n" });
  for (const cr of [
    "\\r",
    "\\x0d",
    "\\x0D",
    "\\x{d}",
    "\\x{000D}",
    "\\u000d",
    "\\u{d}",
    "\\u{0D}",
    "\\U0000000D",
    "\\U{d}",
    "\r",
  ])
    expect([cr, (await grep(tree.ctx, { pattern: `x${cr}$` })).totals.matches]).toEqual([cr, 1]);
  // Not a name of it.
  expect((await grep(tree.ctx, { pattern: "x$|\\u{dd}" })).totals.matches).toBe(1);
});
