/**
 * What is wrong with one value of a configuration, in the words of the person who wrote it: the library names its own types.
 * No value is repeated, because it may be a secret in the wrong place.
 */
import type * as z from "zod/mini";

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  map: "an object",
  object: "an object",
  record: "an object",
};

/** @returns a sentence about "it"; `undefined` for what a schema says in words of its own, or the library says well */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") {
    const kind = KINDS[issue.expected];
    if (issue.input === undefined) return kind ? `it is missing, and must be ${kind}` : "it is missing";
    return kind && `it must be ${kind}, not ${kindOf(issue.input, issue.expected)}`;
  }
  if (issue.code === "invalid_value") {
    const values = issue.values.map((one) => JSON.stringify(one)).join(", ");
    return `it must be ${issue.values.length === 1 ? "" : "one of "}${values}`;
  }
  if (issue.code === "too_small")
    return `it must ${boundWords(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
  if (issue.code === "too_big")
    return `it must ${boundWords(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
  if (issue.code === "invalid_key") return "its name cannot stand here";
  if (issue.code === "invalid_format" && issue.format === "regex") return `it must match ${issue.pattern}`;
  return undefined;
}

function kindOf(value: unknown, expected: string): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (expected === "int" && typeof value === "number") return "one with a fraction";
  return typeof value === "boolean" ? String(value) : (KINDS[typeof value] ?? typeof value);
}

function boundWords(origin: string, side: string, bound: number | bigint): string {
  if (origin === "string") return `have ${side} ${bound} ${bound === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${side} ${bound} ${bound === 1 ? "entry" : "entries"}`;
  return `be ${side} ${bound}`;
}
