/**
 * From what a caller sent to a tool's typed input. The straight case is one zod parse; only when it fails are other
 * names of parameters and obvious slips of type mended and parsed again. Nothing is ever turned into a string, and an
 * argument that is not known is an error that names its nearest neighbour: a typo must not silently do something else.
 */
import type * as z from "zod";
import { Failure } from "../base/index.ts";
import { describeProblem } from "./argument-problem.ts";
import { repairArguments } from "./repair-arguments.ts";
import { inputSchemaOf } from "./wire-schema.ts";

export interface Parsable {
  readonly name: string;
  readonly input: z.ZodType;
  readonly parameterAliases?: Readonly<Record<string, string>>;
}

/** @throws Failure `invalid_input` whose text names the field, what was wrong, and the nearest valid form */
export function parseArguments(tool: Parsable, given: unknown): unknown {
  const straight = tool.input.safeParse(given ?? {});
  if (straight.success) return straight.data;
  const schema = inputSchemaOf(tool);
  const repaired = repairArguments(given ?? {}, schema, tool.parameterAliases ?? {});
  if (repaired.problem !== undefined) throw refused(tool, repaired.problem, repaired.nearest);
  const again = tool.input.safeParse(repaired.value);
  if (again.success) return again.data;
  const problem = describeProblem(again.error, schema, repaired.value);
  throw refused(tool, problem.message, problem.hint);
}

function refused(tool: Parsable, problem: string, hint: string | undefined): Failure {
  return new Failure(
    "invalid_input",
    `Cannot call "${tool.name}": ${problem}`,
    hint === undefined ? {} : { hint },
  );
}
