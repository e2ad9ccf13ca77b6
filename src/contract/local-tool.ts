/**
 * A tool of a consumer's own program, written with plain functions. It does its own writing, so it is gated by
 * propose and apply, but atomicity and undo hold only for `defineTool`.
 */
import type { ZodType } from "zod";

/** What the functions of a local tool are given. */
export interface LocalToolContext {
  /** Absolute paths of the roots. */
  readonly roots: string[];
  /** The canonical absolute path. @throws Failure for anything that escapes the roots */
  resolvePath(path: string): Promise<string>;
  /** A secret that the tool named. @throws Failure `denied` for any other */
  secret(name: string): string;
  readonly signal: AbortSignal;
}

/** What a person is asked to approve. */
export interface LocalProposal {
  summary: string;
  diff?: string;
  /** Hashed when the proposal is made, and again before `execute`. */
  paths: string[];
  /** Bytes that will be written, when known. */
  bytes?: number;
}

/** A tool of plain functions that does its own work; see `defineLocalTool`. */
export interface LocalTool<I = never> {
  name: string;
  description: string;
  input: ZodType<I>;
  /** Changes something: `plan` runs on a normal call, `execute` only when its proposal is applied. Default false. */
  mutates?: boolean;
  /** Names of secrets it may read through `ctx.secret`; without them in the environment the tool is hidden. */
  secrets?: readonly string[];
  plan?: (input: I, ctx: LocalToolContext) => LocalProposal | Promise<LocalProposal>;
  /** The answer: a string is shown as it is, anything else as JSON. */
  execute: (input: I, ctx: LocalToolContext) => unknown;
}

/** A local tool as the host keeps it: the type of its input is known only to itself. */
export interface AnyLocalTool {
  readonly kind: "local";
  readonly name: string;
  readonly tool: LocalTool;
}

/**
 * Declares a tool of your own for `runHost`.
 *
 * @example
 * const shout = defineLocalTool({
 *   name: "shout",
 *   description: "Says it loudly.",
 *   input: z.strictObject({ text: z.string().describe("What to say") }),
 *   execute: ({ text }) => text.toUpperCase(),
 * });
 */
export function defineLocalTool<I>(tool: LocalTool<I>): AnyLocalTool {
  return { kind: "local", name: tool.name, tool: tool as unknown as LocalTool };
}
