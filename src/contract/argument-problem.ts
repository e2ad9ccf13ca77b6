/**
 * What was wrong with the arguments of a call, in the words of the schema: the field, what came, what is wanted. Every
 * wrong one is named at once, because each that is left for the next answer costs a model another call.
 */
import type * as z from "zod";
import { Failure } from "../base/index.ts";
import type { JsonSchema } from "./wire-schema.ts";

export interface ArgumentProblem {
  readonly message: string;
  /** What is wanted instead; absent: what every wrong argument is told. */
  readonly hint?: string;
  /** For a name that is not known: the one that was probably meant. */
  readonly meant?: { readonly name: string; readonly nearest: string };
  /** The name of an argument that is not there. */
  readonly missing?: string;
}

/** The rest is only counted: a list may have a thousand wrong elements. */
const MAX_NAMED = 8;

/** @param problems at least one */
export function argumentsFailure(tool: string, problems: readonly ArgumentProblem[]): Failure {
  const named = problems.slice(0, MAX_NAMED);
  const more = problems.length - named.length;
  const states = [...named.map(({ message }) => message), ...(more > 0 ? [`and ${more} more`] : [])];
  const hints = [didYouMean(named), ...named.map(({ hint }) => hint)].filter((hint) => hint !== undefined);
  const hint = [...new Set(hints)].filter((one) => one !== "").join(" ");
  return new Failure(
    "invalid_input",
    `Cannot call "${tool}": ${states.join("; ")}`,
    hints.length === 0 ? {} : { hint },
  );
}

function didYouMean(problems: readonly ArgumentProblem[]): string | undefined {
  const all = problems.flatMap(({ meant }) => meant ?? []);
  const [only] = all;
  if (!only) return undefined;
  const said = all.length === 1 ? only.nearest : all.map(({ name, nearest }) => `${nearest} for ${name}`).join(", ");
  return `Did you mean ${said}?`;
}

export function describeProblems(error: z.ZodError, schema: JsonSchema, given: unknown): ArgumentProblem[] {
  return error.issues.map((issue) => describeIssue(issue, schema, given));
}

type Issue = z.ZodError["issues"][number];

function describeIssue(issue: Issue, schema: JsonSchema, given: unknown): ArgumentProblem {
  const isRule = issue.code === "custom";
  // A rule of the tool about several arguments, which says what it wants.
  if (isRule && issue.path.length === 0) return { message: "the arguments do not fit together", hint: issue.message };
  const field = fieldName(issue.path);
  const shown = `${field}${placeInList(issue.path)}`;
  const wanted = schemaAt(schema, issue.path);
  const value = valueAt(given, issue.path);
  const hint = wanted === undefined ? "" : `${field} is ${describeSchema(wanted).replace(/\.$/, "")}.`;
  if (issue.path.length === 0)
    return {
      message: `the arguments must be an object, not ${describeValue(value)}`,
      hint: 'Give them as an object of JSON: {"name": value}.',
    };
  if (value === undefined) return { message: `the argument ${shown} is missing`, hint, missing: field };
  const why = isRule ? `: ${issue.message}` : "";
  return { message: `the argument ${shown} cannot be ${describeValue(value)}${why}`, hint };
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
}

/** Indices start at 0, and people count from 1, as every other message does: `operations[1].path` is of operation 2. */
function placeInList(path: readonly PropertyKey[]): string {
  const at = path.findIndex((part) => typeof part === "number");
  return at < 1 ? "" : ` (number ${Number(path[at]) + 1} of ${fieldName(path.slice(0, at))})`;
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const part of path) at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
  return at;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let at = given;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}

function describeSchema(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  const bounds = [
    schema.minimum === undefined ? "" : ` from ${schema.minimum}`,
    schema.maximum === undefined ? "" : ` to ${schema.maximum}`,
  ].join("");
  const kind =
    schema.type === "array"
      ? `a list of ${listBounds(schema)}${schema.items?.type ?? "value"}s`
      : schema.type === undefined
        ? "a value"
        : `${/^[aeiou]/.test(schema.type) ? "an" : "a"} ${schema.type}`;
  const pattern = schema.pattern === undefined ? "" : ` that matches ${schema.pattern}`;
  return `${kind}${bounds}${pattern}${schema.description ? `: ${schema.description}` : ""}`;
}

function listBounds({ minItems = 0, maxItems }: JsonSchema): string {
  if (maxItems !== undefined) return minItems > 0 ? `${minItems} to ${maxItems} ` : `at most ${maxItems} `;
  return minItems > 0 ? `at least ${minItems} ` : "";
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string")
    return value.length > 60 ? `a string of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return typeof value === "object" ? "an object" : typeof value;
}
