/**
 * What is wrong with a value that may have one of several forms: the problem of the form that it comes nearest to, with its
 * own place. The library says only that none of them fits.
 */
import type * as z from "zod/mini";

/** Leaves every issue as it is that is not about forms. Nearest is the form whose problem lies deepest. */
export function clearestIssue(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== "invalid_union") return issue;
  const within = issue.errors.flat().toSorted((one, other) => depthOf(other) - depthOf(one))[0];
  return within ? clearestIssue({ ...within, path: [...issue.path, ...within.path] }) : issue;
}

/** A key that there is not lies within the object; a wrong type is the whole value. */
function depthOf({ code, path }: z.core.$ZodIssue): number {
  return path.length * 2 + (code === "unrecognized_keys" ? 1 : 0);
}
