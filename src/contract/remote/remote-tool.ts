/**
 * A tool whose schema is somebody else's and which is carried out elsewhere: by another MCP server, or by the client. The tool
 * stands in the registry beside the others, under the same policy, limits and record; what it says about itself is text
 * that is shown, never a reason to trust it. Its schema is bounded in size and depth, and every character that cannot be seen
 * is an escape; nothing of it is ever compiled, because a `pattern` can be made to run for hours.
 *
 * Usual mistake: to believe its hints. Nobody here knows what it does, so it costs R4 unless the operator says otherwise.
 */
import { Failure, limits } from "../../base/index.ts";
import { EFFECTS, type Effect, type Risk } from "../../policy/index.ts";
import type { ContextOf, RemoteContext } from "../context.ts";
import type { Tool } from "../tool.ts";
import type { JsonSchema } from "../wire-schema.ts";
import { remoteInput } from "./remote-arguments.ts";
import { readRemoteResult } from "./remote-result.ts";
import { readableText, showUnseen } from "../../text/index.ts";

/** What a caller of `defineRemoteTool` knows. */
export interface RemoteToolGiven {
  /** As it stands here: snake_case, `^[a-z][a-z0-9_]{0,30}$`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Who carries it out, for people: `the MCP server "git"`. */
  readonly owner: string;
  /** As its owner calls it. */
  readonly tool: string;
  /** The title that the owner gives, unchecked. */
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema: unknown;
  /** The effect that the operator declares, never the owner. Default reach. */
  readonly effect?: Effect;
  /** Default R1 of what reads, else R4. */
  readonly risk?: Risk;
  /** What it is about, for `group:NAME`. */
  readonly group?: string | undefined;
  readonly profiles?: readonly string[] | undefined;
  /** Names that rules mean it by besides its own, and that no call has. */
  readonly ruledAs?: readonly string[] | undefined;
  /** Milliseconds one call may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** An MCP `CallToolResult`, unchecked. @throws Failure */
  readonly execute: (args: Readonly<Record<string, unknown>>, ctx: RemoteContext) => Promise<unknown>;
}

/** With the name of the owner before it, less than clients cut. */
const MAX_DESCRIPTION_BYTES = 1900;
const MAX_TITLE_BYTES = 120;

/** What a model gets of what an owner says about a tool: who approves it is shown this, and nothing else is offered. */
export interface RemoteWords {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** @throws Failure `invalid_input` for a schema that cannot be advertised */
export function remoteWords(
  name: string,
  { title, description, inputSchema }: Pick<RemoteToolGiven, keyof RemoteWords>,
): RemoteWords {
  return {
    title: readableText(title, MAX_TITLE_BYTES).replaceAll("\n", " "),
    description: readableText(description, MAX_DESCRIPTION_BYTES),
    inputSchema: readRemoteSchema(inputSchema, name),
  };
}

/** @throws as `remoteWords` */
export function defineRemoteTool(given: RemoteToolGiven): Tool {
  const { name, aliases = [], owner, tool, effect = "reach", timeoutMs, execute } = given;
  const { title, description, inputSchema } = remoteWords(name, given);
  return {
    name,
    title: title || name,
    summary: `From ${owner}, which says: ${description || "nothing about it"}`,
    aliases,
    input: remoteInput(inputSchema),
    effect,
    needs: ["remote"],
    local: true,
    owner: { name: owner, tool, ...(given.ruledAs ? { ruledAs: given.ruledAs } : {}) },
    ...(given.group === undefined ? {} : { group: given.group }),
    ...(given.profiles ? { profiles: given.profiles } : {}),
    risk: given.risk ?? (EFFECTS[effect].onlyReads ? "R1" : "R4"),
    destructive: !EFFECTS[effect].onlyReads,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    access: () => "all",
    run: async (args: Readonly<Record<string, unknown>>, { remote }: ContextOf<"remote">) =>
      readRemoteResult(await execute(args, remote), name),
  };
}

const MAX_DEPTH = 32;
const MAX_TEXT_BYTES = 2000;
const MAX_KEY_CHARS = 200;
/** Clients drop a tool, or all of them, over these at the root. */
const NOT_AT_ROOT: ReadonlySet<string> = new Set(
  "$ref $dynamicRef anyOf oneOf allOf not if then else enum const dependentSchemas".split(" "),
);
/** Names of the schema itself, which could clash with those of another one. */
const NOWHERE: ReadonlySet<string> = new Set("$schema $id $anchor $dynamicAnchor $vocabulary $comment".split(" "));

/** @throws Failure `invalid_input` */
export function readRemoteSchema(given: unknown, tool: string): JsonSchema {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw refused(tool, "it is not an object");
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
