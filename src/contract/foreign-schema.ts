/**
 * A JSON schema of somebody else, as it is advertised: an object at the root, bounded in size and depth, every character
 * that cannot be seen as an escape, in names and values too. Below the root it stays as it was given; what clients cannot take at the root, or would fetch from elsewhere, goes. That
 * only makes it wider, and the owner of the tool checks its arguments anyway.
 *
 * Nothing of it is ever compiled: a `pattern` can be made to run for hours.
 */
import { Failure, limits } from "../base/index.ts";
import { readableText, showUnseen } from "./foreign-text.ts";
import type { JsonSchema } from "./wire-schema.ts";

const MAX_DEPTH = 32;
const MAX_TEXT_BYTES = 2000;
const MAX_KEY_CHARS = 200;
/** Clients drop a tool, or all of them, over these at the root. */
const NOT_AT_ROOT: ReadonlySet<string> = new Set(
  "$ref $dynamicRef anyOf oneOf allOf not if then else enum const dependentSchemas".split(" "),
);
/** Names of the schema itself, which could clash with those of another one. */
const NOWHERE: ReadonlySet<string> = new Set(
  "$schema $id $anchor $dynamicAnchor $vocabulary $comment".split(" "),
);

/** @throws Failure `invalid_input` */
export function readForeignSchema(given: unknown, tool: string): JsonSchema {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw refused(tool, "it is not an object");
  const size = Buffer.byteLength(JSON.stringify(given));
  if (size > limits.MAX_FOREIGN_SCHEMA_BYTES)
    throw refused(tool, `it has ${size} bytes, and ${limits.MAX_FOREIGN_SCHEMA_BYTES} are the most`);
  const { type = "object" } = given as { type?: unknown };
  if (type !== "object") throw refused(tool, `it wants ${JSON.stringify(type).slice(0, 60)} as arguments`);
  const root = Object.entries(given).filter(([key]) => !NOT_AT_ROOT.has(key));
  const clean = cleanValue(Object.fromEntries(root), tool, 0) as JsonSchema;
  const { properties } = clean;
  const isMap = typeof properties === "object" && !Array.isArray(properties);
  return { ...clean, type: "object", properties: isMap ? properties : {} };
}

function cleanValue(value: unknown, tool: string, depth: number): unknown {
  if (depth > MAX_DEPTH) throw refused(tool, `it is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === "string") return showUnseen(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, tool, depth + 1));
  const out: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (NOWHERE.has(key) && typeof item !== "object") continue;
    if (isReference(key) && !isLocal(item)) continue;
    const isText = (key === "description" || key === "title") && typeof item === "string";
    out.push([cutKey(key), isText ? readableText(item, MAX_TEXT_BYTES) : cleanValue(item, tool, depth + 1)]);
  }
  // Never by assignment: "__proto__" is a name like any other here.
  return Object.fromEntries(out);
}

/** Two names stay two: nothing is taken out of one, and what follows a cut is in its size. */
function cutKey(key: string): string {
  const shown = showUnseen(key);
  return shown.length > MAX_KEY_CHARS ? `${shown.slice(0, MAX_KEY_CHARS)} [cut: ${shown.length}]` : shown;
}

function isReference(key: string): boolean {
  return key === "$ref" || key === "$dynamicRef" || key === "$recursiveRef";
}

/** A property may be called `$ref` too; then it is a schema. */
function isLocal(item: unknown): boolean {
  return typeof item === "string" ? item.startsWith("#") : typeof item === "object";
}

function refused(tool: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot offer the tool "${tool}": its input schema is no use: ${why}`);
}
