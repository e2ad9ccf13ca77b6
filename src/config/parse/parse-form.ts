/**
 * A file that somebody else wrote, held to its form: a manifest, the declaration of a tool. One that is wrong is named and left
 * out, so that nothing else fails because of it.
 */
import type * as z from "zod/mini";
import { describeIssue } from "./describe-issue.ts";
import { safeParse } from "./safe-parse.ts";

/** @throws Error that says where it is wrong and why, for a person */
export function parseForm<T>(schema: z.core.$ZodType<T>, value: unknown): T {
  const parsed = safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new Error(describeIssue(parsed.error.issues, schema));
}
