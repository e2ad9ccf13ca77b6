/**
 * Everything that a client sees in `tools/list`, pinned by literal: names in their order, aliases, titles, annotations,
 * parameters; and the rules that keep every known client able to take the schemas.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { DIALECTS } from "../../src/config/index.ts";
import { defineLocalTool } from "../../src/contract/index.ts";
import { createInstructions } from "../../src/host/about.ts";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openCommandHost } from "../proc/command-host.ts";

const READS =
  "list_directory read_file read_files stat glob grep disk_usage hash_file tree diff_files system_info await_review".split(
    " ",
  );
const CHANGES =
  "write_file edit_file append_file create_directory move copy delete apply_patch change_files replace".split(" ");
const SHOWS = ["open_path", "reveal_in_os"];

let host: TestHost;
let tools: Json[];
const display = process.env["DISPLAY"];

beforeAll(async () => {
  process.env["DISPLAY"] = ":0";
  host = openTestHost({ config: { results: "structured" } });
  tools = (await host.request("tools/list")).result.tools;
});

afterAll(async () => {
  if (display === undefined) delete process.env["DISPLAY"];
  else process.env["DISPLAY"] = display;
  await host[Symbol.asyncDispose]();
});

test("the names, in their order", () => {
  expect(tools.map(({ name }) => name)).toEqual([...READS, ...CHANGES, ...SHOWS]);
});

test("the aliases of the tools are what they were", () => {
  const aliases = builtinTools.flatMap(({ name, aliases: list }) => (list ?? []).map((alias) => [alias, name]));
  expect(Object.fromEntries(aliases)).toEqual({
    list: "list_directory",
    listdir: "list_directory",
    ls: "list_directory",
    "file.list": "list_directory",
    read: "read_file",
    Read: "read_file",
    "file.read": "read_file",
    read_text_file: "read_file",
    file_stat: "stat",
    Glob: "glob",
    Grep: "grep",
    write: "write_file",
    Write: "write_file",
    "file.write": "write_file",
    edit: "edit_file",
    Edit: "edit_file",
    "file.edit": "edit_file",
    mkdir: "create_directory",
    rename: "move",
    move_file: "move",
    copy_file: "copy",
    remove: "delete",
    applyPatch: "apply_patch",
    patch: "apply_patch",
    transaction: "change_files",
    replace_in_files: "replace",
  });
});

test("the parameters of the tools are what they were, required ones with a mark", () => {
  const shown = tools.map(({ name, inputSchema }) => {
    const names = Object.keys(inputSchema.properties ?? {});
    return [name, names.map((one) => (inputSchema.required?.includes(one) ? `${one}!` : one)).join(" ")];
  });
  expect(Object.fromEntries(shown)).toEqual({
    list_directory: "path recursive depth hidden no_ignore exclude sort limit cursor",
    read_file: "path! offset limit line_numbers encoding unless_hash",
    read_files: "files!",
    stat: "path! hash kind",
    glob: "pattern! path hidden no_ignore exclude directories sort limit cursor",
    grep:
      "pattern! path include exclude type literal case word line multiline dotall invert before after context " +
      "output only_matching max_count follow binary engine hidden no_ignore limit skip cursor",
    disk_usage: "path depth limit",
    hash_file: "path paths algorithm",
    tree: "path depth hidden no_ignore limit",
    diff_files: "a! b text context",
    system_info: "",
    await_review: "ids seconds",
    write_file: "path! content! encoding overwrite if_hash",
    edit_file: "path! old_text new_text replace_all edits if_hash in_place",
    append_file: "path! content! if_hash",
    create_directory: "path!",
    move: "source! destination! overwrite if_hash",
    copy: "source! destination! overwrite recursive if_hash",
    delete: "path! recursive if_hash",
    apply_patch: "patch! if_hashes overwrite",
    change_files: "operations!",
    replace:
      "pattern! path include exclude type literal case word line multiline dotall replacement! hidden no_ignore expect dry_run",
    open_path: "path!",
    reveal_in_os: "path!",
  });
});

const short = ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Json): string =>
  [readOnlyHint && "reads", destructiveHint && "destroys", idempotentHint && "repeats", openWorldHint && "reaches"]
    .filter(Boolean)
    .join(" ");

test("the annotations of the tools are what they were", () => {
  const shown = Object.fromEntries(tools.map(({ name, annotations }) => [name, short(annotations)]));
  expect(shown).toEqual({
    ...Object.fromEntries(READS.map((name) => [name, "reads repeats"])),
    write_file: "destroys repeats",
    edit_file: "destroys",
    append_file: "",
    create_directory: "repeats",
    move: "destroys",
    copy: "destroys",
    delete: "destroys",
    apply_patch: "destroys",
    change_files: "destroys",
    replace: "destroys",
    open_path: "",
    reveal_in_os: "",
  });
  for (const { annotations } of tools)
    expect(Object.values(annotations).filter((value) => typeof value === "boolean")).toHaveLength(4);
});

describe.each([...READS, ...CHANGES, ...SHOWS])("%s", (name) => {
  const tool = (): Json => tools.find((one) => one.name === name);

  test("every tool has a name, a title and a description that clients can take", () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,30}$/);
    expect(tool().title).toMatch(/^[A-Z]/);
    expect(tool().description.length).toBeGreaterThan(30);
    expect(Buffer.byteLength(tool().description)).toBeLessThan(2048);
  });

  test("every tool has a flat, strict and described input schema", () => {
    const { inputSchema } = tool();
    expect(inputSchema.type).toBe("object");
    for (const keyword of ["anyOf", "oneOf", "allOf", "enum", "not", "$schema"])
      expect(Object.keys(inputSchema)).not.toContain(keyword);
    expect(JSON.stringify(inputSchema)).not.toMatch(/"\$ref"|"\$defs"|"type":\[|"const"/);
    checkSchema(inputSchema, name);
  });

  test("every tool has an output schema that is an object", () => {
    expect(tool().outputSchema.type).toBe("object");
    expect(JSON.stringify(tool().outputSchema)).not.toContain("$ref");
  });
});

test("no list in an advertised schema says how long a text in it is at least", async () => {
  const inLists = (schema: Json, isInList: boolean): Json[] =>
    typeof schema !== "object" || schema === null
      ? []
      : [
          ...(isInList && typeof schema.minLength === "number" ? [schema] : []),
          ...Object.entries(schema).flatMap(([key, value]) => inLists(value, isInList || key === "items")),
        ];
  expect(inLists({ items: { properties: { a: { minLength: 1 } } } }, false)).toHaveLength(1);
  const commands = {
    say: {
      description: "Says it.",
      program: "/bin/echo",
      parameters: { words: { type: "list", description: "What.", items: { type: "path" } } } as const,
    },
  };
  for (const dialect of DIALECTS) {
    await using one = openCommandHost({
      config: { dialect, results: "structured", commands, shell: { enabled: true } },
    });
    const listed: Json[] = (await one.request("tools/list")).result.tools;
    expect(listed.length).toBeGreaterThan(5);
    expect(inLists(listed, false)).toEqual([]);
  }
});

function checkSchema(schema: Json, at: string): void {
  if (schema.type === "array") {
    expect([at, typeof schema.items]).toEqual([at, "object"]);
    checkSchema(schema.items, `${at}[]`);
  }
  if (schema.type !== "object") return;
  expect([at, schema.additionalProperties]).toEqual([at, false]);
  for (const [name, property] of Object.entries<Json>(schema.properties)) {
    expect([`${at}.${name}`, typeof property.description]).toEqual([`${at}.${name}`, "string"]);
    checkSchema(property, `${at}.${name}`);
  }
}

test("output schemas are only there when structured results are", async () => {
  await using plain = openTestHost();
  const listed: Json[] = (await plain.request("tools/list")).result.tools;
  expect(listed.every((tool) => !("outputSchema" in tool))).toBe(true);
});

test("without a desktop the tools that show something are not there", async () => {
  delete process.env["DISPLAY"];
  await using plain = openTestHost();
  const listed: Json[] = (await plain.request("tools/list")).result.tools;
  expect(listed.map(({ name }) => name)).toEqual([...READS, ...CHANGES]);
  expect((await plain.request("tools/call", { name: "open_path", arguments: { path: "." } })).error.code).toBe(-32602);
  process.env["DISPLAY"] = ":0";
});

test("the default surface is small", () => {
  expect(tools.length).toBeLessThanOrEqual(25);
  expect(JSON.stringify(tools.map((tool) => ({ ...tool, outputSchema: undefined }))).length).toBeLessThan(40_000);
});

const confirmed = (list: Json[]): string[] =>
  list.filter(({ _meta: meta }) => meta["anthropic/requiresUserInteraction"]).map(({ name }) => name);

test("tools/list has hints for clients that read them", async () => {
  for (const { _meta: meta } of tools) expect(meta["anthropic/maxResultSizeChars"]).toBe(500_000);
  expect(confirmed(tools)).toEqual(SHOWS);
  await using bypass = openTestHost({ config: { mode: "bypass" } });
  expect(confirmed((await bypass.request("tools/list")).result.tools)).toEqual([]);
});

const CORE = "list_directory read_file glob grep write_file edit_file".split(" ");
const loaded = (list: Json[]): string[] =>
  list.filter(({ _meta: meta }) => meta["anthropic/alwaysLoad"] === true).map(({ name }) => name);

describe("the core tools are there without a search for tools", () => {
  test("under their own names, and no others", () => {
    expect(loaded(tools)).toEqual(CORE);
    const shown = tools.filter(({ name }) => CORE.includes(name));
    expect(JSON.stringify(shown.map((tool) => ({ ...tool, outputSchema: undefined }))).length).toBeLessThan(12_000);
  });

  test.each([
    ["claude", "Read Write Edit MultiEdit Glob Grep LS"],
    ["gemini", "read_file write_file replace grep_search search_file_content list_directory glob"],
    ["codex", "read_file list_dir grep_files view_image"],
  ])("the core tools are there without a search for tools in the dialect %s", async (dialect, names) => {
    await using spoken = openTestHost({ config: { dialect } });
    expect(loaded((await spoken.request("tools/list")).result.tools).toSorted()).toEqual(names.split(" ").toSorted());
  });
});

describe("pages", () => {
  const many = Array.from({ length: 230 }, (_, at) =>
    defineLocalTool({
      name: `tool_${at}`,
      description: "One of many.",
      input: z.strictObject({}),
      execute: () => "",
    }),
  );

  test("the pages of tools/list lead from one to the next, each tool once and in order, the same every time", async () => {
    await using plain = openTestHost({ tools: many });
    const walk = async (): Promise<string[]> => {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const { result } = await plain.modern("tools/list", cursor === undefined ? {} : { cursor });
        names.push(...result.tools.map(({ name }: Json) => name));
        cursor = result.nextCursor;
      } while (cursor !== undefined);
      return names;
    };
    expect(await walk()).toEqual(many.map(({ name }) => name));
    await plain.request("initialize", { protocolVersion: "2025-11-25" });
    expect(await walk()).toEqual(many.map(({ name }) => name));
  });

  test.each(["", "tools-0", "tools-99", "tools-300", "tools-100 ", "x", 5, null, {}])(
    "a cursor that was never given is refused: %j",
    async (cursor) => {
      await using plain = openTestHost({ tools: many });
      expect((await plain.request("tools/list", { cursor })).error.code).toBe(-32602);
    },
  );
});

test("instructions stay below what clients cut", () => {
  const roots = Array.from({ length: 20 }, (_, at) => ({
    path: `/${"long".repeat(200)}/${at}`,
    access: "read-write",
  }));
  const facts = { roots, fence: "kernel", durability: "fast", verbs: ["list"] } as const;
  for (const mode of ["default", "accept_edits", "plan", "bypass"])
    for (const narrowed of [undefined, `the client closed ${"x".repeat(3000)}`])
      expect(createInstructions({ ...facts, mode, narrowed }).length).toBeLessThan(2048);
});
