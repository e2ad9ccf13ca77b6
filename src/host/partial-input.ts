/**
 * The input of a tool with some of its arguments missing, for a question about a call that is not made. The tool says what
 * it would touch; which of the missing ones it looks for while it does is noted: those could change the answer.
 */
import * as z from "zod";
import { Failure } from "../base/index.ts";
import { isForeignTool, parseArguments, type Access, type AnyTool } from "../contract/index.ts";
import { isRunTool } from "./assess-run.ts";
import { parsableOf } from "./find-tool.ts";

export interface MissingArgument {
  readonly name: string;
  readonly required: boolean;
  /** Whether the decision could be another one with it. */
  readonly could_change: boolean;
}

interface PartialInput {
  /** The same, without the paths that are not known. */
  readonly tool: AnyTool;
  readonly input: unknown;
  /** Known when the call was assessed. @param also others that could change the decision, where the tool has them */
  readonly missing: (also: readonly string[]) => readonly MissingArgument[];
}

/** @throws Failure `invalid_input` */
export function readPartly(tool: AnyTool, given: unknown): PartialInput {
  // Whatever it is given, nobody here knows what it would touch.
  if (isForeignTool(tool)) return { tool, input: given, missing: () => [] };
  const parsable = parsableOf(tool);
  const { input: schema } = parsable;
  // Of a consumer's own tool that takes no object nothing can be left out.
  if (!(schema instanceof z.ZodObject))
    return { tool, input: parseArguments(parsable, given).input, missing: () => [] };
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const loose = Object.entries(shape).map(([key, field]) => [key, field.optional()] as const);
  const partial = z.strictObject(Object.fromEntries(loose));
  const input = parseArguments({ ...parsable, input: partial }, given).input as Readonly<
    Record<string, unknown>
  >;
  const lookedFor = new Set<string>();
  const watched = new Proxy(input, {
    get(target, key) {
      if (typeof key !== "string") return undefined;
      if (target[key] === undefined && Object.hasOwn(shape, key)) lookedFor.add(key);
      return target[key];
    },
  });
  const required = Object.keys(shape).filter((key) => shape[key]?.safeParse(undefined).success === false);
  const absent = required.filter((key) => input[key] === undefined);
  return {
    tool: absent.length === 0 ? tool : withKnownPaths(tool, watched, absent),
    input: watched,
    missing(also) {
      const more = also.filter((key) => Object.hasOwn(shape, key) && input[key] === undefined);
      return [...new Set([...absent, ...lookedFor, ...more])].map((name) => ({
        name,
        required: required.includes(name),
        could_change: lookedFor.has(name) || more.includes(name),
      }));
    },
  };
}

/** @throws Failure `invalid_input` when no path is known, or what is to be started */
function withKnownPaths(tool: AnyTool, input: unknown, absent: readonly string[]): AnyTool {
  if ("kind" in tool) return tool;
  let known: readonly Access[] = [];
  let isPart = false;
  try {
    const access = tool.access(input as never);
    known = access.filter(({ path }) => typeof path === "string");
    isPart = known.length < access.length;
    if (isRunTool(tool)) tool.starts?.(input as never);
  } catch {
    isPart = true;
  }
  const startsUnknown = isRunTool(tool) && absent.includes("command");
  if ((isPart && known.length === 0) || startsUnknown)
    throw new Failure(
      "invalid_input",
      `Cannot explain a call of "${tool.name}" without ${absent.join(", ")}: what it would touch is not known`,
      { hint: `Give at least one of them, as ${absent[0]}=...` },
    );
  return { ...tool, access: () => known };
}
