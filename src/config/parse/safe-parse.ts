/**
 * The one place where a configuration is held to a schema: one of `zod/mini`, as ours are, or a classic one of a pack that somebody
 * else wrote. `zod/mini` loads in half the time, and brings no words for what is wrong; they are put in here, for a value that is
 * refused.
 */
import * as z from "zod/mini";
import { Failure } from "../../base/index.ts";
import { issueWords } from "./issue-words.ts";

/** @throws Failure `invalid_input` for what is no schema of zod 4, such as one of `zod/v3` */
export function safeParse<T>(schema: z.core.$ZodType<T>, value: unknown): z.core.util.SafeParseResult<T> {
  if (!("_zod" in schema))
    throw new Failure("invalid_input", "Cannot start: the schema of a pack is none of zod 4", {
      hint: 'Make it with "zod" or "zod/mini" of version 4.',
    });
  return z.safeParse(schema, value, { error: inWords });
}

/**
 * For a person, and else as classic zod says it. Where a program has set words of its own with `z.config`, they hold; the English
 * of the library is set by whoever loads classic zod, and is nobody's choice.
 */
function inWords(issue: z.core.$ZodRawIssue): ReturnType<z.core.$ZodErrorMap> {
  const { customError, localeError } = z.config();
  const english = z.locales.en().localeError(issue);
  const isChosen = customError !== undefined || (localeError !== undefined && localeError(issue) !== english);
  return isChosen ? undefined : (issueWords(issue) ?? english);
}
