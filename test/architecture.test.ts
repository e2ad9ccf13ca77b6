/**
 * The architecture, held by a test: imports point one way and through faces only, and every power has one home. Each
 * rule is also fed a planted violation, because a check that finds nothing may be a check that looks at nothing.
 */
import { describe, expect, test } from "bun:test";
import { findCircles, findCrowdedFolders, MAX_FILES_OF_A_FOLDER } from "../scripts/checks/circles.ts";
import { checkFaces } from "../scripts/checks/faces.ts";
import { checkLayers, LAYERS } from "../scripts/checks/layers.ts";
import { checkPowers } from "../scripts/checks/powers.ts";
import { readSources } from "../scripts/checks/read-sources.ts";
import type { SourceFile } from "../scripts/checks/source-code.ts";

const sources = readSources(["src", "workers"]);

describe("the sources", () => {
  test("the sources are found by the checks", () => {
    expect(sources.length).toBeGreaterThan(0);
  });

  test("the sources import downwards and through faces only", () => {
    expect(sources.flatMap(checkLayers)).toEqual([]);
  });

  test("the sources have no circle of more than three files, and none across folders", () => {
    expect(findCircles(sources)).toEqual([]);
  });

  test("the sources stand in folders of at most fifteen, tables apart", () => {
    expect(findCrowdedFolders(sources, /^src\/dialects\/tables\//)).toEqual([]);
  });

  test("the sources of a folder import what its face says, and nothing else", () => {
    expect(checkFaces(sources)).toEqual([]);
  });

  test("the sources use each power in its home only", () => {
    expect(sources.flatMap(checkPowers)).toEqual([]);
  });

  test("the layers keep the order of docs/architecture.md", () => {
    expect(LAYERS.join(" < ")).toBe(
      "calls < client < base < pictures < sys < text < pattern < reach < scope < approval < fence < files < state < search < memory < wire < pool < proc < txn < policy < shell < audit < review < recorded < " +
        "watch < contract < packs < jobs < mcp < dialects < upstream < page < config < spaces < start < session < pipeline < methods < surfaces < host < library < clients < cli < main",
    );
  });
});

describe("checkLayers finds", () => {
  const cases: [name: string, path: string, text: string, found: string | undefined][] = [
    ["an import upwards", "src/text/a.ts", 'import { x } from "../host/index.ts";', "host is above text"],
    ["a type import upwards", "src/text/a.ts", 'import type { X } from "../host/index.ts";', "host is above text"],
    [
      "a type inside an import",
      "src/text/a.ts",
      'import {\n  type X,\n} from "../host/index.ts";',
      "host is above text",
    ],
    ["a dynamic import upwards", "src/text/a.ts", 'await import("../host/index.ts");', "host is above text"],
    ["a re-export upwards", "src/text/a.ts", 'export * from "../host/index.ts";', "host is above text"],
    ["an import type expression", "src/text/a.ts", 'let x: import("../host/index.ts").X;', "host is above text"],
    ["a private file of a lower layer", "src/host/a.ts", 'import "../text/locate.ts";', "only the face"],
    ["a private file from below", "src/host/b/a.ts", 'import "../../text/locate.ts";', "only the face"],
    ["the list of a package root inside", "src/host/a.ts", 'import "../calls/public.ts";', "only the face"],
    ["the types of the tools elsewhere", "src/host/a.ts", 'import "../../types/tools.d.ts";', "no known layer"],
    ["an unknown folder", "src/odd/a.ts", 'import "node:fs";', "in no known layer"],
    ["a file outside of src", "src/text/a.ts", 'import "../../scripts/build.ts";', "in no known layer"],
    ["cli in the package root", "src/index.ts", 'export * from "./cli/index.ts";', "must not start a program"],
    ["the package root inside", "src/host/a.ts", 'import "../index.ts";', "nothing inside imports"],
    ["a private file in a worker", "workers/read.ts", 'import "../src/pool/job.ts";', "only the face"],
    [
      "an import that a room of its own must not have",
      "src/shell/a.ts",
      'import "../base/index.ts";',
      "shell stands alone",
    ],
    ["a whole face imported late", "src/host/a.ts", 'await import("../packs/index.ts");', "would load all of packs"],
    ["nothing in a late import of some names", "src/host/a.ts", 'await import("../packs/late-packs.ts");', undefined],
    ["nothing in what such a room may import", "src/shell/a.ts", 'import "../text/index.ts";', undefined],
    ["nothing in an import downwards", "src/host/a.ts", 'import "../text/index.ts";', undefined],
    ["nothing in the own folder", "src/host/b/a.ts", 'import "../c.ts";', undefined],
    ["nothing in a package", "src/search/a.ts", 'import "../../node_modules/rregex/lib/web.js";', undefined],
    ["nothing in a comment", "src/text/a.ts", '// import "../host/index.ts"\n/* from "../host/index.ts" */', undefined],
    ["nothing in a worker's face import", "workers/read.ts", 'import "../src/pool/index.ts";', undefined],
  ];
  test.each(cases)("checkLayers() finds %s", (_name, path, text, found) => {
    expectFound(checkLayers({ path, text }), found);
  });
});

describe("checkFaces()", () => {
  const user = { path: "src/text/a.ts", text: 'import { x } from "../base/index.ts";' };

  test("checkFaces() takes a header that says what is imported, also over two lines", () => {
    expect(checkFaces([face("It may import\n * `base`."), user])).toEqual([]);
    expect(checkFaces([face("It imports nothing of ours.")])).toEqual([]);
  });

  test("checkFaces() finds an import that the header does not name, and a name that nothing imports", () => {
    expect(checkFaces([face(""), user])).toEqual(["src/text/index.ts: its header must say: It may import `base`."]);
    expect(checkFaces([face("It may import `base`.")])).toEqual([
      "src/text/index.ts: its header must say: It imports nothing of ours.",
    ]);
  });
});

describe("findCircles finds", () => {
  test("findCircles() finds a circle of four files, with types and import() counted", () => {
    const found = circle(
      'import type { A } from "./1.ts";',
      'await import("./2.ts");',
      'let x: import("./3.ts").X;',
      'export * from "./0.ts";',
    );
    expect(found).toEqual(["a circle of 4 files: src/text/0.ts, src/text/1.ts, src/text/2.ts, src/text/3.ts"]);
  });

  test("findCircles() finds no circle in three files that know each other, nor in a line of four", () => {
    expect(circle('import "./1.ts";', 'import "./2.ts";', 'import "./0.ts";')).toEqual([]);
    expect(circle('import "./1.ts";', 'import "./2.ts";', 'import "./3.ts";', "")).toEqual([]);
  });

  test("findCircles() finds a circle of two files in two folders", () => {
    const files = [
      { path: "src/text/a.ts", text: 'import "../scope/b.ts";' },
      { path: "src/scope/b.ts", text: 'import "../text/a.ts";' },
    ];
    expect(findCircles(files)).toEqual(["a circle of 2 files: src/scope/b.ts, src/text/a.ts"]);
  });
});

test("findCrowdedFolders() finds a folder of sixteen files, and does not count tables", () => {
  const files = Array.from({ length: MAX_FILES_OF_A_FOLDER + 1 }, (_, at) => ({
    path: `src/text/${at}.ts`,
    text: "",
  }));
  expect(findCrowdedFolders(files, /^$/)).toEqual([
    "src/text: 16 files, at most 15: move those of one subject into a folder of it",
  ]);
  expect(findCrowdedFolders(files, /\/0\.ts$/)).toEqual([]);
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
    ["a rename", "src/packs/a.ts", "renameSync(a, b)", "renameSync"],
    ["Bun.write", "src/host/a.ts", "await Bun.write(p, b)", "Bun.write"],
    ["a write into a descriptor", "src/search/a.ts", "writeSync(fd, bytes)", "writeSync"],
    ["a file opened for writing", "src/scope/a.ts", 'openSync(path, "wx", 0o600)', "for writing"],
    [
      "a file opened by flags",
      "src/files/a.ts",
      "openSync(path,\n constants.O_RDWR | constants.O_CREAT)",
      "for writing",
    ],
    ["a socket", "src/host/a.ts", "await Bun.connect({ port })", "Bun.connect"],
    ["a request", "src/upstream/a.ts", "await fetch(url)", "fetch"],
    ["a module of sockets", "src/mcp/a.ts", 'import { connect } from "node:net";', "node:net"],
    ["a started program", "src/pool/a.ts", "Bun.spawn([program])", "Bun.spawn"],
    ["a line of a shell", "src/pool/a.ts", "await Bun.$`ls`", "Bun.$"],
    ["a function of Bun by a name of its own", "src/host/a.ts", "const { spawn } = Bun;", "whole name"],
    ["a function of Bun that is imported", "src/host/a.ts", 'import { spawn } from "bun";', "whole name"],
    ["a module that is asked for", "src/host/a.ts", 'process.getBuiltinModule("child_process")', "whole name"],
    ["a fetch by another name", "src/host/a.ts", "const go = fetch;", "fetch"],
    ["a fetch of the global object", "src/host/a.ts", "globalThis.fetch(url)", "fetch"],
    ["a look for a name", "src/host/a.ts", 'import { lookup } from "node:dns";', "node:dns"],
    ["a socket of our own wrapper", "src/host/a.ts", "openSockets()", "openSockets"],
    ["a process of our own wrapper", "src/host/a.ts", "forkProgram(steps)", "forkProgram"],
    ["a write with a callback", "src/host/a.ts", 'import { writeFile } from "node:fs";', "writeFile"],
    ["a database", "src/host/a.ts", 'import { Database } from "bun:sqlite";', "bun:sqlite"],
    ["the environment of Bun", "src/host/a.ts", "Bun.env.HOME", "Bun.env"],
    ["the environment by a name of its own", "src/host/a.ts", "const { env } = process;", "process"],
    ["the environment by an index", "src/host/a.ts", 'process["env"]', "process["],
    ["a module that starts programs", "src/proc/a.ts", 'import { spawn } from "node:child_process";', "child_process"],
    ["fs/promises", "src/scope/a.ts", 'import { open } from "node:fs/promises";', "fs/promises"],
    ["node in a tool", "src/packs/a.ts", 'import { join } from "node:path";', "in a tool"],
    ["a lower layer in a tool", "src/packs/a.ts", 'import { open } from "../scope/index.ts";', "in a tool"],
    ["a package in a tool", "src/packs/a.ts", 'import * as diff from "diff";', "in a tool"],
    ["Bun in a tool", "src/packs/a.ts", "Bun.file(x)", "in a tool"],
    ["an upper layer's type in a tool", "src/packs/a.ts", 'import type { T } from "../txn/index.ts";', "in a tool"],
    ["fetch in a tool", "src/packs/a.ts", "fetch (x)", "in a tool"],
    ["nothing in the code of a power", "src/packs/web/serve-web.ts", "process.platform", undefined],
    ["a socket in the code of a power, too", "src/packs/web/serve-web.ts", "fetch (x)", "opens no socket"],
    ["process in a tool", "src/packs/a.ts", "process.platform", "in a tool"],
    ["a long worker", "workers/read.ts", "x;\n".repeat(30), "under 30"],
    ["a foreign import", "src/proc/a.ts", 'import { ptr } from "bun:ffi";', "bun:ffi"],
    ["a foreign type", "src/scope/a.ts", 'import type { Pointer } from "bun:ffi";', "bun:ffi"],
    ["a foreign import on demand", "src/txn/a.ts", 'await import("bun:ffi")', "bun:ffi"],
    ["a library in sys", "src/sys/files/a.ts", "dlopen(name, symbols)", "dlopen"],
    ["a library of the runtime's own kind", "src/host/a.ts", "process.dlopen(module, path)", "dlopen"],
    ["a rename by a foreign call", "src/scope/a.ts", "renameToFreeName(a, b)", "renameToFreeName"],
    ["nothing in the wrappers", "src/sys/files/a.ts", 'import { ptr } from "bun:ffi";', undefined],
    ["nothing in the loader", "src/sys/libc.ts", "dlopen(name, symbols)", undefined],
    ["nothing in a string", "src/host/a.ts", 'const hint = "use console.log or Date.now";', undefined],
    ["nothing in a comment", "src/host/a.ts", "// Date.now()\n/* console.log */", undefined],
    ["nothing after a regex with a quote", "src/host/a.ts", 'const x = /["\']/; const y = "console.log";', undefined],
    ["nothing in what a tool may import", "src/packs/a.ts", toolImports(), undefined],
    ["nothing in the schemas of a plan", "src/packs/a/plan.ts", 'import * as z from "zod/mini";', undefined],
    ["nothing in a plan that says what its keys mean", "src/packs/a/plan.ts", DESCRIBED, undefined],
    ["what plans say their keys with in a tool", "src/packs/a/tool.ts", DESCRIBED, "Cannot import"],
    ["a copy of a schema in settings", "src/packs/a/settings.ts", 'x.check(z.describe("y"))', "described"],
    ["a copy of a schema in the configuration", "src/config/a.ts", 'x.check(z.describe("y"))', "described"],
    ["slow schemas in settings", "src/packs/a/settings.ts", 'import * as z from "zod";', "Cannot import"],
    ["schemas of a plan in a tool", "src/packs/a.ts", 'import * as z from "zod/mini";', "Cannot import"],
    [
      "nothing in a file opened for reading",
      "src/files/a.ts",
      'openSync(path, "r"); openSync(path, constants.O_RDONLY)',
      undefined,
    ],
    ["nothing in a method of that name", "src/mcp/a.ts", "client.fetch(url); this.#fetch(url)", undefined],
    ["nothing in the writers", "src/txn/a.ts", "renameSync(a, b)", undefined],
  ];
  test.each(cases)("checkPowers() finds %s", (_name, path, text, found) => {
    expectFound(checkPowers({ path, text }), found);
  });
});

/** The face of src/text with these words in its header. */
function face(words: string): SourceFile {
  return { path: "src/text/index.ts", text: `/**\n * Texts. ${words}\n */\n` };
}

/** @param texts of files that are named by their numbers */
function circle(...texts: readonly string[]): string[] {
  return findCircles(texts.map((text, at) => ({ path: `src/text/${at}.ts`, text })));
}

const DESCRIBED = 'import { described } from "../../contract/described.ts";';

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
