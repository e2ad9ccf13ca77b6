/**
 * The keys that show more of a file than its diff has, or show it in another way: lines around the hunks, the whole file, blanks
 * as signs. What is decided stays what it was.
 */
import type { ReviewLine } from "../../../review/index.ts";
import { keyFor } from "./keymap.ts";
import { told, type OpenProposal, type Pressed, type ScreenState } from "../screen-state.ts";

/** Columns. */
const SIDE_STEP = 20;
/** So many lines more or fewer at each press. */
const STEP = 10;

const WIDER = { "+": "more", "-": "less", W: "whole" } as const;

/** @returns `undefined` for any other key */
export function lookWider(
  state: ScreenState,
  open: OpenProposal,
  line: ReviewLine | undefined,
  key: string,
): Pressed | undefined {
  if (key === "left" || key === "right") {
    const left = Math.max(0, open.left + (key === "right" ? SIDE_STEP : -SIDE_STEP));
    return { state: { ...state, open: { ...open, left } } };
  }
  if (key !== "+" && key !== "-" && key !== "W") return undefined;
  if (!line || !("file" in line) || line.file.hunks.length === 0)
    return {
      state: told(state, `${keyFor(state, WIDER[key])} shows more of the file that you are at, where it has a diff.`),
    };
  const { path } = line.file;
  const known = open.around.get(path)?.count ?? 0;
  const count = key === "W" ? (known === Infinity ? 0 : Infinity) : nextCount(known, key);
  return { state, wish: { kind: "around", open, path, count } };
}

function nextCount(known: number, key: "+" | "-"): number {
  if (known === Infinity) return key === "+" ? known : 0;
  return Math.max(0, known + (key === "+" ? STEP : -STEP));
}

export function toggleBlanks(state: ScreenState): ScreenState {
  const showsBlanks = !state.showsBlanks;
  return told(
    { ...state, showsBlanks },
    showsBlanks ? "every blank is a sign" : "only blanks that one misses are signs",
  );
}
