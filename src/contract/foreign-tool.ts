/**
 * A tool whose schema is somebody else's and which is carried out elsewhere: of another MCP server, or of the client. It
 * stands in the registry beside the others, under the same policy, limits and record; what it says about itself is text
 * that is shown, never a reason to trust it.
 *
 * Usual mistake: to believe its hints. Nobody here knows what it does, so it costs R4 unless the operator says otherwise.
 */
import { limits } from "../base/index.ts";
import type { Effect, Risk } from "../policy/index.ts";
import { readableText } from "./foreign-text.ts";
import { readForeignSchema } from "./foreign-schema.ts";
import type { JsonSchema } from "./wire-schema.ts";

export interface ForeignContext {
  /** Aborted when the caller leaves and when the time is over; the other side is told then. */
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number | undefined, what: string) => void;
  /** The request that the call came with; only the host knows what that is. */
  readonly caller?: unknown;
  /** What is left for it. */
  readonly timeoutMs: number;
}

/** What a caller of `defineForeignTool` knows. */
export interface ForeignToolGiven {
  /** As it stands here: snake_case, `^[a-z][a-z0-9_]{0,30}$`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Who carries it out, for people: `the MCP server "git"`. */
  readonly owner: string;
  /** As its owner calls it. */
  readonly tool: string;
  /** Of its owner, unchecked. */
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema: unknown;
  /** Of the operator, never of the owner. Default reach. */
  readonly effect?: Effect;
  /** Default R1 of what reads, else R4. */
  readonly risk?: Risk;
  /** Milliseconds one call may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** An MCP `CallToolResult`, unchecked. @throws Failure */
  readonly execute: (args: Readonly<Record<string, unknown>>, ctx: ForeignContext) => Promise<unknown>;
}

export interface ForeignTool {
  readonly kind: "foreign";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly owner: string;
  readonly tool: string;
  readonly title: string;
  /** Bounded, without what commands a terminal or cannot be seen. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly effect: Effect;
  readonly risk: Risk;
  readonly timeoutMs: number;
  readonly execute: ForeignToolGiven["execute"];
}

/** With the name of the owner before it, less than clients cut. */
const MAX_DESCRIPTION_BYTES = 1900;
const MAX_TITLE_BYTES = 120;

/** What a model gets of what an owner says about a tool: who approves it is shown this, and nothing else is offered. */
export interface ForeignWords {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** @throws Failure `invalid_input` for a schema that cannot be advertised */
export function foreignWords(
  name: string,
  { title, description, inputSchema }: Pick<ForeignToolGiven, keyof ForeignWords>,
): ForeignWords {
  return {
    title: readableText(title, MAX_TITLE_BYTES).replaceAll("\n", " "),
    description: readableText(description, MAX_DESCRIPTION_BYTES),
    inputSchema: readForeignSchema(inputSchema, name),
  };
}

/** @throws as `foreignWords` */
export function defineForeignTool(given: ForeignToolGiven): ForeignTool {
  const { name, aliases = [], owner, tool, effect = "reach", execute } = given;
  const { title, description, inputSchema } = foreignWords(name, given);
  return {
    kind: "foreign",
    name,
    aliases,
    owner,
    tool,
    title: title || name,
    description: `Of ${owner}, which says: ${description || "nothing about it"}`,
    inputSchema,
    effect,
    risk: given.risk ?? (effect === "read" ? "R1" : "R4"),
    timeoutMs: given.timeoutMs ?? limits.DEFAULT_CALL_MS,
    execute,
  };
}
