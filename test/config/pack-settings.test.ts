/**
 * The settings of packs: read by the keys that a configuration has, as they would be by all of them, and published as they
 * are read.
 */
import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import * as z from "zod";
import * as z3 from "zod/v3";
import { configSchema } from "../../scripts/docs/config-page.ts";
import { packSchema, parsePackSettings } from "../../src/config/parse/pack-settings.ts";
import type { SettingsByKey } from "../../src/contract/index.ts";
import { PLANS } from "../../src/packs/plans.ts";
import { planOf, RIGHT, withoutUndefined } from "./pack-entries.ts";

/** Entries that are wrong, each with what is said of it. */
const WRONG: readonly (readonly [pack: string, entry: object, said: string])[] = [
  ["git", { writes: true }, 'there is no key "writes"; did you mean write?'],
  ["web", { per_minut: 3 }, 'there is no key "per_minut"; did you mean per_minute?'],
  ["web", { network: { reech: [] } }, 'there is no key "reech" in network; did you mean reach?'],
  ["web", { network: { reach: [], reech: [] } }, 'there is no key "reech" in network; did you mean reach?'],
  ["web", { per_minute: 0 }, "per_minute is wrong: it must be at least 1"],
  ["web", { search: { backend: "json", url: "https://s.example" } }, "search is wrong: the backend json needs {query}"],
  [
    "memory",
    { embedder: { url: "https://e.example" } },
    "embedder.model is wrong: it is missing, and must be a string",
  ],
  ["media", { transcribe: { url: "file:///a" } }, "transcribe.url is wrong"],
  ["media", { ocr: {} }, "ocr.program is wrong"],
  ["browser", {}, "program is wrong: it is missing, and must be a string"],
  ["browser", { width: 800 }, "program is wrong"],
  ["web", { per_minute: 1.5 }, "per_minute is wrong: it must be a whole number, not one with a fraction"],
  ["web", { per_minute: 100_001 }, "per_minute is wrong: it must be at most 100000"],
  ["web", { robots: "yes" }, "robots is wrong: it must be true or false, not a string"],
  ["web", { network: [] }, "network is wrong: it must be an object, not a list"],
  ["web", { network: { reach: "a:1" } }, "network.reach is wrong: it must be a list, not a string"],
  ["web", { network: { reach: [1] } }, "network.reach.0 is wrong: it must be a string, not a number"],
  ["web", { network: { reach: ["a.example", 1] } }, "network.reach.1 is wrong: it must be a string, not a number"],
  ["web", { network: { reach: [""] } }, "network.reach.0 is wrong: it must have at least 1 character"],
  ["web", { metods: undefined }, 'there is no key "metods"; did you mean methods?'],
  ["web", { methods: ["GET"] }, 'methods.0 is wrong: it must be one of "POST", "PUT", "PATCH", "DELETE"'],
  ["web", { credentials: [{ hosts: [], headers: {} }] }, "credentials.0.hosts is wrong: it must have at least 1 entry"],
  ["web", { search: null }, "search is wrong: it must be an object, not null"],
  ["browser", { program: "chromium" }, "program is wrong: it must be an absolute path"],
  ["objects", { stores: {} }, "stores is wrong: it names no store"],
  ["k8s", { contexts: {} }, "contexts is wrong: it names from 1 to 50 contexts"],
  ["k8s", { contexts: { a: { server: "https://a.example" } }, context: "b" }, "its context is none of contexts"],
];

describe("parsePackSettings", () => {
  test.each(Object.keys(PLANS))("%s: the keys that are there are read as all keys are", async (name) => {
    const plan = planOf(name);
    expect(RIGHT[name]).toBeDefined();
    for (const entry of RIGHT[name] ?? []) {
      const settings = parsePackSettings(plan, entry) as object;
      expect(withoutUndefined(settings)).toEqual(withoutUndefined(z.parse(packSchema(plan.config), entry) as object));
    }
  });

  test.each(WRONG)("%s: %j is refused with what is wrong", async (name, entry, said) => {
    const plan = planOf(name);
    expect(() => parsePackSettings(plan, entry)).toThrow(`Cannot start: packs.${name}: ${said}`);
  });

  test("a value of undefined is a key that is left out", async () => {
    const settings = parsePackSettings(planOf("web"), { per_minute: undefined, search: undefined });
    expect(settings).toMatchObject({ per_minute: 30, search: undefined });
  });

  test("the schema of somebody else gets the very object that the program gave", () => {
    const given = new (class Own {
      readonly a = undefined;
    })();
    const config = z.custom((value) => value === given);
    expect(parsePackSettings({ name: "mine", config }, given)).toBe(given);
  });

  test("what is no object is refused", async () => {
    const plan = planOf("web");
    for (const [given, said] of [
      [undefined, "it is missing, and must be an object"],
      [null, "it must be an object, not null"],
      ["on", "it must be an object, not a string"],
      [true, "it must be an object, not true"],
      [3, "it must be an object, not a number"],
      [[], "it must be an object, not a list"],
    ] as const)
      expect(() => parsePackSettings(plan, given)).toThrow(`packs.web: it is wrong: ${said}`);
  });

  test("only the schemas of keys that are there, or must be, are made", () => {
    const made: string[] = [];
    const make = (key: string) => (): z.ZodType<string> => {
      made.push(key);
      return z.string();
    };
    const config: SettingsByKey<{ a: string; b: string; c?: string | undefined }> = {
      usual: { b: "usual", c: undefined },
      keys: { a: make("a"), b: make("b"), c: make("c") },
    };
    expect(parsePackSettings({ name: "mine", config }, { a: "x", c: "y" })).toEqual({ a: "x", b: "usual", c: "y" });
    expect(made).toEqual(["a", "c"]);
  });

  test("a value that is simple needs no schema, and any other value of the key gets one", () => {
    const made: string[] = [];
    const config: SettingsByKey<{ a: string; b: number }> = {
      usual: { b: 1 },
      simple: { a: (given) => (given === "simple" ? "read" : undefined) },
      keys: {
        a: () => (made.push("a"), z.string()),
        b: () => (made.push("b"), z.number()),
      },
    };
    const parse = (given: unknown): unknown => parsePackSettings({ name: "mine", config }, given);
    expect(parse({ a: "simple" })).toEqual({ a: "read", b: 1 });
    expect(made).toEqual([]);
    expect(parse({ a: "simple", b: 2 })).toEqual({ a: "read", b: 2 });
    expect(made).toEqual(["b"]);
    expect(parse({ a: "other" })).toEqual({ a: "other", b: 1 });
    expect(made).toEqual(["b", "a"]);
    for (const key of ["c", "constructor", "__proto__"])
      expect(() => parse(JSON.parse(`{"a":"simple",${JSON.stringify(key)}:{}}`))).toThrow(`there is no key "${key}"`);
  });
});

describe("the published schema", () => {
  test("it takes what a start takes of each pack, and no other keys", async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const accepts = ajv.compile(JSON.parse(await configSchema()) as object);
    for (const [name, entries] of Object.entries(RIGHT))
      for (const entry of entries) {
        expect([accepts({ packs: { [name]: entry } }), name, ajv.errorsText(accepts.errors)]).toEqual([
          true,
          name,
          "No errors",
        ]);
        expect(accepts({ packs: { [name]: { ...entry, surely_unknown: 1 } } })).toBe(false);
      }
    // A program may bring packs of its own.
    expect(accepts({ packs: { mine: { anything: 1 } } })).toBe(true);
  });
});

test("a schema that is none of zod 4 is refused in words", () => {
  const config = z3.object({ loud: z3.boolean() }) as unknown as z.ZodType;
  expect(() => parsePackSettings({ name: "old", config }, { loud: true })).toThrow(
    "the schema of a pack is none of zod 4",
  );
});
