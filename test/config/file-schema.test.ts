/**
 * The keys of the configuration and the flags, pinned: they are part of the surface, and each has a description.
 */
import { expect, test } from "bun:test";
import * as z from "zod/mini";
import { HOST_FLAGS, SERVE_FLAGS, STATE_FLAG } from "../../src/cli/command.ts";
import { optionRows, settingName } from "../../src/config/index.ts";
import { readSources } from "../../scripts/checks/read-sources.ts";
import { withPackSettings } from "../../scripts/docs/pack-settings.ts";
import { configFile, rootFile } from "../../src/config/file-schema.ts";

test("configFile and rootFile have the keys that are documented", async () => {
  expect(Object.keys((await configFile()).shape).join(" ")).toBe(
    "$schema roots allow_root_fs deny ignore gitignore max_file_bytes state_dir mode profile profiles read_only tools rules clients agents providers " +
      "skills hooks secrets baseline skill_folders commands command_folders spaces shell upstream upstream_reach packs network review notify budgets bridge ask audit keep_calls results dialect legacy_encoding durability undo_max_bytes undo_max_age answer_bytes tasks_after_ms fence containment client_roots strict lock",
  );
  expect(Object.keys((await rootFile()).shape).join(" ")).toBe(
    "$schema deny ignore mode read_only tools rules baseline",
  );
});

test("packs and their settings are objects", async () => {
  const schema = await configFile(["packs"]);
  for (const packs of [{}, { web: {} }, { mine: { anything: [1] } }])
    expect(z.parse(schema, { packs })).toEqual({ packs });
  for (const packs of [null, [], "web", { web: null }, { web: [] }, { web: true }, { web: "2026-01-01" }])
    expect([packs, z.safeParse(schema, { packs }).success]).toEqual([packs, false]);
});

test("a hook does something", async () => {
  const schema = await configFile(["hooks"]);
  expect(says(z.safeParse(schema, { hooks: [{ tool: "write_file" }] }))).toEqual([
    "it does nothing: it needs an action, before, after, or on with run",
  ]);
  const HOOKS = [{ action: "log" }, { before: ["/a"] }, { after: ["/a"] }, { on: "proposal", run: ["/a"] }];
  for (const hook of HOOKS)
    expect([hook, says(z.safeParse(schema, { hooks: [{ tool: "*", ...hook }] }))]).toEqual([hook, undefined]);
});

test("every key of a schema has a description", async () => {
  const silent: string[] = [];
  const look = (schema: Record<string, unknown>, at: string): void => {
    for (const [key, one] of Object.entries((schema["properties"] ?? {}) as Record<string, Record<string, unknown>>)) {
      if (typeof one["description"] !== "string") silent.push(`${at}.${key}`);
      look(one, `${at}.${key}`);
      for (const form of (one["anyOf"] ?? []) as Record<string, unknown>[]) look(form, `${at}.${key}`);
      if (one["items"]) look(one["items"] as Record<string, unknown>, `${at}.${key}`);
      const more = one["additionalProperties"];
      if (typeof more === "object" && more !== null) look(more as Record<string, unknown>, `${at}.${key}`);
    }
  };
  for (const schema of [await withPackSettings(await configFile()), await rootFile()])
    look(z.toJSONSchema(schema, { io: "input" }), "");
  expect(silent).toEqual([]);
});

test("the table of options gives every command that opens a host its flags", () => {
  expect(Object.keys(HOST_FLAGS).join(" ")).toBe(
    "root allow-root-fs deny ignore gitignore max-file-bytes state-dir config mode profile read-only baseline ask audit keep-calls results dialect legacy-encoding " +
      "durability undo-max-bytes undo-max-age answer-bytes tasks-after-ms fence containment client-roots",
  );
  expect(Object.keys(SERVE_FLAGS).filter((name) => !Object.hasOwn(HOST_FLAGS, name))).toEqual(["strict"]);
  expect(Object.keys(STATE_FLAG)).toEqual(["state-dir"]);
});

test("every option that is no choice is read by the configuration", () => {
  // The schemas, and the types, have every row whether somebody reads it or not.
  const tables = /^src\/config\/(?:options|settings|file-schema)\.ts$/;
  const readers = readSources(["src/config"]).filter(({ path }) => !tables.test(path));
  const text = readers.map((file) => file.text).join("\n");
  const plain = optionRows().filter(([key, { takes }]) => typeof takes === "string" && key !== "$schema");
  const names = plain.map(([key]) => settingName(key));
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test("a row of the table has no member that nothing reads, and a choice has its default among its values", () => {
  const known = ["takes", "help", "more", "default", "layers", "paths", "inRoot", "flag", "command", "only"];
  for (const [key, option] of optionRows()) {
    expect([key, ...Object.keys(option).filter((name) => !known.includes(name))]).toEqual([key]);
    if (typeof option.takes !== "string") expect(option.takes).toContain(option.default ?? key);
  }
});

function says({ error }: z.core.util.SafeParseResult<unknown>): readonly string[] | undefined {
  return error?.issues.map(({ message }) => message);
}
