/**
 * Look-around and back-references: taken only when the pattern needs them, with the answers of `rg --pcre2`, and an error
 * where a match may not go on. What "no match" would be a lie about is never answered so.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { fc } from "../property.ts";
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import { grep, type GrepAnswer, type GrepMatch, type GrepOptions } from "../../src/search/index.ts";
import { codeOf, makeTree } from "./make-tree.ts";

async function ask(content: string | Uint8Array, options: GrepOptions): Promise<GrepAnswer> {
  using tree = makeTree({ f: content });
  return await grep(tree.ctx, options);
}

/** `line:column:text` of each match. */
async function found(content: string | Uint8Array, options: GrepOptions): Promise<string[]> {
  const { matches = [] } = await ask(content, options);
  return matches.map(({ line, column, text }) => `${line}:${column}:${text}`);
}

describe("which engine", () => {
  const cases: [pattern: string, engine: string][] = [
    ["(?=a)a", "backtracking"],
    ["(?<!b)a", "backtracking"],
    ["(a)\\1", "backtracking"],
    ["(?<n>a)\\k<n>", "backtracking"],
    ["(?P<n>a)(?P=n)", "backtracking"],
    ["(?>a)(?!b)", "backtracking"],
    ["\\(?=a", "rust"],
    ["[(?=]a", "rust"],
    ["a+", "rust"],
    ["a", "literal"],
  ];
  test.each(cases)("the pattern %s is run by the engine %s", async (pattern, engine) => {
    expect((await ask("aa (=a\n", { pattern })).engine).toBe(engine as never);
  });

  test("a pattern is run by the engine that was asked for", async () => {
    expect((await ask("a", { pattern: "a", engine: "backtracking" })).engine).toBe("backtracking");
    expect((await ask("a", { pattern: "(?=a)", literal: true })).engine).toBe("literal");
    expect((await ask("a", { pattern: "a.", engine: "rust" })).engine).toBe("rust");
    expect(await codeOf(() => ask("a", { pattern: "(?=a)", engine: "rust" }))).toBe("unsupported");
    expect(await codeOf(() => ask("a", { pattern: "(a)\\1", engine: "rust" }))).toBe("unsupported");
  });
});

describe("what it finds", () => {
  const cases: [what: string, content: string | Uint8Array, options: GrepOptions, wanted: string[]][] = [
    ["look-behind", "foobar\nbar\n", { pattern: "(?<=foo)bar" }, ["1:4:foobar"]],
    ["negative look-ahead", "foobar\nfoobaz\n", { pattern: "foo(?!bar)" }, ["2:1:foobaz"]],
    ["back-reference", "abab\nabba\n", { pattern: "^(\\w)(\\w)\\1\\2$" }, ["1:1:abab"]],
    ["lines are apart", "foo\nbar\n", { pattern: "(?<=foo\\s)bar" }, []],
    ["columns count bytes", "äö𝒳foo€x\n", { pattern: "(?<=foo)€" }, ["1:12:äö𝒳foo€x"]],
    ["CR LF", "foo\r\nbar\r\n", { pattern: "(?<=o)o$" }, ["1:3:foo"]],
    ["a named CR is seen", "foo\r\nbar\n", { pattern: "(?<=o)\\r$" }, ["1:4:foo"]],
    ["Unicode classes", "éa\n", { pattern: "(?<=\\w)a" }, ["1:3:éa"]],
    ["matches", "aabb", { pattern: "(.)\\1", only_matching: true }, ["1:1:aa", "1:3:bb"]],
    ["empty matches", "ab𝒳", { pattern: "(?=[b𝒳])", only_matching: true }, ["1:2:", "1:3:"]],
    ["invert", "a1\nb\n", { pattern: "a(?=1)", invert: true }, ["2:1:b"]],
    ["word", "foo foos", { pattern: "foo(?!x)", word: true, only_matching: true }, ["1:1:foo"]],
    ["line", "foo\nfoos\n", { pattern: "foo(?!x)", line: true }, ["1:1:foo"]],
    ["insensitive", "FOO1\n", { pattern: "foo(?=1)", case: "insensitive" }, ["1:1:FOO1"]],
    ["smart", "FOO1\nFoo1\n", { pattern: "(?<=F)oo", case: "smart" }, ["2:2:Foo1"]],
    ["over lines", "foo\nbar\n", { pattern: "(?<=foo\n)bar", multiline: true }, ["2:1:bar"]],
    ["dotall", "a\nb a\n", { pattern: "(a).+\\1", multiline: true, dotall: true }, ["1:1:a\nb a"]],
    ["comments", "foobar\n", { pattern: "(?x) (?<=foo) bar # end", word: false, line: false }, ["1:4:foobar"]],
    ["not UTF-8", Buffer.from("\xfffoobar\n", "latin1"), { pattern: "(?<=foo)bar" }, ["1:5:\ufffdfoobar"]],
    ["keeps", "foobar\n", { pattern: "foo\\Kbar", engine: "backtracking" }, ["1:4:foobar"]],
  ];
  test.each(cases)("the backtracking engine finds matches: %s", async (_what, content, options, wanted) => {
    expect(await found(content, options)).toEqual(wanted);
  });
});

describe("a pattern that cannot be used says where, why, and what to do", () => {
  const cases: [pattern: string, message: string, hint: string][] = [
    ["foo(?=bar", "missing closing parenthesis at character 10", "\\("],
    ["(?<=a+)b", "not fixed length", "fixed length"],
    ["(?=a)*b\\2", "non-existent", "numbered from 1"],
    ["(?=a)[b", "character class", "\\["],
    ["(?=a)\\n", "line feed", "multiline: true"],
    ["(?=(?:(?:a{1000}){1000}){1000})", "too large", "smaller"],
  ];
  test.each(cases)(
    "the pattern %s is refused with its place, the reason and a way out",
    async (pattern, message, hint) => {
      expect.assertions(3);
      try {
        await ask("a\n", { pattern });
      } catch (thrown) {
        const { data } = thrown as { data: { code: string; message: string; hint: string } };
        expect(data.code).toBe("invalid_input");
        expect(data.message).toContain(message);
        expect(data.hint).toContain(hint);
      }
    },
  );
});

describe("a match that may not go on is an error", () => {
  const cases: [pattern: string, line: string][] = [
    ["(?=(a*)*b)", "a".repeat(60)],
    ["(x+x+)+y(?!z)|zzz", `${"x".repeat(5000)}zzz`],
    ["^((a+)+$|a+b$)(?!z)", `${"a".repeat(60)}b`],
    // Not the steps but the memory.
    ["^(?:(a)|b)*(?!c)", "ab".repeat(300_000)],
  ];
  test.each(cases)("a match of %s that may not go on is an error", async (pattern, line) => {
    const thrown: unknown = await ask(`no\n${line}\n`, { pattern, output: "count" }).catch((error: unknown) => error);
    // Ended by its own limit of steps or memory, and not by a clock.
    expect(thrown).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("takes more backtracking than it may"),
    });
  });

  test("the limit is in steps: each letter more doubles them, and the twenty-second is too much", async () => {
    const pattern = "(?=(a*)*b)";
    expect((await ask("a".repeat(21), { pattern })).totals.matches).toBe(0);
    expect(await codeOf(() => ask("a".repeat(22), { pattern }))).toBe("invalid_input");
  });

  test("it names the file, and other files are still searched without it", async () => {
    using tree = makeTree({ "good.txt": "ab\n", "sub/bad.txt": "a".repeat(60) });
    const pattern = "(?=(a*)*b)";
    const thrown: unknown = await grep(tree.ctx, { pattern }).catch((error: unknown) => error);
    expect(String(thrown)).toContain('"sub/bad.txt"');
    const { matches } = await grep(tree.ctx, { pattern, exclude: ["bad.txt"] });
    expect(matches).toHaveLength(1);
  });
});

test("between matches it looks whether to stop", async () => {
  using tree = makeTree({ f: `${"a".repeat(12)}c\n`.repeat(10_000) });
  let looks = 0;
  const cancel = { state: () => (++looks > 20 ? ("cancelled" as const) : ("none" as const)) };
  const answer = await grep(tree.withCancel(cancel), { pattern: "(?=(a*)*b)", output: "files" });
  expect(answer.stopped_by).toBe("cancelled");
  expect(answer.truncated).toBe(true);
});

test("a line that is too long for it is counted, and fails nothing", async () => {
  using tree = makeTree({ a: `${"x".repeat(2_000_000)}foobar`, b: "foobar" });
  const { matches, totals } = await grep(tree.ctx, { pattern: "(?<=foo)bar" });
  expect(matches?.map(({ path }) => path)).toEqual(["b"]);
  expect(totals.too_large).toBe(1);
});

test("where there is a process for it, the whole search is done there", async () => {
  using tree = makeTree({ f: "foobar" });
  const asked: string[] = [];
  const apart = (options: string): Promise<string> => {
    asked.push(options);
    return Promise.resolve(JSON.stringify({ engine: "backtracking" }));
  };
  const ctx = { ...tree.withCancel(NEVER_CANCELLED), apart };
  const options = { pattern: "(?<=foo)bar", limit: 3 };
  expect((await grep(ctx, options)).engine).toBe("backtracking");
  expect((await grep(ctx, { pattern: "fo+" })).engine).toBe("rust");
  expect(asked.map((one) => JSON.parse(one) as unknown)).toEqual([options]);
});

test("random texts: the lines, columns and matches of ripgrep", async () => {
  const line = fc
    .array(fc.constantFrom("foo", "bar", "a", "b", "é", "€", "𝒳", " ", "1", "_", "Foo", "."), {
      maxLength: 8,
    })
    .map((parts) => parts.join(""));
  const patterns = [
    "(?<=foo)bar",
    "foo(?!bar)",
    "(?<!\\w)a",
    "(\\w)\\1",
    "(?<x>.)\\k<x>",
    "(?=.*é)b",
    "^(?!.*foo).+$",
    // With \s ripgrep sees the line feed before the line when it shows the column, and not when it searches.
    "(?<=[ 1])\\S",
    "\\b(\\w+)\\s+\\1\\b",
    "(?=€)",
    "(?i)FOO(?=\\d)",
    "(?<![a-z])[A-Z]\\w*",
    "a(?=b|$)",
  ];
  const flags: [Partial<GrepOptions>, string[]][] = [
    [{}, []],
    [{ word: true }, ["-w"]],
    [{ line: true }, ["-x"]],
    [{ case: "insensitive" }, ["-i"]],
    [{ invert: true }, ["-v"]],
    [{ only_matching: true }, ["-o"]],
  ];
  const texts = fc.sample(fc.array(line, { minLength: 1, maxLength: 30 }), { seed: 7, numRuns: 5 });
  for (const text of texts) {
    using tree = makeTree({ f: `${text.join("\n")}\n` });
    for (const pattern of patterns)
      for (const [options, args] of flags) {
        const { matches = [] } = await grep(tree.ctx, { pattern, engine: "backtracking", ...options });
        // ripgrep gives no column to a line that does not match.
        const column = (match: GrepMatch): string => (options.invert ? "" : `${match.column}:`);
        const ours = matches.map((match) => `${match.line}:${column(match)}${match.text}`);
        expect([pattern, args, ours]).toEqual([pattern, args, ripgrep(tree.path, [...args, "-e", pattern])]);
      }
  }
});

function ripgrep(cwd: string, args: readonly string[]): string[] {
  const { stdout } = Bun.spawnSync(
    [rgPath, "-P", "--no-config", "--no-filename", "-n", "--column", ...args, join(cwd, "f")],
    { env: {} },
  );
  return stdout.toString("utf8").split("\n").slice(0, -1);
}
