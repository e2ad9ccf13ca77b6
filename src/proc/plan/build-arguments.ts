/**
 * A caller's values as the arguments of a program. Every value is one argument of its own, checked against its
 * declaration; one that the program would read as an option is refused. Pure but for `toPath`.
 *
 * It is asked twice: by the host for what a person is shown, and by the launcher, which trusts no host, for what is run.
 */
import { Failure } from "../../base/index.ts";
import { compileExpression } from "../../pattern/index.ts";
import type { CommandDeclaration, CommandInput, ParameterDeclaration } from "../declaration.ts";

/** From a caller's path to the absolute one. @throws Failure for a path outside the roots, or a denied one */
export type ToPath = (path: string, intent: "read" | "write") => string;

const MAX_TEXT = 64 * 1024;
const MAX_ITEMS = 256;

/** @throws Failure `invalid_input` that names the parameter */
export function buildArguments(
  declaration: CommandDeclaration,
  input: CommandInput,
  toPath: ToPath,
): readonly string[] {
  const parameters = declaration.parameters ?? {};
  for (const name of Object.keys(input))
    if (!Object.hasOwn(parameters, name)) throw refused(name, "the command has no such parameter");
  const made = new Map(
    Object.entries(parameters).map(([name, parameter]) => [name, argumentsOf(name, parameter, input[name], toPath)]),
  );
  const fixed = (declaration.args ?? []).flatMap((arg): readonly string[] => {
    const name = /^\{(\w+)\}$/.exec(arg)?.[1];
    const values = name === undefined ? undefined : made.get(name);
    if (name === undefined || !values) return [arg];
    made.delete(name);
    return values;
  });
  return [...fixed, ...[...made.values()].flat()];
}

function argumentsOf(name: string, parameter: ParameterDeclaration, value: unknown, toPath: ToPath): readonly string[] {
  const { type, flag } = parameter;
  if (value === undefined || value === null) {
    if (parameter.required) throw refused(name, "it is missing");
    return [];
  }
  if (type === "boolean") {
    if (typeof value !== "boolean") throw refused(name, "it must be true or false");
    return flag === undefined ? [String(value)] : value ? [flag] : [];
  }
  if (type === "list") return listOf(name, parameter, value, toPath);
  return withFlag(flag, textOf(name, parameter, value, toPath, flag));
}

function listOf(name: string, parameter: ParameterDeclaration, value: unknown, toPath: ToPath): readonly string[] {
  const items = parameter.items ?? { type: "string" };
  const most = parameter.max_items ?? MAX_ITEMS;
  if (!Array.isArray(value)) throw refused(name, "it must be a list");
  if (value.length > most) throw refused(name, `it has more than ${most} entries`);
  return value.flatMap((one: unknown) => withFlag(parameter.flag, textOf(name, items, one, toPath, parameter.flag)));
}

function withFlag(flag: string | undefined, text: string): readonly string[] {
  if (flag === undefined) return [text];
  return flag.endsWith("=") ? [`${flag}${text}`] : [flag, text];
}

function textOf(
  name: string,
  parameter: ParameterDeclaration,
  value: unknown,
  toPath: ToPath,
  flag: string | undefined,
): string {
  const text = plainText(name, parameter, value, toPath);
  if (text.includes("\0")) throw refused(name, "it holds a NUL byte");
  if (text.startsWith("-") && !parameter.may_be_option && !flag?.endsWith("=") && !isDeclared(parameter))
    throw refused(name, `${JSON.stringify(text.slice(0, 60))} would be read as an option`);
  return text;
}

/** A negative number is no option that anybody chose, and the values of an enum are those that the declaration chose. */
function isDeclared({ type }: ParameterDeclaration): boolean {
  return type === "integer" || type === "number" || type === "enum";
}

function plainText(name: string, parameter: ParameterDeclaration, value: unknown, toPath: ToPath): string {
  switch (parameter.type) {
    case "integer":
    case "number":
      return numberText(name, parameter, value);
    case "enum":
      if (typeof value === "string" && parameter.values?.includes(value)) return value;
      throw refused(name, `it must be one of ${(parameter.values ?? []).join(", ")}`);
    case "path":
      if (typeof value !== "string") throw refused(name, "it must be a path");
      return toPath(value, parameter.intent ?? "read");
    case "string":
    case "boolean":
    case "list":
      return stringText(name, parameter, value);
  }
}

function numberText(name: string, { type, minimum, maximum }: ParameterDeclaration, value: unknown): string {
  if (typeof value !== "number" || !Number.isFinite(value)) throw refused(name, "it must be a number");
  if (type === "integer" && !Number.isSafeInteger(value)) throw refused(name, "it must be a whole number");
  if (minimum !== undefined && value < minimum) throw refused(name, `it must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) throw refused(name, `it must be at most ${maximum}`);
  return String(value);
}

function stringText(name: string, { pattern, max_length: most }: ParameterDeclaration, value: unknown): string {
  if (typeof value !== "string") throw refused(name, "it must be a text");
  if (value.length > (most ?? MAX_TEXT)) throw refused(name, `it is longer than ${most ?? MAX_TEXT}`);
  if (pattern === undefined) return value;
  const isMatch = compileExpression(pattern).matches(value);
  if (isMatch === undefined) throw refused(name, `it takes too long to match it with ${pattern}`);
  if (!isMatch) throw refused(name, `it does not match ${pattern}`);
  return value;
}

function refused(name: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot run the command: the parameter "${name}" is wrong: ${why}`);
}
