/**
 * The keys that take parts of a proposal in or out: what a key means depends on the line that the reader is at, which is a file,
 * a hunk, or a row of a hunk that was split into its places of change.
 */
import { choose, noteSeen, type ReviewLine, type ShownHunk } from "../../../review/index.ts";
import { told, type OpenProposal, type ScreenState } from "../screen-state.ts";
import { keyFor } from "./keymap.ts";

export function toggleParts(state: ScreenState, open: OpenProposal, line: ReviewLine | undefined): ScreenState {
  if (open.review.isCall) return told(state, "A call is approved or rejected as a whole.");
  if (!line || !("file" in line))
    return told(state, `${keyFor(state, "toggle")} takes the file, hunk or place that you are at in or out.`);
  const { file } = line;
  const places = placesAt(open, line);
  const wanted = places ?? file.hunks.flatMap((hunk) => hunk.places);
  const { choices } = open;
  const own = Object.hasOwn(choices.out, file.path) ? choices.out[file.path] : undefined;
  const isAnyOut = own === "all" || wanted.some((place) => own?.includes(place) === true);
  return { ...state, open: { ...open, choices: choose(choices, file, isAnyOut, places) } };
}

/** `undefined`: the whole file. */
function placesAt({ split: isSplit }: OpenProposal, line: ReviewLine): readonly string[] | undefined {
  if (line.kind === "hunk") return line.hunk.places.length === 0 ? undefined : line.hunk.places;
  if (line.kind !== "row" || line.hunk.places.length === 0) return undefined;
  const { hunk, row } = line;
  if (!isSplit.has(hunk)) return hunk.places;
  return [row.place ?? nearestPlace(hunk, hunk.rows.indexOf(row))];
}

function nearestPlace({ rows, places }: ShownHunk, at: number): string {
  return rows.slice(at).find(({ place }) => place !== undefined)?.place ?? places.at(-1) ?? "";
}

export function splitHunk(state: ScreenState, open: OpenProposal, line: ReviewLine | undefined): ScreenState {
  if (line?.kind !== "hunk" && line?.kind !== "row")
    return told(state, `${keyFor(state, "split")} splits the hunk that you are at.`);
  if (line.hunk.places.length < 2) return told(state, "This hunk is one place of change: it cannot be split.");
  const next = new Set(open.split);
  if (!next.delete(line.hunk)) next.add(line.hunk);
  return { ...state, open: { ...open, split: next } };
}

export function markSeen(state: ScreenState, open: OpenProposal, line: ReviewLine | undefined): ScreenState {
  if (!line || !("file" in line))
    return told(state, `${keyFor(state, "seen")} says that you have seen the file that you are at.`);
  const { file } = line;
  const numbers = file.hunks.map(({ number }) => number);
  const choices = noteSeen(open.choices, file, numbers);
  return told({ ...state, open: { ...open, choices } }, `${file.path} counts as seen`);
}
