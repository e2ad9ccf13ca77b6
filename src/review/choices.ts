/**
 * What a person has decided so far about one proposal: the places of change that are out, the comments, and what was on the
 * screen. Pure data, so that it can be kept on disk after every key, and one place that makes an approval of it.
 */
import type { HunkName, ProposalParts, ReviewComment } from "../calls/index.ts";
import type { ReviewedFile } from "./load-review.ts";

export interface ReviewChoices {
  /** `ID@DIGEST` of what they are about: those of another digest hold no more. */
  readonly label: string;
  /** By path: the places of change that are not applied, or `all` of the file. */
  readonly out: Readonly<Record<string, "all" | readonly string[]>>;
  readonly comments: readonly ReviewComment[];
  /** By path: the hunks that were on the screen. */
  readonly seen: Readonly<Record<string, readonly number[]>>;
  /** Where the reader was: a line of all that is shown. */
  readonly scroll?: number;
  /** A comment that was begun and not sent. */
  readonly unsent?: string;
}

export function noChoices(label: string): ReviewChoices {
  return { label, out: {}, comments: [], seen: {} };
}

export function isOut({ out }: ReviewChoices, { path }: ReviewedFile, place?: string): boolean {
  const own = ownOf(out, path);
  return own === "all" || (place !== undefined && own?.includes(place) === true);
}

/** Puts places of change in or out; without places, the whole file. */
export function choose(
  choices: ReviewChoices,
  file: ReviewedFile,
  isTaken: boolean,
  places: readonly string[] = placesOf(file),
): ReviewChoices {
  const all = placesOf(file);
  const before = ownOf(choices.out, file.path) ?? [];
  const left = new Set(before === "all" ? all : before);
  for (const place of places) {
    if (isTaken) left.delete(place);
    else left.add(place);
  }
  const { [file.path]: _, ...others } = choices.out;
  const isAllOut = all.length === 0 ? !isTaken : left.size === all.length;
  if (!isAllOut && left.size === 0) return { ...choices, out: others };
  return { ...choices, out: { ...others, [file.path]: isAllOut ? "all" : all.filter((one) => left.has(one)) } };
}

export function addComment(choices: ReviewChoices, comment: ReviewComment): ReviewChoices {
  return { ...choices, comments: [...choices.comments, comment] };
}

export function dropComment(choices: ReviewChoices, index: number): ReviewChoices {
  return { ...choices, comments: choices.comments.filter((_, at) => at !== index) };
}

export function noteSeen(choices: ReviewChoices, { path }: ReviewedFile, hunks: readonly number[]): ReviewChoices {
  const before = ownOf(choices.seen, path) ?? [];
  const fresh = hunks.filter((hunk) => !before.includes(hunk));
  return fresh.length === 0 ? choices : { ...choices, seen: { ...choices.seen, [path]: [...before, ...fresh] } };
}

/** Gives the hunks that would be applied and were never on the screen, by path. */
export function unseen(
  choices: ReviewChoices,
  files: readonly ReviewedFile[],
): Readonly<Record<string, readonly number[]>> {
  const left = files.flatMap((file): [string, number[]][] => {
    if (isOut(choices, file)) return [];
    const hunks = file.hunks.filter(
      ({ number, places }) =>
        ownOf(choices.seen, file.path)?.includes(number) !== true &&
        places.some((place) => !isOut(choices, file, place)),
    );
    return hunks.length === 0 ? [] : [[file.path, hunks.map(({ number }) => number)]];
  });
  return Object.fromEntries(left);
}

/** @returns the parts to apply, as `ringfence/proposals/apply` takes them; `nothing` when everything is out */
export function partsOf(choices: ReviewChoices, files: readonly ReviewedFile[]): ProposalParts | "nothing" {
  const comments = choices.comments.length === 0 ? {} : { comments: choices.comments };
  if (files.every((file) => ownOf(choices.out, file.path) === undefined)) return comments;
  const whole: string[] = [];
  const hunks = new Map<string, HunkName[]>();
  for (const file of files) {
    const out = ownOf(choices.out, file.path);
    if (out === undefined) whole.push(file.path);
    else if (out !== "all") hunks.set(file.path, hunksWithout(file, out));
  }
  if (whole.length === 0 && hunks.size === 0) return "nothing";
  return {
    ...(whole.length === 0 ? {} : { files: whole }),
    ...(hunks.size === 0 ? {} : { hunks: Object.fromEntries(hunks) }),
    ...comments,
  };
}

/** A hunk that is taken whole by its number. */
function hunksWithout({ hunks }: ReviewedFile, out: readonly string[]): HunkName[] {
  return hunks.flatMap(({ number, places }): HunkName[] => {
    const taken = places.filter((place) => !out.includes(place));
    return taken.length === places.length ? [number] : taken;
  });
}

function placesOf({ hunks }: ReviewedFile): string[] {
  return hunks.flatMap(({ places }) => places);
}

/** A file may be called `constructor`. */
function ownOf<Value>(record: Readonly<Record<string, Value>>, path: string): Value | undefined {
  return Object.hasOwn(record, path) ? record[path] : undefined;
}
