/**
 * The settings of packs that are read without a schema are read as the schema would read them.
 */
import { expect, test } from "bun:test";
import * as z from "zod";
import { Failure } from "../../src/base/index.ts";
import { packSchema, parsePackSettings } from "../../src/config/parse/pack-settings.ts";
import { PLANS } from "../../src/packs/plans.ts";
import { planOf, RIGHT, SIMPLE, withoutUndefined } from "./pack-entries.ts";

test.each(Object.keys(PLANS))("%s: no schema is made for what is simple", (name) => {
  const { config } = planOf(name);
  if (!("usual" in config)) throw new Error("It has one schema for all");
  const keys = Object.fromEntries(Object.keys(config.keys).map((key) => [key, () => raise(key)]));
  expect(SIMPLE[name]).toBeDefined();
  for (const entry of SIMPLE[name] ?? [])
    expect(parsePackSettings({ name, config: { ...config, keys } }, entry)).toMatchObject(entry);
});

// Each part of an entry is replaced, in turn, by whatever a configuration could have in its place.
test.each(Object.keys(PLANS))("%s: an entry is read or refused as its schema does", (name) => {
  const plan = planOf(name);
  const schema = packSchema(plan.config);
  const counts = { taken: 0, refused: 0 };
  for (const entry of [...(RIGHT[name] ?? []), ...(SIMPLE[name] ?? [])].flatMap(variants)) {
    const { success, data } = z.safeParse(schema, entry);
    const problem = success && "usual" in plan.config ? plan.config.problem?.(data) : undefined;
    const isTaken = success && problem === undefined;
    counts[isTaken ? "taken" : "refused"]++;
    expect([entry, readOrRefused(name, entry)]).toEqual([entry, isTaken ? withoutUndefined(data) : "refused"]);
  }
  expect([name, Math.min(counts.taken, counts.refused) > 0]).toEqual([name, true]);
});

const TEXTS = ["", "a", "A", "/", "/a\0b", "/usr/bin/x", "a b", "a\n", "a..b", "-", "${A}", "abc", "AbC.d", "\u00e4"];
const URLS =
  "https://a.example https://a..b:9999 https://a.example:0 https://-:1/ http://127.0.0.1:8001 HTTPS://A " +
  "https://a@b.example https://a.example?q ftp://a.example https://. https://256.1.1.1 https://xn--a https://a.example:70000";
const LENGTHS = [31, 32, 60, 61, 63, 64, 100, 101, 500, 501, 1000, 1001];

const LISTS = [[], [""], [1], ["abc", 1], ["abc", undefined], Array<string>(2)];
const OBJECTS = [
  {},
  { a: 1 },
  { reach: [] },
  { reach: ["*.b.example", 1] },
  JSON.parse('{"__proto__":{}}'),
] as unknown[];
const OTHERS = [undefined, null, true, 0, -1, 1.5, 1e6];

/** What could stand in any place. */
const ODD: readonly unknown[] = [
  ...TEXTS,
  ...URLS.split(" "),
  ...LENGTHS.map((length) => "x".repeat(length)),
  ...[999, 1000, 4095, 4096].map((length) => `/${"a".repeat(length)}`),
  ...LISTS,
  ...[50, 51, 100, 101].map((length) => Array<string>(length).fill("abc")),
  ...OBJECTS,
  ...OTHERS,
];

/** The value, and every value that differs from it in one place. */
function variants(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  const changed = Object.entries(value).flatMap(([key, inner]) =>
    [...variants(inner), ...ODD].map((other) => withKey(value, key, other)),
  );
  if (Array.isArray(value)) return [value, ...changed];
  const left = Object.keys(value).map((key) => withKey(value, key));
  const more = ["surely_unknown", "constructor", "__proto__"].map((key) => withKey(value, key, "abc"));
  return [value, ...changed, ...left, ...more];
}

function withKey(value: object, key: string, ...inner: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((other: unknown, index) => (String(index) === key ? inner[0] : other));
  const others = Object.entries(value).filter(([other]) => other !== key);
  return Object.fromEntries([...others, ...inner.map((one) => [key, one] as const)]);
}

function readOrRefused(name: string, entry: unknown): unknown {
  try {
    return withoutUndefined(parsePackSettings(planOf(name), entry));
  } catch (thrown) {
    if (thrown instanceof Failure) return "refused";
    throw thrown;
  }
}

function raise(key: string): never {
  throw new Error(`A schema is made for ${key}`);
}
