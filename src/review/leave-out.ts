/**
 * What a program leaves out of a proposal, by the names that it was told. Everything that is not left out is applied, so a name
 * that means nothing is refused: a slip must not apply what somebody wanted out.
 */
import { Failure } from "../base/index.ts";
import { choose, type ReviewChoices } from "./choices.ts";
import type { ReviewedFile } from "./load-review.ts";

/**
 * @param out by path, as shown or absolute: the hunks (`"2"`) and places of change (`"2.1"`) that are left out, or `all` of the file
 * @throws Failure `invalid_input` for a name that the files do not have
 */
export function leaveOut(
  choices: ReviewChoices,
  files: readonly ReviewedFile[],
  out: ReadonlyMap<string, "all" | readonly string[]>,
): ReviewChoices {
  let left = choices;
  for (const [name, names] of out) {
    const file = fileCalled(name, files);
    if (names === "all") left = choose(left, file, false);
    else for (const one of names) left = choose(left, file, false, placesCalled(one, file));
  }
  return left;
}

function fileCalled(name: string, files: readonly ReviewedFile[]): ReviewedFile {
  const found = files.find(({ path, absolute }) => path === name || absolute === name);
  if (found) return found;
  throw new Failure("invalid_input", `Cannot leave out "${name}": it is not one of the files of the proposal`, {
    hint:
      files.length === 0 ? "It is a call, which is applied or rejected as a whole." : "Name a file as it was shown.",
    candidates: files.map(({ path }) => path),
  });
}

function placesCalled(name: string, { path, hunks }: ReviewedFile): readonly string[] {
  const found = hunks.flatMap(({ number, places }) =>
    String(number) === name ? places : places.filter((place) => place === name),
  );
  if (found.length > 0) return found;
  throw new Failure(
    "invalid_input",
    `Cannot leave out "${name}" of "${path}": it has no such hunk or place of change`,
    {
      hint: "Name a hunk or a place of change as it was shown, or leave all of the file out.",
      candidates: hunks.flatMap((hunk) => hunk.places),
    },
  );
}
