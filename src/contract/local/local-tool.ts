/**
 * A tool of a consumer's own program, written with plain functions: `defineLocalTool` makes a `Tool` of it. It does its
 * own writing, so it is gated by propose and apply, but atomicity and undo hold only for a tool that plans a change
 * set.
 */
import type { ZodType } from "zod";
import { Failure, isObject, limits, type FailureCode } from "../../base/index.ts";
import { completeSchema, type CompletedSchema } from "./complete-schema.ts";
import type { LocalProposal, LocalToolContext } from "../context.ts";
import type { ToolResult } from "../result.ts";
import type { Tool } from "../tool.ts";

/** A tool of plain functions that does its own work; see `defineLocalTool`. */
export interface LocalTool<I = unknown> {
  name: string;
  description: string;
  /** An object. One that is not strict is made so, and members without a description get their name and type. */
  input: ZodType<I>;
  /** Changes something: `plan` runs on a normal call, `execute` only when its proposal is applied. Default false. */
  mutates?: boolean;
  /** Names of secrets it may read through `ctx.secret`; without them in the environment the tool is hidden. */
  secrets?: readonly string[];
  /** Another name of `secrets`; both hold. */
  requiredSecretScopes?: readonly string[];
  plan?: (input: I, ctx: LocalToolContext) => LocalProposal | Promise<LocalProposal>;
  /** The answer: a string is shown as it is, anything else as JSON. */
  execute: (input: I, ctx: LocalToolContext) => unknown;
}

/** A tool of plain functions as it is written down, whatever its input is. */
export interface PlainTool extends Omit<LocalTool, "input" | "plan" | "execute"> {
  input: ZodType;
  plan?: (input: never, ctx: LocalToolContext) => LocalProposal | Promise<LocalProposal>;
  execute: (input: never, ctx: LocalToolContext) => unknown;
}

/** What `runHost` and `createHost` take as a tool: a declared one, or one of plain functions as it is. */
export type AnyLocalTool = Tool | PlainTool;

/** A tool as a host keeps it. */
export function toTool(tool: AnyLocalTool): Tool {
  return "execute" in tool ? defineLocalTool<never>(tool as LocalTool<never>) : tool;
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
export function defineLocalTool<I>(tool: LocalTool<I>): Tool {
  const { name, description, input, mutates = false, execute } = tool;
  const secrets = [...new Set([...(tool.secrets ?? []), ...(tool.requiredSecretScopes ?? [])])];
  let completed: CompletedSchema | undefined;
  const complete = (): CompletedSchema => (completed ??= completeSchema(input));
  return {
    name,
    title: name,
    summary: description,
    get input() {
      return complete().schema;
    },
    get completed() {
      return complete().missing;
    },
    secrets,
    effect: mutates ? "change" : "read",
    needs: ["roots", "resolvePath", "secret", "signal"] satisfies (keyof LocalToolContext)[],
    local: true,
    risk: mutates ? "R4" : "R1",
    destructive: mutates,
    timeoutMs: limits.LONG_CALL_MS,
    access: () => (mutates ? "all" : []),
    ...(mutates
      ? {
          preview: async (given: I, ctx: LocalToolContext) =>
            await inWords(name, async () => await previewOf(tool, given, ctx)),
        }
      : {}),
    run: async (given: I, ctx: LocalToolContext) =>
      resultOf(await inWords(name, async () => await execute(given, ctx))),
  };
}

/** What the system refuses to a tool is said in words. Anything else that it throws is its bug, which an id stands for. */
async function inWords<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw refusedBySystem(name, thrown) ?? thrown;
  }
}

const REFUSALS: Readonly<Record<string, readonly [code: FailureCode, words: string]>> = {
  ENOENT: ["not_found", "there is no such file or directory"],
  EEXIST: ["already_exists", "there is something of that name"],
  ENOTDIR: ["invalid_input", "a part of the path is no directory"],
  EISDIR: ["invalid_input", "it is a directory"],
  ENOTEMPTY: ["conflict", "the directory is not empty"],
  EACCES: ["denied", "the operating system does not permit it"],
  EPERM: ["denied", "the operating system does not permit it"],
  EROFS: ["denied", "the disk takes no changes"],
  ENOSPC: ["disk_full", "no space is left"],
};

/** Without the path, which may lie outside of the roots. */
function refusedBySystem(name: string, thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code = "", errno, syscall } = thrown as NodeJS.ErrnoException;
  const known = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  if (!known || errno === undefined) return undefined;
  const where = syscall === undefined ? code : `${code}, ${syscall}`;
  return new Failure(known[0], `Cannot finish "${name}": ${known[1]} (${where})`, { cause: thrown });
}

async function previewOf<I>({ name, plan }: LocalTool<I>, input: I, ctx: LocalToolContext): Promise<LocalProposal> {
  return plan
    ? await plan(input, ctx)
    : { summary: `Run ${name} with ${JSON.stringify(input).slice(0, 200)}`, paths: [] };
}

function resultOf(value: unknown): ToolResult {
  const text = typeof value === "string" ? value : value === undefined ? "Done." : JSON.stringify(value, null, 2);
  const structured = isObject(value) ? value : { result: value ?? null };
  return { text, structured, value };
}
