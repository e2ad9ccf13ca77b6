/**
 * Arguments of no sense, for every row: each is answered as a failure of the call or read as something that our tool
 * takes; none is a bug.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { Failure } from "../../src/base/index.ts";
import { DIALECTS } from "../../src/config/index.ts";
import { createRegistry, inputSchemaOf, parametersOf } from "../../src/contract/index.ts";
import { openDialect } from "../../src/dialects/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";

const VALUE = fc.oneof(
  fc.constantFrom("a.txt", "-1", "true", "", "__proto__", "*.ts", "content"),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, ["a"], [1], [{ old_string: "a" }], [{ constructor: 1 }]),
  fc.jsonValue(),
);

test.each(DIALECTS.filter((name) => name !== "ringfence"))(
  "an odd argument is answered as the reference server does: %s",
  async (name) => {
    const { rows } = await openDialect(name, createRegistry([...builtinTools, ...commandTools({}, true)]));
    for (const compiled of rows) {
      const names = [
        ...Object.keys(compiled.row.parameters),
        ...Object.keys(parametersOf(compiled.tool)),
        "__proto__",
        "constructor",
        "toString",
      ];
      const given = fc.oneof(
        fc.dictionary(fc.constantFrom(...names), VALUE, { noNullPrototype: true }),
        fc.jsonValue(),
      );
      fc.assert(
        fc.property(given, (args) => {
          let ours: object;
          try {
            ours = compiled.toOurs(args).input;
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(Failure);
            return;
          }
          // What was understood can be said again.
          expect(typeof compiled.toTheirs(ours as Readonly<Record<string, unknown>>)).toBe("object");
        }),
        { numRuns: 100 },
      );
    }
  },
);

test.each([
  [86_401, "too large", "Seconds"],
  [0.0004, "too small", "Seconds"],
])("construct bash says in its own unit that a timeout of %p is %s", async (timeout, _, unit) => {
  const { rows } = await openDialect("construct", createRegistry([...builtinTools, ...commandTools({}, true)]));
  const row = rows.find((one) => one.row.name === "bash") ?? expect.unreachable();
  expect(() => row.toOurs({ command: "x", timeout })).toThrow(
    expect.objectContaining({ data: expect.objectContaining({ code: "invalid_input" }) as unknown }) as Error,
  );
  try {
    row.toOurs({ command: "x", timeout });
  } catch (thrown) {
    const { message, hint } = (thrown as Failure).data;
    expect(`${message} ${hint}`).toContain(String(timeout));
    expect(`${message} ${hint}`).toContain(unit);
    expect(`${message} ${hint}`).not.toContain("Milliseconds");
  }
  expect(inputSchemaOf({ name: "bash", input: row.listed }).properties?.["timeout"]).toMatchObject({ maximum: 86_400 });
});

test("toTheirs() gives back a call that means the same", async () => {
  const { rows } = await openDialect("claude", createRegistry([...builtinTools, ...commandTools({}, true)]));
  const row = (name: string) => rows.find((one) => one.row.name === name) ?? expect.unreachable();
  for (const [name, ours] of [
    ["Read", { path: "a", offset: 3, limit: 2, line_numbers: true }],
    ["Read", { path: "a", line_numbers: false, unless_hash: "x" }],
    ["Grep", { pattern: "x", output: "content", case: "insensitive", include: ["*.ts"], cursor: "c" }],
    ["Grep", { pattern: "x", output: "files", include: ["*.ts", "*.js"] }],
    ["MultiEdit", { path: "a", edits: [{ old_text: "a", new_text: "b" }] }],
    ["Glob", { pattern: "*", hidden: true, sort: "name" }],
  ] as const)
    expect(row(name).toOurs(row(name).toTheirs(ours)).input).toEqual(ours);
});

test.each([
  ["construct", "bash", { command: "x", timeout: 1.5 }, { command: "x", timeout_ms: 1500 }],
  ["construct", "bash", { command: "x", timeoutMs: 1500 }, { command: "x", timeout_ms: 1500 }],
  ["construct", "read", { file_path: "a", maxLines: 2 }, { path: "a", limit: 2, line_numbers: true }],
  ["clarvis", "bash", { command: "x", timeoutMs: 1500, other: 1 }, { command: "x", timeout_ms: 1500 }],
  ["clarvis", "write_file", { file_path: "a", text: "x" }, { path: "a", content: "x" }],
  ["clarvis", "write_file", { path: "a", content: "x", text: "y", filePath: "b" }, { path: "a", content: "x" }],
  ["clarvis", "move", { from: "a", to: "b" }, { source: "a", destination: "b" }],
  ["clarvis", "bash", { command: "x", run_in_background: true }, { command: "x", timeout_ms: 120_000 }],
  ["clarvis", "bash", { command: "x", timeout_ms: 0 }, { command: "x", timeout_ms: 120_000 }],
  ["clarvis", "bash", { command: "x", timeout_ms: 9e9 }, { command: "x", timeout_ms: 86_400_000 }],
  ["flynn", "shell.exec", { command: "x", timeout: 1500 }, { command: "x", timeout_ms: 1500 }],
  ["claude", "Bash", { command: "x", timeout: 1500 }, { command: "x", timeout_ms: 1500 }],
  [
    "claude",
    "Bash",
    { command: "x", description: "d", timeoutMs: 5000, runInBackground: true, cwd: "src" },
    { command: "x", description: "d", timeout_ms: 5000, background: true, cwd: "src" },
  ],
  ["flynn", "shell.exec", { command: "x", timeoutMs: 1500 }, { command: "x", timeout_ms: 1500 }],
  ["codex", "shell", { command: ["bash", "-lc", "a | b"] }, { command: "a | b" }],
  ["codex", "shell", { command: ["echo", "it's", "$X", "a=b"] }, { command: String.raw`echo 'it'\''s' '$X' a=b` }],
  ["gemini", "read_file", { file_path: "a", offset: 0, limit: 5 }, { path: "a", offset: 1, limit: 5 }],
  ["gemini", "read_file", { file_path: "a", start_line: 3, end_line: 3 }, { path: "a", offset: 3, limit: 1 }],
  ["gemini", "glob", { pattern: "x", respect_git_ignore: true }, { pattern: "x", no_ignore: false }],
] as const)("%s %s %j is read as %j", async (dialect, name, given, ours) => {
  const { rows } = await openDialect(dialect, createRegistry([...builtinTools, ...commandTools({}, true)]));
  expect(rows.find(({ row }) => row.name === name)?.toOurs(given).input).toEqual(ours);
});
