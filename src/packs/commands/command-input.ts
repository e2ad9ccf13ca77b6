/**
 * The parameters of a declared command as the input of a tool. What is checked here is checked again where it is run.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import {
  compileExpression,
  type CommandDeclaration,
  type Expression,
  type ParameterDeclaration,
} from "../../contract/index.ts";

export const timeoutField = (): z.ZodOptional<z.ZodNumber> =>
  z
    .number()
    .int()
    .min(1)
    .max(limits.MAX_COMMAND_MS)
    .optional()
    .describe("Milliseconds after which it is ended; never longer than its declaration says.");

export const stdinField = (): z.ZodOptional<z.ZodString> =>
  z.string().max(limits.MAX_STDIN_BYTES).optional().describe("Text on standard input. Without it there is none.");

/** The name of a command's own tool. */
export function commandToolName(command: string): string {
  return `cmd_${command}`;
}

type AnyValues = z.ZodRecord<z.ZodString, z.ZodUnknown>;
type Transform = z.ZodTransform<Record<string, unknown>, Record<string, unknown>>;

/** The values for a command that is named beside them. Its declaration says which it takes; `null` is one that is not set. */
export function valuesField(description: string): z.ZodOptional<z.ZodPipe<AnyValues, Transform>> {
  return z
    .record(z.string(), z.unknown())
    .transform((values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)))
    .optional()
    .describe(description);
}

/** The input of a command's own tool. A parameter of its own hides `timeout_ms` or `stdin`. */
export function inputOf({ parameters, stdin }: CommandDeclaration): z.ZodObject {
  const own = Object.entries(parameters ?? {}).map(([name, parameter]) => {
    const field = fieldOf(parameter).describe(describe(parameter));
    return [name, parameter.required ? field : field.optional()] as const;
  });
  return z.strictObject({
    ...(stdin === "given" ? { stdin: stdinField() } : {}),
    timeout_ms: timeoutField(),
    ...Object.fromEntries(own),
  });
}

/** Which of a tool's arguments are the command's. */
export function valuesOf(
  { parameters }: CommandDeclaration,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(parameters ?? {}, name)));
}

/** The paths among the values, for the rules of files. */
export function pathsOf(
  { parameters }: CommandDeclaration,
  values: Readonly<Record<string, unknown>>,
): { path: string; mode: "read" | "write" }[] {
  return Object.entries(parameters ?? {}).flatMap(([name, parameter]) => {
    const of = parameter.type === "list" ? parameter.items : parameter;
    if (of?.type !== "path") return [];
    const value = values[name];
    const paths = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
    return paths.map((path) => ({ path, mode: of.intent ?? ("read" as const) }));
  });
}

function fieldOf(parameter: ParameterDeclaration): z.ZodType {
  const { type, pattern, max_length, minimum, maximum, values } = parameter;
  switch (type) {
    case "integer":
    case "number": {
      const base = type === "integer" ? z.number().int() : z.number();
      const low = minimum === undefined ? base : base.min(minimum);
      return maximum === undefined ? low : low.max(maximum);
    }
    case "boolean":
      return z.boolean();
    case "enum":
      return z.enum(values as [string, ...string[]]);
    case "list":
      return z.array(fieldOf(parameter.items ?? { type: "string" })).max(parameter.max_items ?? MAX_ITEMS);
    case "string":
    case "path": {
      const text = max_length === undefined ? z.string() : z.string().max(max_length);
      return pattern === undefined ? text : matching(text, pattern);
    }
  }
}

const MAX_ITEMS = 256;

/** The schema says the pattern as text; what matches it takes linear time, and is made at the first value. */
function matching(text: z.ZodString, pattern: string): z.ZodString {
  const whole = `^(?:${pattern})$`;
  let expression: Expression | undefined;
  return text
    .check((payload) => {
      expression ??= compileExpression(pattern);
      if (expression.matches(payload.value) !== true)
        payload.issues.push({
          code: "invalid_format",
          format: "regex",
          pattern: whole,
          input: payload.value,
        });
    })
    .meta({ pattern: whole });
}

function describe({ description, type, intent }: ParameterDeclaration): string {
  const path = type === "path" ? `A path inside the roots, to ${intent ?? "read"}.` : "";
  return [description, path].filter(Boolean).join(" ") || `${/^[aeiou]/.test(type) ? "An" : "A"} ${type}.`;
}
