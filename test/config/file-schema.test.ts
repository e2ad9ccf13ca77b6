/**
 * The keys of the configuration, pinned: they are part of the surface, and each has a description.
 */
import { expect, test } from "bun:test";
import * as z from "zod";
import { configFile, rootFile } from "../../src/config/file-schema.ts";

test("the keys of a file, and those of a root's own", () => {
  expect(Object.keys(configFile.shape).join(" ")).toBe(
    "$schema roots allow_root_fs deny state_dir mode profile profiles read_only tools rules clients agents providers " +
      "skills hooks secrets baseline commands command_folders shell upstream upstream_reach budgets bridge ask audit results dialect legacy_encoding durability undo_max_bytes undo_max_age answer_bytes tasks_after_ms fence containment client_roots strict lock",
  );
  expect(Object.keys(rootFile.shape).join(" ")).toBe("$schema deny mode read_only tools rules baseline");
});

test("every key says what it is", () => {
  const silent: string[] = [];
  const look = (schema: Record<string, unknown>, at: string): void => {
    for (const [key, one] of Object.entries(
      (schema["properties"] ?? {}) as Record<string, Record<string, unknown>>,
    )) {
      if (typeof one["description"] !== "string") silent.push(`${at}.${key}`);
      look(one, `${at}.${key}`);
      if (one["items"]) look(one["items"] as Record<string, unknown>, `${at}.${key}`);
      const more = one["additionalProperties"];
      if (typeof more === "object" && more !== null) look(more as Record<string, unknown>, `${at}.${key}`);
    }
  };
  for (const schema of [configFile, rootFile]) look(z.toJSONSchema(schema, { io: "input" }), "");
  expect(silent).toEqual([]);
});
