/**
 * What is wrong with a value of the configuration, as a person is told it: where, and the nearest name for a key that there
 * is not.
 */
import * as z from "zod";
import { nearestNames } from "../../text/index.ts";
import { clearestIssue } from "./clearest-issue.ts";

/** The first thing that is wrong, and before it a key that is not known: a key that is missed may be what it was meant to be. */
export function describeIssue(issues: readonly z.core.$ZodIssue[], schema: z.ZodType): string {
  const issue = clearestIssue(issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0]);
  if (!issue) return "it is not valid";
  const at = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return `${at === "" ? "it" : at} is wrong: ${issue.message}`;
  const key = issue.keys[0] ?? "";
  return `there is ${noKey(key, keysAt(schema, issue.path), at === "" ? "" : ` in ${at}`)}`;
}

/** Says that there is no such key, with the nearest of those that there are. */
export function noKey(key: string, keys: readonly string[], where = ""): string {
  const [nearest] = nearestNames(key, keys, 1);
  return `no key ${JSON.stringify(key)}${where}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`;
}

/** The keys that an object at this place may have. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const part of path) {
    at = bare(at);
    if (at instanceof z.ZodObject) at = at.shape[String(part)] as unknown;
    else if (at instanceof z.ZodArray) at = at.element;
    else if (at instanceof z.ZodRecord) at = at.valueType;
  }
  at = bare(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function bare(schema: unknown): unknown {
  const isWrapped = [z.ZodOptional, z.ZodDefault, z.ZodLazy].some((kind) => schema instanceof kind);
  return isWrapped ? bare((schema as z.ZodOptional).unwrap()) : schema;
}
