/**
 * The article on files and search: its own calls, by its names and with its parameters, and what it says that they do. "Read
 * establishes baseline. Search narrows scope. Edit changes carefully. Write sparingly."
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type CallAnswer, type TestHost } from "../../host/in-memory-host.ts";

const FILES = {
  "src/sum.ts": "export function sum(a: number, b: number) {\n  return a - b\n}\n",
  "tests/sum.test.ts": 'import { sum } from "../src/sum"\n\nexpect(sum(1, 2)).toBe(3)\n',
  "package.json": '{"scripts":{"test":"vitest"}}\n',
  ".env": "OPENAI_API_KEY=x\n",
  "node_modules/x/sum.test.ts": "sum(\n",
  "dist/sum.test.ts": "sum(\n",
  "coverage/sum.test.ts": "sum(\n",
};

const open = (config: object = {}): TestHost =>
  openTestHost({ files: FILES, config: { mode: "accept_edits", baseline: "required", ...config } });
const READ = { file_path: "src/sum.ts" };
const EDIT = { file_path: "src/sum.ts", old_string: "return a - b", new_string: "return a + b" };
const codeOf = ({ failure }: CallAnswer): string | undefined => failure?.code;

test("Glob finds candidates and ignores node_modules, dist and coverage by default", async () => {
  await using host = open();
  expect((await host.call("Glob", { pattern: "**/*test*.ts" })).text).toBe("tests/sum.test.ts");
});

test("Grep answers matching fragments as path:line:text, with matchedCount, returnedCount and the next call", async () => {
  await using host = open();
  const grep = { pattern: "sum\\(", path: "src" };
  expect((await host.call("Grep", grep)).text).toBe("src/sum.ts:1:export function sum(a: number, b: number) {");
  const cut = await host.call("Grep", { pattern: "sum", limit: 1 });
  expect(cut.result._meta["dev.ringfence/observation"]).toMatchObject({ matched: 1, returned: 1, at_least: true });
  expect(cut.all).toContain("To go on: grep");
});

test("Grep asks a person before it searches for obvious secret patterns", async () => {
  await using host = open();
  for (const pattern of ["AKIA", "PRIVATE KEY", "password="])
    expect([pattern, codeOf(await host.call("Grep", { pattern }))]).toEqual([pattern, "needs_approval"]);
});

test("Grep is denied outside of the workspace", async () => {
  await using host = open();
  expect(codeOf(await host.call("Grep", { pattern: "needle", path: "/srv/other" }))).toBe("outside_scope");
  // Asked about first, wherever it would look.
  expect(codeOf(await host.call("Grep", { pattern: "OPENAI_API_KEY", path: "/srv/other" }))).toBe("needs_approval");
});

test("Edit of a file that was not read is refused, and after Read it is applied with a diff", async () => {
  await using host = open();
  await host.call("Grep", { pattern: "return a - b" });
  expect(codeOf(await host.call("Edit", EDIT))).toBe("stale");
  await host.call("Read", READ);
  const made = await host.call("Edit", EDIT);
  expect(made.text).toContain("-  return a - b\n+  return a + b");
  expect(host.read("src/sum.ts")).toContain("return a + b");
});

test("Edit of a file that changed after Read is refused, and says what changed", async () => {
  await using host = open();
  await host.call("Read", READ);
  writeFileSync(join(host.root, "src/sum.ts"), FILES["src/sum.ts"].replace("number) {", "number): number {"));
  const failed = await host.call("Edit", EDIT);
  expect(codeOf(failed)).toBe("stale");
  expect(failed.text).toContain("+export function sum(a: number, b: number): number {");
});

test("Edit whose old_string occurs more than once is rejected unless replace_all is declared", async () => {
  await using host = open();
  await host.call("Read", READ);
  const twice = { file_path: "src/sum.ts", old_string: "number", new_string: "bigint" };
  const failed = await host.call("Edit", twice);
  expect(codeOf(failed)).toBe("ambiguous");
  expect(failed.text).toContain("2 times");
  expect(codeOf(await host.call("Edit", { ...twice, replace_all: true }))).toBeUndefined();
});

test("Edit whose new_string is not different is rejected", async () => {
  await using host = open();
  await host.call("Read", READ);
  const same = await host.call("Edit", { ...EDIT, new_string: EDIT.old_string });
  expect(same.text).toMatch(/nothing to change|the same/i);
  expect(host.read("src/sum.ts")).toBe(FILES["src/sum.ts"]);
});

test("Write of an existing file must be Read first, and shows a diff", async () => {
  await using host = open();
  const write = { file_path: "src/sum.ts", content: "export const sum = 1\n", overwrite: true };
  expect(codeOf(await host.call("Write", write))).toBe("stale");
  await host.call("Read", READ);
  const made = await host.call("Write", write);
  expect(made.failure ?? made.text).toBe(made.text);
  expect(made.all).toContain("+export const sum = 1");
});

test("Read answers numbered lines where they are asked for, a page of a long file, and how to go on", async () => {
  await using host = openTestHost({ files: { "long.txt": "x\n".repeat(9000) } });
  const read = await host.call("Read", { file_path: "long.txt", offset: 3, limit: 2, line_numbers: true });
  expect(read.text).toBe("     3\tx\n     4\tx\n");
  expect(read.all).toContain('To go on: read_file {"path":"long.txt","offset":5');
});

test("a path goes no way out of the workspace, however it is written", async () => {
  await using host = open();
  const asked: [path: string, code: string][] = [
    ["../../.ssh/id_rsa", "denied"],
    ["src/../.env", "denied"],
    ["/srv/other/id_rsa", "outside_scope"],
    ["../../x", "outside_scope"],
    ["~/.ssh/id_rsa", "invalid_input"],
    [".env", "denied"],
  ];
  for (const [path, code] of asked)
    expect([path, codeOf(await host.call("Read", { file_path: path }))]).toEqual([path, code]);
});

test("ignoreGlobs of the workspace are a key of the configuration", async () => {
  await using host = open({ ignore: ["tests/"] });
  expect((await host.call("Glob", { pattern: "**/*test*.ts" })).text).toBe("No files match.");
});

test("a write to configuration, to lock files and to hidden directories is asked about", async () => {
  await using host = open({ baseline: "if_known" });
  for (const path of ["package-lock.json", ".github/ci.yml", ".vscode/settings.json", "tsconfig.json"]) {
    const answer = await host.call("Write", { file_path: path, content: "{}\n" });
    expect([path, answer.proposal !== undefined]).toEqual([path, true]);
  }
});
