/**
 * What a patch fails with: every hunk of every file that has no place, so that a caller can mend all of it in one step.
 * `details.problems` has them as data; the message speaks of the first one, and the hint names a few others.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import type { HunkProblem } from "../../text/index.ts";

export function hunkFailure(path: string, hunks: readonly HunkProblem[]): Failure {
  const [first] = hunks;
  const code = first?.code === "no_match" || first?.code === "ambiguous" ? first.code : "invalid_input";
  const problems = hunks.map(({ hunk, at, ...problem }) => ({
    file: path,
    hunk: hunk + 1,
    patch_line: at,
    ...problem,
  }));
  return new Failure(code, `Cannot patch "${quotable(path)}": ${first?.message ?? "a hunk fails"}`, {
    ...(first ? { hint: first.hint } : {}),
    details: { problems },
  });
}

const MAX_TOLD = 5;

/** The first one speaks; the others are named in its hint, and all stand in the details. */
export function joinFailures(
  failures: readonly { readonly path: string; readonly failure: Failure }[],
): Failure {
  const problems = failures.flatMap(({ path, failure: { data } }) => {
    const own = data.details?.["problems"];
    if (Array.isArray(own)) return own as { file: string; message: string }[];
    return [{ file: path, code: data.code, message: data.message, hint: data.hint, ...data.details }];
  });
  const [first] = failures;
  if (!first) throw new Error("no failure");
  const { code, message, hint, ...more } = first.failure.data;
  const others = problems.slice(1, MAX_TOLD).map((one) => `${quotable(one.file)}: ${one.message}`);
  const left = problems.length - 1 - others.length;
  const also = [...others, ...(left > 0 ? [`${left} more`] : [])].join("; ");
  return new Failure(code, message, {
    ...more,
    hint: also === "" ? hint : `${hint} Also: ${also}.`,
    details: { ...more.details, problems },
  });
}
