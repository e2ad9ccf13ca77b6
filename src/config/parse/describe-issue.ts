/**
 * What is wrong with a value of the configuration, as a person is told it: where, and the nearest name for a key that there
 * is not.
 */
import type * as z from "zod/mini";
import { nearestNames } from "../../text/index.ts";
import { clearestIssue } from "./clearest-issue.ts";

/** The first thing that is wrong, and before it a key that is not known: a key that is missed may be what it was meant to be. */
export function describeIssue(issues: readonly z.core.$ZodIssue[], schema: z.core.$ZodType): string {
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
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let at = bare(schema);
  for (const part of path) {
    if (at?.type === "object") at = bare(at.shape[String(part)]);
    else if (at?.type === "array") at = bare(at.element);
    else if (at?.type === "record") at = bare(at.valueType);
  }
  return at?.type === "object" ? Object.keys(at.shape) : [];
}

/** What a schema is made of, without what is wrapped around it; of a classic one as of one of `zod/mini`. */
function bare(schema: z.core.$ZodType | undefined): z.core.$ZodTypes["_zod"]["def"] | undefined {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def;
  if (def?.type === "optional" || def?.type === "default") return bare(def.innerType);
  return def?.type === "lazy" ? bare(def.getter()) : def;
}
