/**
 * An answer without what is new each time: ids, times, durations, and where the roots lie. Two runs of the same call on equal
 * files come to the same text, so its hash tells whether a call that is made again ends as it did.
 *
 * Usual mistake: to leave out more. Whatever is replaced here is a difference that a replay does not see.
 */
import { sha256 } from "../../base/index.ts";
import type { Config } from "../../config/index.ts";

/** Ids of proposals, transactions, grants, outputs, programs and tasks. */
const ID = /\b(?:p|t|g|n|w|run|spill|task)_[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/g;
const DIGEST_OF_ID = /(?<=<id>)@[0-9a-f]+/g;
const DIGEST_MEMBER = /(?<="digest":")[0-9a-f]+/g;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const PID = /(?<=\bpid )\d+/g;
const DURATION = /\b\d+(?:\.\d+)? ?(?:ms|s)\b/g;
/** Members of structured answers that hold a time, a duration or a number of the system. */
const MEMBER =
  /("(?:duration_ms|ms|wall_ms|mtime|mtime_ms|ctime|birthtime|inode|ino|dev|pid)":)(?:-?\d+(?:\.\d+)?|"[^"]*")/g;

type Places = Pick<Config, "roots" | "stateDir">;

export function comparableHash(places: Places, text: string): string {
  return sha256(comparable(places, text));
}

function comparable({ roots, stateDir }: Places, text: string): string {
  let left = withoutEscapes(text);
  for (const [index, { path }] of roots.entries()) left = left.replaceAll(inJson(path), `<root ${index + 1}>`);
  return left
    .replaceAll(inJson(stateDir), "<state>")
    .replace(ID, "<id>")
    .replace(DIGEST_OF_ID, "")
    .replace(DIGEST_MEMBER, "")
    .replace(TIME, "<time>")
    .replace(MEMBER, "$1<time>")
    .replace(PID, "<pid>")
    .replace(DURATION, "<time>");
}

/** The letter of an escape in JSON is no part of the word behind it. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\[nrt]/g, " ");
}

/** Answers are JSON text. */
function inJson(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

/** More ids than any later call can name. */
const MAX_IDS = 200;

/** The ids in an answer, in the order in which they stand there first. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(withoutEscapes(text).match(ID) ?? [])].slice(0, MAX_IDS);
}
