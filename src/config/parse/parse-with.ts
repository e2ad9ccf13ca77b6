/**
 * A part of the configuration, held to its schema.
 */
import type * as z from "zod/mini";
import { Failure } from "../../base/index.ts";
import { clearestIssue } from "./clearest-issue.ts";
import { safeParse } from "./safe-parse.ts";

/** @throws Failure `invalid_input` that names the place */
export function parseWith<T>(schema: z.core.$ZodType<T>, value: unknown, what: string, page = "docs/commands.md"): T {
  const parsed = safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const issue = clearestIssue(parsed.error.issues[0]);
  const at = issue?.path.map(String).join(".");
  throw new Failure(
    "invalid_input",
    `Cannot start: ${what}${at ? `.${at}` : ""} is wrong: ${issue?.message ?? "it is not valid"}`,
    { hint: `${page} says what can stand there.` },
  );
}
