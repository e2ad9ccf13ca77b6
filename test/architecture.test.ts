/**
 * The architecture, held by a test: imports point one way and through faces only, and every power has one home. Each
 * rule is also fed a planted violation, because a check that finds nothing may be a check that looks at nothing.
 */
import { describe, expect, test } from "bun:test";
import { findCircles } from "../scripts/checks/circles.ts";
import { checkLayers, LAYERS } from "../scripts/checks/layers.ts";
import { checkPowers } from "../scripts/checks/powers.ts";
import { readSources } from "../scripts/checks/read-sources.ts";

const sources = readSources(["src", "workers"]);

describe("the sources", () => {
  test("are found", () => {
    expect(sources.length).toBeGreaterThan(0);
  });

  test("import downwards and through faces only", () => {
    expect(sources.flatMap(checkLayers)).toEqual([]);
  });

  test("use each power in its home only", () => {
    expect(sources.flatMap(checkPowers)).toEqual([]);
  });

  test("keep the order of design.md", () => {
    expect(LAYERS.join(" < ")).toBe(
      "calls < client < base < text < pattern < scope < approval < fence < files < state < search < wire < pool < proc < txn < policy < shell < audit < " +
        "watch < contract < tools < jobs < mcp < dialects < upstream < config < start < session < pipeline < methods < surfaces < host < library < cli < main",
    );
  });
});

/** Folders whose files can be read one after the other; the rest follows. */
const READABLE = /^src\/(?:contract|host|jobs|mcp|methods|pipeline|policy|pool|session|surfaces|tools)\//;

describe("circles of imports", () => {
  test("have at most three files where a call goes", () => {
    const large = findCircles(sources).filter((circle) => circle.length > 3);
    expect(large.filter(([first]) => first !== undefined && READABLE.test(first))).toEqual([]);
  });

  test("are found through a type and through a dynamic import", () => {
    const circle = findCircles([
      { path: "src/a/x.ts", text: 'import type { Y } from "./y.ts";' },
      { path: "src/a/y.ts", text: 'const z = await import("./z.ts");' },
      { path: "src/a/z.ts", text: 'export { x } from "./x.ts";' },
      { path: "src/a/other.ts", text: 'import "./x.ts";' },
    ]);
    expect(circle).toEqual([["src/a/x.ts", "src/a/y.ts", "src/a/z.ts"]]);
  });
});

describe("checkLayers finds", () => {
  const cases: [name: string, path: string, text: string, found: string | undefined][] = [
    ["an import upwards", "src/text/a.ts", 'import { x } from "../host/index.ts";', "host is above text"],
    [
      "a type import upwards",
      "src/text/a.ts",
      'import type { X } from "../host/index.ts";',
      "host is above text",
    ],
    [
      "a type inside an import",
      "src/text/a.ts",
      'import {\n  type X,\n} from "../host/index.ts";',
      "host is above text",
    ],
    ["a dynamic import upwards", "src/text/a.ts", 'await import("../host/index.ts");', "host is above text"],
    ["a re-export upwards", "src/text/a.ts", 'export * from "../host/index.ts";', "host is above text"],
    [
      "an import type expression",
      "src/text/a.ts",
      'let x: import("../host/index.ts").X;',
      "host is above text",
    ],
    ["a private file of a lower layer", "src/host/a.ts", 'import "../text/locate.ts";', "only the face"],
    ["a private file from below", "src/host/b/a.ts", 'import "../../text/locate.ts";', "only the face"],
    ["an unknown folder", "src/odd/a.ts", 'import "node:fs";', "in no known layer"],
    ["a file outside of src", "src/text/a.ts", 'import "../../scripts/build.ts";', "in no known layer"],
    [
      "cli in the package root",
      "src/index.ts",
      'export * from "./cli/index.ts";',
      "must not start a program",
    ],
    ["the package root inside", "src/host/a.ts", 'import "../index.ts";', "nothing inside imports"],
    ["a private file in a worker", "workers/read.ts", 'import "../src/pool/job.ts";', "only the face"],
    ["nothing in an import downwards", "src/host/a.ts", 'import "../text/index.ts";', undefined],
    ["nothing in the own folder", "src/host/b/a.ts", 'import "../c.ts";', undefined],
    ["nothing in a package", "src/search/a.ts", 'import "../../node_modules/rregex/lib/web.js";', undefined],
    [
      "nothing in a comment",
      "src/text/a.ts",
      '// import "../host/index.ts"\n/* from "../host/index.ts" */',
      undefined,
    ],
    ["nothing in a worker's face import", "workers/read.ts", 'import "../src/pool/index.ts";', undefined],
  ];
  test.each(cases)("%s", (_name, path, text, found) => {
    expectFound(checkLayers({ path, text }), found);
  });
});

describe("checkPowers finds", () => {
  const cases: [name: string, path: string, text: string, found: string | undefined][] = [
    ["a worker outside the pool", "src/host/a.ts", "new Worker(url)", "new Worker"],
    ["the environment", "src/host/a.ts", 'process.env["HOME"]', "process.env"],
    ["the current directory", "src/host/a.ts", "process.cwd()", "process.cwd"],
    ["the clock", "src/host/a.ts", "Date.now()", "Date.now"],
    ["the clock as a date", "src/host/a.ts", "new Date()", "new Date"],
    ["randomness", "src/host/a.ts", "randomBytes(3)", "randomBytes"],
    ["stdout", "src/host/a.ts", "process.stdout.write(x)", "process.stdout"],
    ["Bun in the client", "src/client/a.ts", "await Bun.sleep(1)", "Bun"],
    ["the console", "src/host/a.ts", "console.error(x)", "console."],
    ["the console inside a template", "src/host/a.ts", "`${console.log(1)}`", "console."],
    ["a write", "src/scope/a.ts", "writeFileSync(p, b)", "writeFileSync"],
    ["a rename", "src/tools/a.ts", "renameSync(a, b)", "renameSync"],
    ["Bun.write", "src/host/a.ts", "await Bun.write(p, b)", "Bun.write"],
    ["fs/promises", "src/scope/a.ts", 'import { open } from "node:fs/promises";', "fs/promises"],
    ["node in a tool", "src/tools/a.ts", 'import { join } from "node:path";', "in a tool"],
    ["a lower layer in a tool", "src/tools/a.ts", 'import { open } from "../scope/index.ts";', "in a tool"],
    ["a package in a tool", "src/tools/a.ts", 'import * as diff from "diff";', "in a tool"],
    ["Bun in a tool", "src/tools/a.ts", "Bun.file(x)", "in a tool"],
    [
      "an upper layer's type in a tool",
      "src/tools/a.ts",
      'import type { T } from "../txn/index.ts";',
      "in a tool",
    ],
    ["fetch in a tool", "src/tools/a.ts", "fetch (x)", "in a tool"],
    ["process in a tool", "src/tools/a.ts", "process.platform", "in a tool"],
    ["a long worker", "workers/read.ts", "x;\n".repeat(30), "under 30"],
    ["nothing in a string", "src/host/a.ts", 'const hint = "use console.log or Date.now";', undefined],
    ["nothing in a comment", "src/host/a.ts", "// Date.now()\n/* console.log */", undefined],
    [
      "nothing after a regex with a quote",
      "src/host/a.ts",
      'const x = /["\']/; const y = "console.log";',
      undefined,
    ],
    ["nothing in what a tool may import", "src/tools/a.ts", toolImports(), undefined],
    ["nothing in the writers", "src/txn/a.ts", "renameSync(a, b)", undefined],
  ];
  test.each(cases)("%s", (_name, path, text, found) => {
    expectFound(checkPowers({ path, text }), found);
  });
});

function toolImports(): string {
  return [
    'import { z } from "zod";',
    'import { Failure } from "../base/index.ts";',
    'import type { Tool } from "../contract/index.ts";',
    'import { pathField } from "./path-field.ts";',
  ].join("\n");
}

function expectFound(problems: readonly string[], found: string | undefined): void {
  if (found === undefined) expect(problems).toEqual([]);
  else expect(problems.join("\n")).toContain(found);
}
