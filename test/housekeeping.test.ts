/**
 * The rules of the files and of the manifest: headers, sizes, names, a face for every folder, tests for every folder,
 * pinned versions. Each rule is also fed a planted violation.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { missingOptional, readLock, readManifest } from "../scripts/build/lock-file.ts";
import { checkDocComments, knownNames } from "../scripts/checks/doc-comments.ts";
import { checkFile, MACHINE_PATHS } from "../scripts/checks/file-rules.ts";
import { checkTestClocks } from "../scripts/checks/test-clocks.ts";
import { checkTestTitles } from "../scripts/checks/test-titles.ts";
import { readSources, repositoryPaths, REPOSITORY } from "../scripts/checks/read-sources.ts";
import { checkTypeNames } from "../scripts/checks/type-names.ts";

const sources = readSources(["src", "workers", "scripts", "test", "bench", "examples"]);
const folders = readdirSync(join(REPOSITORY, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

describe("files", () => {
  test("all files keep the rules of files", () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.flatMap(checkFile)).toEqual([]);
  });

  test("every folder of src has a face", () => {
    expect(folders.filter((name) => !existsSync(join(REPOSITORY, "src", name, "index.ts")))).toEqual([]);
  });

  test("every folder of src has tests in the folder of its name", () => {
    const tests = sources.map(({ path }) => path).filter((path) => path.endsWith(".test.ts"));
    expect(folders.filter((name) => !tests.some((path) => path.startsWith(`test/${name}/`)))).toEqual([]);
  });
});

describe("checkFile finds", () => {
  const header = "/**\n * What this file is for, in a sentence.\n */\n";
  const cases: [name: string, path: string, text: string, found: string | undefined][] = [
    ["a missing header", "src/text/a.ts", "export const a = 1;\n", "header"],
    ["a header that says nothing", "src/text/a.ts", "/**\n * Locates.\n */\n", "header"],
    ["a long header", "src/text/a.ts", `/**\n${" * line of words\n".repeat(13)} */\n`, "header of 13 lines"],
    ["a long file", "src/text/a.ts", header + "x;\n".repeat(300), "303 lines"],
    ["a forbidden file name", "src/text/utils.ts", header, '"utils"'],
    ["a forbidden folder name", "src/helpers/a.ts", header, '"helpers"'],
    ["a name that is not kebab-case", "src/text/readFile.ts", header, "kebab-case"],
    ["a default export", "src/text/a.ts", `${header}export default 1;\n`, "default export"],
    [
      "a path of a machine",
      "src/text/a.ts",
      `${header}const a = "${["", "home", "someone"].join("/")}";\n`,
      "one machine",
    ],
    ["nothing in a good file", "src/mcp/2025-11-25/list-tools.test.ts", header, undefined],
  ];
  test.each(cases)("checkFile() finds %s", (_name, path, text, found) => {
    const problems = checkFile({ path, text });
    if (found === undefined) expect(problems).toEqual([]);
    else expect(problems.join("\n")).toContain(found);
  });
});

describe("doc comments", () => {
  test("doc comments stand alone and name what exists", () => {
    const known = knownNames(sources, repositoryPaths());
    expect(sources.flatMap((file) => checkDocComments(file, known))).toEqual([]);
  });

  const cases: [name: string, comment: string, found: string | undefined][] = [
    ["an opening that leans on the line above", "/** Of the first one. */", 'with "Of"'],
    ["an opening that repeats the line above", "  /**\n   * The same for others.\n   */", 'with "The same"'],
    ["a pronoun without a noun", "/** Its name. */", 'with "Its"'],
    ["a call of a function that is not there", "/** Calls `openNothing()`. */", "`openNothing`"],
    ["a type that is not there", "/** Makes a `NoSuchType`. */", "`NoSuchType`"],
    ["a file that is not there", "/** See `files/no-such-file.ts`. */", "`no-such-file.ts`"],
    ["nothing in words that begin alike", '/** Often it is `"text"`. Itself: `known()`, `a/b.ts`. */', undefined],
    ["nothing in a text", 'const a = "/** Of it. */";', undefined],
    ["nothing in a comment that is no doc comment", "// Of it.\n/* Of it. */", undefined],
  ];
  test.each(cases)("checkDocComments() finds %s", (_name, text, found) => {
    const known = knownNames([{ path: "a/b.ts", text: "const known = 1;" }], []);
    const problems = checkDocComments({ path: "src/config/a.ts", text }, known);
    if (found === undefined) expect(problems).toEqual([]);
    else expect(problems.join("\n")).toContain(found);
  });
});

describe("exported types", () => {
  test("exported types have a name of their own", () => {
    expect(checkTypeNames(sources)).toEqual([]);
  });

  test("checkTypeNames() finds a name in two folders, and not one that is handed on or private", () => {
    const found = checkTypeNames([
      { path: "src/a/a.ts", text: "export interface Row<T> {\n}\nexport interface Own {}\n" },
      { path: "src/b/b.ts", text: "\nexport type Row = string;\ninterface Own {}\n" },
      { path: "src/b/index.ts", text: 'export type { Own } from "../a/index.ts";\n' },
      { path: "src/a/c.ts", text: "export type Own = 1;\n" },
      { path: "test/a.ts", text: "export type Row = 1;\n" },
    ]);
    expect(found).toEqual([
      "src/a/a.ts:1: Cannot export the type Row: src/b exports one too",
      "src/b/b.ts:2: Cannot export the type Row: src/a exports one too",
    ]);
  });
});

test("no test reads a clock, sleeps, or has a limit of its own", () => {
  expect(sources.flatMap(checkTestClocks)).toEqual([]);
});

describe("titles of tests", () => {
  test("every title is a sentence that stands without its describe", () => {
    expect(sources.flatMap(checkTestTitles)).toEqual([]);
  });

  test.each([
    ["apply() writes nothing when a step fails", undefined],
    ["a file that is gone is refused", undefined],
    ["the parser takes %s", undefined],
    ["%s", "at least three words"],
    ["of a directory nothing is shown", 'begins with "of"'],
    ["and keeps the other lines", 'begins with "and"'],
    ["refuses nothing at all", "begins with its verb"],
    ["a file that is gone", "no verb of its own"],
    ["the whole text", "no verb of its own"],
  ])("checkTestTitles() says of %j: %p", (title, found) => {
    const text = `test.skipIf(no)(\n  ${JSON.stringify(title)}, () => {});\n`;
    const problems = checkTestTitles({ path: "test/a.test.ts", text });
    if (found === undefined) expect(problems).toEqual([]);
    else expect(problems.join()).toContain(`test/a.test.ts:2: Cannot use the title "${title}": `);
    expect(problems.join()).toContain(found ?? "");
  });
});

test("property tests take fast-check with the seed of all runs", () => {
  const others = sources.filter(
    ({ path, text }) => path !== "test/property.ts" && /^import .* from "fast-check"/m.test(text),
  );
  expect(others.map(({ path }) => path)).toEqual([]);
});

describe("checkTestClocks finds", () => {
  const cases: [name: string, path: string, text: string, found: string | undefined][] = [
    ["a clock", "test/a.test.ts", "const begun = performance.now();", "performance.now"],
    ["time of the processor", "test/a.test.ts", "process.cpuUsage()", "process.cpuUsage"],
    ["a sleep", "test/a.test.ts", "await Bun.sleep(200);", "Bun.sleep"],
    ["a timer", "test/a-kit.ts", "setTimeout(() => stop.abort(), 100);", "setTimeout"],
    ["a limit", "test/a.test.ts", 'test("a", () => {\n  go();\n}, 60_000);\n', "a.test.ts:3: Cannot give"],
    ["nothing in the waits themselves", "test/waits/until.ts", "await Bun.sleep(5);", undefined],
    ["nothing in a program", "src/a.ts", "await Bun.sleep(5);", undefined],
    ["nothing in words", "test/a.test.ts", "// Bun.sleep(5)", undefined],
  ];
  test.each(cases)("checkTestClocks() finds %s", (_name, path, text, found) => {
    const problems = checkTestClocks({ path, text });
    if (found === undefined) expect(problems).toEqual([]);
    else expect(problems.join("\n")).toContain(found);
  });
});

describe("the manifest", () => {
  const manifest = readManifest(REPOSITORY);
  const lock = readLock(REPOSITORY);
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });

  test("the manifest pins every version exactly", () => {
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version))).toEqual([]);
  });

  test("the manifest and the lock file agree", () => {
    const locked = wanted.map(([name]) => [name, lock.packages[`node_modules/${name}`]?.version]);
    expect(locked).toEqual(wanted);
  });

  test("the lock file names the packages of every platform, as `npm ci` demands", () => {
    // `bun scripts/complete-lock.ts` adds them.
    expect(missingOptional(lock)).toEqual([]);
  });

  test("the manifest pins the Bun that runs these tests", () => {
    expect(manifest.devDependencies["bun"]).toBe(Bun.version);
  });
});

test("no other text of the repository names a folder of one machine", () => {
  const texts = ["*.md", "docs/**/*.md", "*.json", ".ci/*", "scripts/*.mjs"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: REPOSITORY, dot: true }),
  ]);
  const named = texts.filter((path) => MACHINE_PATHS.test(readFileSync(join(REPOSITORY, path), "utf8")));
  expect(named).toEqual([]);
});
