/**
 * Slips that whole clients make, and not one model now and then: `null` for what is not set, by those that fill in every
 * parameter of a schema, and the scheduler's hint that Gemini CLI adds to each call. Either must mean what the call without
 * it means, for every parameter of every tool under each of its names.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DIALECTS } from "../../src/config/index.ts";
import type { JsonSchema } from "../../src/contract/index.ts";
import { ROW_CASES } from "../dialects/row-cases.ts";
import { openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";
import { openCommandHost, script } from "../proc/command-host.ts";
import { fc } from "../property.ts";

type Arguments = Readonly<Record<string, unknown>>;

const FILES = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\n",
  "b.txt": "ONE more\n",
  "src/main.ts": "let a = 1;\n",
};
const SHOW = { type: "string", flag: "--show=" };
const COMMANDS = {
  show: script("echo shown", { parameters: { how: SHOW, which: { ...SHOW, type: "list" } } }),
};
const PATCH = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch\n";

/** A call of each of our own tools, with the objects in it that have optional members of their own. */
const OWN: Readonly<Record<string, Arguments>> = {
  list_directory: {},
  read_file: { path: "a.txt" },
  read_files: { files: [{ path: "a.txt" }, { path: "b.txt", offset: 1 }] },
  stat: { path: "a.txt" },
  glob: { pattern: "*.txt" },
  grep: { pattern: "one" },
  disk_usage: {},
  hash_file: { path: "a.txt" },
  tree: {},
  diff_files: { a: "a.txt", b: "b.txt" },
  system_info: {},
  write_file: { path: "n.txt", content: "new\n" },
  edit_file: {
    path: "a.txt",
    edits: [
      { old_text: "one", new_text: "1" },
      { old_text: "two", new_text: "2" },
    ],
  },
  append_file: { path: "a.txt", content: "six\n" },
  create_directory: { path: "d" },
  move: { source: "a.txt", destination: "m.txt" },
  copy: { source: "a.txt", destination: "c.txt" },
  delete: { path: "b.txt" },
  apply_patch: { patch: PATCH },
  change_files: {
    operations: [
      { op: "write_file", path: "n.txt", content: "new\n" },
      { op: "edit_file", path: "a.txt", edits: [{ old_text: "one", new_text: "1" }] },
    ],
  },
  replace: { pattern: "one", replacement: "1", dry_run: true },
  run_command: { command: "show", arguments: {} },
  cmd_show: {},
  shell: { command: "cat a.txt" },
  process_start: { shell: "cat a.txt", ready_when: { text: "one" } },
  process_output: { id: "run_x" },
  process_list: {},
  process_stop: { id: "run_x" },
};

function callsOf(dialect: string, name: string): Arguments | undefined {
  const cases = ROW_CASES[dialect === "flynn-plain" ? "flynn" : dialect] ?? {};
  const args = Object.entries(cases).find(([row]) => row === name || row.replaceAll(".", "_") === name)?.[1].args;
  return args && { ...args, ...(args["pid"] === "PID" ? { pid: 1 } : {}) };
}

/** The call once for each optional argument in it that is not given, with `null` there; nested ones too. */
function withNulls(schema: JsonSchema, args: Arguments): Arguments[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const value = args[name];
    if (value === undefined) return schema.required?.includes(name) ? [] : [{ ...args, [name]: null }];
    if (Array.isArray(value) && property.items?.properties)
      return value.flatMap((item: Arguments, index) =>
        withNulls(property.items ?? {}, item).map((one) => ({ ...args, [name]: value.with(index, one) })),
      );
    return property.properties ? withNulls(property, value as Arguments).map((one) => ({ ...args, [name]: one })) : [];
  });
}

/** Without what differs from call to call. */
function plain({ all, failure }: CallAnswer): string {
  const text = all.replaceAll(
    /p_[\w-]{22}(?:@[0-9a-f]{40})?|run_[\w-]{22}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ ms|pid \d+/g,
    "",
  );
  return `${failure?.code ?? "done"} ${text}`;
}

function layFiles(root: string): void {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

describe.skipIf(process.platform !== "linux").each(DIALECTS)("in the dialect %s", (dialect) => {
  let host: TestHost;
  let tools: readonly Json[];

  beforeAll(async () => {
    // Nothing is written and no program is started: what comes back is what would be done.
    const config = { dialect, mode: "plan", shell: { enabled: true }, commands: COMMANDS as never };
    host = openCommandHost({ config });
    layFiles(host.root);
    const listed = (await host.request("tools/list")).result.tools as Json[];
    // Its call without a time waits for people.
    tools = listed.filter(({ name }) => name !== "await_review");
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
  });

  test("null for an optional argument is the call without it", async () => {
    let tried = 0;
    for (const { name, inputSchema } of tools) {
      const args = OWN[name] && dialect === "ringfence" ? OWN[name] : (callsOf(dialect, name) ?? OWN[name]);
      if (!args) throw new Error(`there is no call of ${name}: OWN needs one`);
      const wanted = plain(await host.call(name, args));
      expect(wanted, name).not.toStartWith("invalid_input");
      for (const given of withNulls(inputSchema, args)) {
        tried++;
        expect(plain(await host.call(name, given)), `${name} ${JSON.stringify(given)}`).toBe(wanted);
      }
    }
    expect(tried).toBeGreaterThan(0);
  });

  test("null for a required argument is a failure that names it", async () => {
    for (const { name, inputSchema } of tools)
      for (const required of (inputSchema.required ?? []) as string[]) {
        const args = (dialect === "ringfence" ? OWN[name] : (callsOf(dialect, name) ?? OWN[name])) ?? {};
        const { failure } = await host.call(name, { ...args, [required]: null });
        expect(failure, name).toMatchObject({ code: "invalid_input" });
        expect(failure?.message).toContain(`the argument ${required} cannot be null`);
      }
  });

  test("any of them and wait_for_previous together change nothing", async () => {
    const reading = tools.filter(({ annotations }) => annotations.readOnlyHint);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...reading), fc.infiniteStream(fc.boolean()), async (tool, coins) => {
        const args = (dialect === "ringfence" ? OWN[tool.name] : callsOf(dialect, tool.name)) ?? {};
        const absent = Object.keys(tool.inputSchema.properties).filter((name) => args[name] === undefined);
        const isOptional = (name: string): boolean => !tool.inputSchema.required?.includes(name);
        const nulls = absent.filter((name) => isOptional(name) && coins.next().value);
        const given = {
          wait_for_previous: true,
          ...args,
          ...Object.fromEntries(nulls.map((one) => [one, null])),
        };
        expect(plain(await host.call(tool.name, given))).toBe(plain(await host.call(tool.name, args)));
      }),
      { numRuns: 40 },
    );
  });
});

describe("what is put right", () => {
  test("a slip that is put right is counted in the record of the call, and is no failure", async () => {
    await using host = openTestHost({ files: FILES });
    await host.call("read_file", { path: "a.txt", offset: null, limit: null, wait_for_previous: false });
    await host.call("read_file", { path: "b.txt" });
    await host.call("edit_file", {
      path: "a.txt",
      edits: [{ old_text: "one", new_text: "1", replace_all: null }],
    });
    const decided = host
      .audit()
      .split("\n")
      .filter((line) => line.includes('"event":"decided"'));
    expect(decided.map((line) => (JSON.parse(line) as { repaired?: number }).repaired)).toEqual([3, undefined, 1]);
    expect(host.audit()).not.toContain('"event":"failed"');
  });

  test("a slip that is put right is counted in a dialect too", async () => {
    await using host = openTestHost({ files: FILES, config: { dialect: "gemini" } });
    await host.call("read_file", { file_path: "a.txt", start_line: null, wait_for_previous: true });
    expect(host.audit()).toContain('"repaired":2');
  });

  test("null where an argument stands under its other name is no second one", async () => {
    await using host = openTestHost({ files: FILES });
    expect((await host.call("read_file", { path: null, file_path: "b.txt" })).text).toBe("ONE more\n");
    expect((await host.call("read_file", { file_path: null, path: "b.txt" })).text).toBe("ONE more\n");
  });

  test("an element of a list, or an argument that the tool does not have, is not put right", async () => {
    await using host = openTestHost({ files: FILES });
    const { failure } = await host.call("grep", { pattern: "one", include: ["*.txt", null] });
    expect(failure?.message).toContain("include[1] (number 2 of include) cannot be null");
    expect((await host.call("read_file", { path: "a.txt", nothing: null })).failure?.message).toContain('"nothing"');
  });

  test("nulls among the values of a declared command are no part of what is allowed always", async () => {
    const parameters = {
      how: { type: "string" },
      many: { type: "list" },
      must: { type: "string", required: true },
    };
    const commands = { say: script("echo", { parameters }) } as never;
    await using host = openCommandHost({ config: { mode: "default", commands, shell: { enabled: true } } });
    const rulesOf = async (name: string, args: object): Promise<unknown> => {
      return await host.rulesOf(await host.call(name, args));
    };
    const nulls = { how: null, many: null };
    for (const [name, args, without] of [
      [
        "run_command",
        { command: "say", arguments: { must: "x", ...nulls } },
        { command: "say", arguments: { must: "x" } },
      ],
      [
        "process_start",
        { command: "say", arguments: { must: "x", ...nulls } },
        { command: "say", arguments: { must: "x" } },
      ],
      ["cmd_say", { must: "x", ...nulls, timeout_ms: null }, { must: "x" }],
    ] as const) {
      const [rule] = (await rulesOf(name, args)) as string[];
      expect(rule).toStartWith(`${name}(exact:`);
      expect([rule]).toEqual((await rulesOf(name, without)) as string[]);
    }
  });
});
