/**
 * The surface that clients see, pinned: names, order, aliases, and the rules that keep a client from dropping a tool or
 * the whole server.
 */
import { describe, expect, test } from "bun:test";
import { createRegistry, describeTool, listTools, type JsonSchema } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/tools/index.ts";

const NAMES = [
  "list_directory",
  "read_file",
  "read_files",
  "stat",
  "glob",
  "grep",
  "disk_usage",
  "hash_file",
  "tree",
  "diff_files",
  "system_info",
  "write_file",
  "edit_file",
  "append_file",
  "create_directory",
  "move",
  "copy",
  "delete",
  "open_path",
  "reveal_in_os",
];

const ALIASES: Readonly<Record<string, string>> = {
  read: "read_file",
  Read: "read_file",
  "file.read": "read_file",
  read_text_file: "read_file",
  write: "write_file",
  Write: "write_file",
  "file.write": "write_file",
  edit: "edit_file",
  Edit: "edit_file",
  "file.edit": "edit_file",
  list: "list_directory",
  listdir: "list_directory",
  ls: "list_directory",
  "file.list": "list_directory",
  mkdir: "create_directory",
  remove: "delete",
  rename: "move",
  file_stat: "stat",
  Glob: "glob",
  Grep: "grep",
};

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<string, unknown>>;
}

const described = builtinTools.map((tool) => describeTool(tool, true) as unknown as Described);

describe("the list of tools", () => {
  test("names and order", () => {
    expect(described.map(({ name }) => name)).toEqual(NAMES);
    expect(described.length).toBeLessThanOrEqual(25);
  });

  test("aliases", () => {
    const registry = createRegistry(builtinTools);
    for (const [alias, name] of Object.entries(ALIASES))
      expect(`${alias} ${registry.get(alias)?.name}`).toBe(`${alias} ${name}`);
  });

  for (const tool of described) {
    test(`${tool.name} keeps the rules of the wire`, () => {
      expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,30}$/);
      expect(tool.title).not.toBe("");
      expect(Buffer.byteLength(tool.description)).toBeLessThan(2048);
      for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"])
        expect(typeof tool.annotations[hint]).toBe("boolean");
      expect(tool.outputSchema?.type).toBe("object");
      checkSchema(tool.inputSchema, tool.name);
    });
  }

  test("only what changes nothing says that it is read-only", () => {
    const readOnly = described
      .filter(({ annotations }) => annotations["readOnlyHint"] === true)
      .map(({ name }) => name);
    expect(readOnly).toEqual(NAMES.slice(0, 11));
  });

  test("pages continue, and only with cursors that were given", () => {
    const many = Array.from({ length: 250 }, () => builtinTools[0]).filter((tool) => tool !== undefined);
    const first = listTools(many, undefined, false);
    expect(first?.tools.length).toBe(100);
    const second = listTools(many, first?.nextCursor, false);
    const third = listTools(many, second?.nextCursor, false);
    expect(third?.tools.length).toBe(50);
    expect(third?.nextCursor).toBeUndefined();
    for (const cursor of ["", "tools-0", "tools-99", "tools-300", "x", 7, null])
      expect(listTools(many, cursor, false)).toBeUndefined();
  });
});

function checkSchema(schema: JsonSchema, at: string): void {
  for (const keyword of ["$ref", "$defs", "oneOf", "allOf", "anyOf", "if", "$schema"])
    expect(`${at} ${keyword in schema ? keyword : "-"}`).toBe(`${at} -`);
  expect(typeof schema.type).toBe("string");
  if (schema.type === "object") expect(schema["additionalProperties"]).toBe(false);
  if (schema.type === "array") expect(schema.items).toBeDefined();
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    expect(`${at}.${name}: ${value.description ?? ""}`.length).toBeGreaterThan(`${at}.${name}: `.length + 5);
    checkSchema(value, `${at}.${name}`);
  }
  if (schema.items) checkSchema(schema.items, `${at}[]`);
}
