/**
 * What every start of `serve` loads: the sources that are reached from it without `import()`. No package is among them, and
 * no schema; each would be paid for by every client that opens a connection.
 */
import { expect, test } from "bun:test";
import { posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { readSources } from "../../scripts/checks/read-sources.ts";
import { PLANS } from "../../src/packs/plans.ts";

const STATIC =
  /^(?:import|export)\s(?!type\b)(?:[^"';]*?\sfrom\s)?"(?<from>[^"]+)"|\brequire\("(?<required>[^"]+)"\)/gm;

/** The command loads the host when its configuration is read, and every start comes that far. */
const STARTS = ["src/cli/commands/serve.ts", "src/host/index.ts"];

/** Reached by the face of `text`; the bundler leaves out what a start does not use of it. */
const LEFT_OUT: ReadonlySet<string> = new Set(["diff"]);

test("a start loads no package, and neither schemas, tools nor a parser of YAML", () => {
  const texts = new Map(readSources(["src"]).map(({ path, text }) => [path, text]));
  const reachedBy = new Map<string, string>(STARTS.map((path) => [path, ""]));
  const packages: string[] = [];
  for (const path of reachedBy.keys())
    for (const { groups } of (texts.get(path) ?? "").matchAll(STATIC)) {
      const from = groups?.["from"] ?? groups?.["required"] ?? "";
      const target = from.startsWith(".") ? posix.join(posix.dirname(path), from) : from;
      if (from.startsWith(".") && !reachedBy.has(target)) reachedBy.set(target, path);
      else if (!from.startsWith(".") && !LEFT_OUT.has(from) && !/^(?:node|bun):/.test(from))
        packages.push(`${from}: ${wayTo(path, reachedBy)}`);
    }
  expect(reachedBy.size).toBeGreaterThan(50);
  expect(packages).toEqual([]);
  const late = [
    "src/contract/wire-schema.ts",
    "src/packs/index.ts",
    "src/config/parse-text.ts",
    "src/pipeline/dispatch.ts",
  ];
  expect(late.filter((path) => reachedBy.has(path)).map((path) => wayTo(path, reachedBy))).toEqual([]);
});

test("no source of the program waits while it is evaluated: the bundler would share none of its code", () => {
  // The launcher of a host that runs from source is no part of an executable.
  const sources = readSources(["src", "workers"]).filter(({ path }) => path !== "workers/launcher.ts");
  expect(sources.filter(({ path, text }) => waits(path, text)).map(({ path }) => path)).toEqual([]);
  for (const text of [
    "const a =\n  await b();",
    "try {\n  await b();\n} catch {}",
    "for await (const a of b);",
    "c(await b());",
  ])
    expect(waits("a.ts", text)).toBe(true);
  expect(
    waits("a.ts", "async function f() { await b(); }\nclass C { async m() { await b(); } }\nf(async () => await b());"),
  ).toBe(false);
});

/** Whether a module awaits outside of every function. */
function waits(path: string, text: string): boolean {
  let depth = 0;
  let found = false;
  const enter = (): void => void depth++;
  const leave = (): void => void depth--;
  new Visitor({
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    AwaitExpression: () => void (found ||= depth === 0),
    ForOfStatement: (node) => void (found ||= depth === 0 && node.await),
  }).visit(parseSync(path, text).program);
  return found;
}

test("what a start loads of a pack is its settings, without tools and the contract of tools", () => {
  const texts = new Map(readSources(["src"]).map(({ path, text }) => [path, text]));
  const reached = new Set(["src/packs/plans.ts"]);
  for (const path of reached)
    for (const { groups } of (texts.get(path) ?? "").matchAll(STATIC)) {
      const from = groups?.["from"] ?? "";
      if (from.startsWith(".")) reached.add(posix.join(posix.dirname(path), from));
    }
  // Every start has `base` already.
  const expected = /^src\/(?:packs\/.*(?:plans?|settings|flags)\.ts$|contract\/described\.ts$|base\/)/;
  expect([...reached].filter((path) => !expected.test(path))).toEqual([]);
  expect(reached.size).toBeGreaterThan(15);
});

test("what a start loads of a configuration file and of the packs in it has the schemas of zod/mini, and no classic zod", () => {
  const texts = new Map(readSources(["src"]).map(({ path, text }) => [path, text]));
  // Every source of `config` is loaded by some file, whether it is imported or waited for.
  const read = [...texts.keys()].filter((path) => path.startsWith("src/config/"));
  const reachedBy = new Map([...read, "src/packs/plans.ts"].map((path) => [path, ""]));
  const classic: string[] = [];
  const mini: string[] = [];
  for (const path of reachedBy.keys())
    for (const { groups } of (texts.get(path) ?? "").matchAll(STATIC)) {
      const from = groups?.["from"] ?? groups?.["required"] ?? "";
      const target = posix.join(posix.dirname(path), from);
      if (from.startsWith(".") && !reachedBy.has(target)) reachedBy.set(target, path);
      else if (from === "zod/mini") mini.push(path);
      else if (/^zod\b/.test(from)) classic.push(`${from}: ${wayTo(path, reachedBy)}`);
    }
  expect(mini).toContain("src/config/file-schema.ts");
  expect(mini).toContain("src/packs/web/settings.ts");
  expect(classic).toEqual([]);
});

test("the first call loads no tool of a pack that is off", () => {
  const texts = new Map(readSources(["src", "workers"]).map(({ path, text }) => [path, text]));
  const reachedBy = new Map(["src/host/late-parts.ts", "workers/read.ts"].map((path) => [path, ""]));
  for (const path of reachedBy.keys())
    for (const { groups } of (texts.get(path) ?? "").matchAll(STATIC)) {
      const from = groups?.["from"] ?? "";
      const target = posix.join(posix.dirname(path), from);
      if (from.startsWith(".") && !reachedBy.has(target)) reachedBy.set(target, path);
    }
  expect(reachedBy.has("src/packs/files/read/read-file.ts")).toBe(true);
  const packs = [...reachedBy.keys()].filter((path) => /^src\/packs\/\w+\/(?:pack|plan)\.ts$/.test(path));
  expect(packs.map((path) => wayTo(path, reachedBy))).toEqual([]);
});

test("every pack takes its plan from the file of all plans: the bundler would cut them into a chunk for each", () => {
  const texts = new Map(readSources(["src"]).map(({ path, text }) => [path, text]));
  const packs = [...texts].filter(([path]) => /^src\/packs\/\w+\/(?:\w+-)?pack\.ts$/.test(path));
  expect(packs.length).toBeGreaterThan(6);
  const others = packs.filter(
    ([, text]) => !text.includes('_PLAN } from "../plans.ts"') || /from "[^"]*plan\.ts"/.test(text),
  );
  expect(others.map(([path]) => path)).toEqual([]);
});

test("a plan makes no schema before it is asked for one: every start with a pack loads all plans", () => {
  for (const [name, { config }] of Object.entries(PLANS)) {
    expect([name, "usual" in config ? "lazy" : config._zod.def.type]).toEqual([name, "lazy"]);
  }
});

function wayTo(path: string, reachedBy: ReadonlyMap<string, string>): string {
  const before = reachedBy.get(path);
  return before ? `${wayTo(before, reachedBy)} > ${path}` : path;
}
