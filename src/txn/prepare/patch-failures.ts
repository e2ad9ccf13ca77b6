/**
 * How the parts of a patch that cannot be made are told: every hunk without a place, and every file, in one failure, so that a
 * caller can mend all of it in one step.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import type { HunkProblem } from "../../text/index.ts";
import { type ChangeTarget, refusal } from "./context.ts";

export interface FilePatchProblem {
  readonly path: string;
  readonly failure: Failure;
  /** The place of a missing file; no problem if the patch turns out to be a repeat. */
  readonly gone?: ChangeTarget;
}

const MAX_TOLD = 5;

/**
 * Joins the failures of all files, so that a caller can mend all of it in one step. The message is that of the first, the
 * hint names a few others, and all stand in `details.problems`.
 */
export function joinFailures(failures: readonly FilePatchProblem[]): Failure {
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

export function hunkFailure(path: string, hunks: readonly HunkProblem[]): Failure {
  const [first] = hunks;
  const code = first?.code === "no_match" || first?.code === "ambiguous" ? first.code : "invalid_input";
  const problems = hunks.map(({ hunk, at, ...problem }) => ({
    file: path,
    hunk: hunk + 1,
    patch_line: at,
    ...problem,
  }));
  return refusal(code, "patch", path, first?.message ?? "a hunk fails", {
    ...(first ? { hint: first.hint } : {}),
    details: { problems },
  });
}

export function hinted({ data: { code, message, hint, ...more } }: Failure, first: string): Failure {
  return new Failure(code, message, { ...more, hint: `${first} ${hint}` });
}
