/**
 * From what a caller sent to a tool's typed input. The straight case is one zod parse; only when it fails are other
 * names of parameters and obvious slips mended and parsed again. Nothing is ever turned into a string, and an
 * argument that is not known is an error that names its nearest neighbour: a typo must not silently do something else.
 */
import { argumentsFailure, describeProblems, type ArgumentProblem } from "./argument-problem.ts";
import { repairArguments } from "./repair-arguments.ts";
import { withoutClientHints } from "./client-slips.ts";
import { inputSchemaOf, type ParsedArguments, type ToolInput } from "./wire-schema.ts";

export interface Parsable {
  readonly name: string;
  readonly input: ToolInput;
  readonly parameterAliases?: Readonly<Record<string, string>>;
}

/** @throws Failure `invalid_input` whose text names every wrong field, what was wrong, and the nearest valid form */
export function parseArguments(tool: Parsable, given: unknown): ParsedArguments {
  const read = tryArguments(tool, given);
  if ("problems" in read) throw argumentsFailure(tool.name, read.problems);
  return read;
}

/** For arguments that are parsed in parts: what is wrong in each part can be told together. */
export function tryArguments(
  tool: Parsable,
  given: unknown,
): ParsedArguments | { readonly problems: readonly ArgumentProblem[] } {
  const { input } = tool;
  if ("wire" in input) return input.read(tool.name, given);
  const { value, dropped } = withoutClientHints(given ?? {}, () => inputSchemaOf(tool));
  const straight = input.safeParse(value);
  if (straight.success) return { input: straight.data, repaired: dropped };
  const schema = inputSchemaOf(tool);
  const repaired = repairArguments(value, schema, tool.parameterAliases ?? {});
  const again = input.safeParse(repaired.value);
  if (again.success && repaired.problems.length === 0) return { input: again.data, repaired: dropped + repaired.count };
  const { problems } = repaired;
  const others = again.success ? [] : describeProblems(again.error, schema, repaired.value);
  // What is there under a wrong name is not missing as well.
  const meant = new Set(problems.map((one) => one.meant?.nearest));
  return {
    problems: [...problems, ...others.filter(({ missing }) => missing === undefined || !meant.has(missing))],
  };
}

/** Arguments that were read before and stored, once more by the tool's own schema. @throws what the schema throws */
export function restoreArguments({ input }: Parsable, stored: unknown): unknown {
  return "wire" in input ? stored : input.parse(stored);
}
