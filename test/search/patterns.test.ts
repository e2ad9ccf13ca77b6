/**
 * Patterns: which engine, true answers where backtracking engines lie, and failures that say what to do.
 */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/base/index.ts";
import { grep, type GrepOptions } from "../../src/search/index.ts";
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
  expect(await engineFor({ pattern: "needle", case: "smart" })).toBe("rust");
  expect(await engineFor({ pattern: "needle", word: true })).toBe("rust");
  expect(await engineFor({ pattern: "a.b" })).toBe("rust");
});

describe("true answers where JavaScript's engine says no", () => {
  const cases: [pattern: string, line: string][] = [
    ["(x+x+)+y|zzz", `${"x".repeat(5000)}zzz`],
    ["^((a+)+$|a+b$)", `${"a".repeat(27)}b`],
    ["^(?:a|b)+$", "a".repeat(3_000_000)],
  ];
  test.each(cases)("%s", async (pattern, line) => {
    using tree = makeTree({ f: `no\n${line}\n` });
    const { counts } = await grep(tree.ctx, { pattern, output: "count" });
    expect(counts).toEqual([{ path: "f", count: 1 }]);
  });
});

describe("adversarial patterns end in time", () => {
  const alternatives = Array.from({ length: 10_000 }, (_, at) => `w${at}x`).join("|");
  const cases: [name: string, pattern: string, count: number][] = [
    ["nested", "(x+x+)+y", 0],
    ["overlapping", "(a|aa)*$", 2],
    ["quadratic", "x*y", 0],
    ["many", alternatives, 1],
  ];
  test.each(cases)("%s", async (_name, pattern, count) => {
    using tree = makeTree({ f: `${"x".repeat(300_000)}\n w9999x aaa\n` });
    const started = performance.now();
    const answer = await grep(tree.ctx, { pattern, output: "count" });
    expect(answer.counts?.[0]?.count ?? 0).toBe(count);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("a pattern that cannot be used says where, why, and what to do", () => {
  const cases: [pattern: string, code: string, message: string, hint: string][] = [
    ["foo(", "invalid_input", "unclosed group at character 4", "\\("],
    ["a{", "invalid_input", "unclosed counted repetition at character 2", "\\{"],
    ["[a", "invalid_input", "unclosed character class at character 1", "\\["],
    ["*.ts", "invalid_input", "repetition operator missing expression", "glob"],
    ["\\q", "invalid_input", "unrecognized escape", "literal: true"],
    ["a)(b", "invalid_input", "unopened group", "\\("],
    ["(?=a)b", "unsupported", "look-around", "context"],
    ["(a)\\1", "unsupported", "backreferences", "Write the repeated part out"],
    ["\\w{1000}{1000}", "invalid_input", "size limit", "smaller"],
    ["a\\nb", "invalid_input", "line feed", "multiline: true"],
    ["a\nb", "invalid_input", "line feed", "multiline: true"],
  ];
  test.each(cases)("%p", async (pattern, code, message, hint) => {
    using tree = makeTree({ f: "x" });
    const failure = await grep(tree.ctx, { pattern }).catch((thrown: unknown) => thrown);
    if (!(failure instanceof Failure)) throw new Error("no failure");
    expect<string>(failure.code).toBe(code);
    expect(failure.message).toContain(message);
    expect(failure.data.hint).toContain(hint);
  });
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
}, 60_000);
