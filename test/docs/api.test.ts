/**
 * The API reference: every export of both entry points is in it, as a caller sees it, and none goes undocumented.
 */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as library from "ringfence";
import * as client from "ringfence/client";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { apiPage } from "../../scripts/docs/api-page.ts";
import { readExports, type Exported } from "../../scripts/docs/read-exports.ts";

describe("the page", () => {
  test.each([
    ["src/index.ts", Object.keys(library)],
    ["src/client/index.ts", Object.keys(client)],
  ])("the page has every export of %s once, with text and signature", (entry, values) => {
    const found = readExports(join(REPOSITORY, entry));
    const names = found.map(({ name }) => name);
    expect(values.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(found.filter(({ doc, signature }) => doc === "" || signature === "")).toEqual([]);
    const page = apiPage();
    for (const { name, signature } of found) {
      expect(page).toMatch(new RegExp(`^### ${name}( in the client)?$`, "m"));
      expect(page).toContain(signature);
    }
  });
});

function exportsOf(declarations: string, names: string): readonly Exported[] {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-api-"));
  try {
    writeFileSync(join(folder, "a.ts"), declarations);
    writeFileSync(join(folder, "index.ts"), `export { ${names} } from "./a.ts";\n`);
    return readExports(join(folder, "index.ts"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("a signature", () => {
  const cases: [name: string, source: string, signature: string][] = [
    [
      "of a function",
      "function f(a: { b: string }): { c: 1 } {\n  return x;\n}",
      "function f(a: { b: string }): { c: 1 };",
    ],
    ["of an asynchronous function", "async function f(): Promise<void> {\n}", "function f(): Promise<void>;"],
    ["of a constant", "const f: readonly string[] = [];", "const f: readonly string[];"],
    [
      "of a union",
      'type f =\n  | "a" /* one; */\n  | { b: 1; c: 2 };',
      'type f =\n  | "a" /* one; */\n  | { b: 1; c: 2 };',
    ],
    ["of an interface", "interface f {\n  a: {\n    b: 1;\n  };\n}", "interface f {\n  a: {\n    b: 1;\n  };\n}"],
    ["of an empty interface", "interface f extends G {}", "interface f extends G {}"],
    [
      "of a class",
      'class f {\n  readonly a = "x";\n  #b = 1;\n\n  c(d: D = {}): void {\n    this.x;\n  }\n}',
      'class f {\n  readonly a: "x";\n  c(d?: D): void;\n}',
    ],
  ];
  test.each(cases)("%s has no body", (_name, source, signature) => {
    const [found] = exportsOf(`/** What it is. */\nexport ${source}\n`, "f");
    expect(found).toEqual({ name: "f", doc: "What it is.", signature });
  });

  test("a signature has the name that is exported", () => {
    const [found] = exportsOf("/** A. */\nexport type A = string;\n", "A as B");
    expect(found).toEqual({ name: "B", doc: "A.", signature: "type B = string;" });
  });
});

test("an export without a docstring is refused, and so is one that there is not", () => {
  expect(() => exportsOf("/** Of the file. */\nconst a = 1;\nexport const f = a;\n", "f")).toThrow("no docstring");
  expect(() => exportsOf("/** A. */\nexport const f = 1;\n", "g")).toThrow('Cannot find "g"');
});
