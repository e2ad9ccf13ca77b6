/**
 * Places a hunk that only inserts: at the end if it says so, below its anchor, behind the hunk it goes on from, or before
 * its line number. With none of these it could mean any place, and is refused unless the file is empty.
 *
 * Usual mistake: appending such lines at the end of the file whatever their anchor says.
 */
import { findAnchorLines, nearest } from "./choose-place.ts";
import { isInsertedAlready } from "./find-applied.ts";
import { ambiguousProblem, nameOfHunk, namedLines, showLine, type HunkProblem } from "./hunk-problem.ts";
import type { Hunk } from "./patch-model.ts";
import type { PlaceResult, PlacingTarget } from "./placing.ts";

export function placeInsertion(
  target: PlacingTarget,
  hunk: Hunk,
  index: number,
  previousEnd: number | undefined,
): PlaceResult {
  const found = findPlace(target, hunk, index, previousEnd);
  if (typeof found !== "number") return { kind: "failed", problem: found };
  if (hunk.anchorKind === "hard" && isInsertedAlready(target, hunk, found)) {
    const { length } = hunk.lines;
    return { kind: "already", already: { start: hunk.endOfFile ? found - length : found, length } };
  }
  return {
    kind: "placed",
    placed: {
      index,
      hunk,
      unit: "lines",
      start: found,
      length: 0,
      lines: hunk.lines,
      hasOwnEndings: target.texts.length === 0,
      isReindented: false,
    },
  };
}

/** The 0-based line before which to insert. */
function findPlace(
  target: PlacingTarget,
  hunk: Hunk,
  index: number,
  previousEnd: number | undefined,
): number | HunkProblem {
  const count = target.texts.length;
  if (count === 0) return 0;
  const anchors = findAnchorLines(target, hunk);
  const isHard = hunk.anchorKind === "hard" && hunk.anchors.length > 0;
  if (isHard && anchors.length === 0) return anchorMissing(hunk, index);
  if (hunk.endOfFile) return count;
  if (hunk.follows === true && previousEnd !== undefined) return previousEnd;
  if (hunk.startLine !== undefined && !isHard) {
    return hunk.startLine <= count + 1 ? hunk.startLine - 1 : behindEnd(hunk, index, count);
  }
  const [only, another] = anchors;
  if (only !== undefined && another === undefined) return only + 1;
  const near = hunk.startLine === undefined ? undefined : nearest(anchors, hunk.startLine - 1);
  if (near !== undefined) return near + 1;
  return anchors.length > 0 ? ambiguousAnchor(hunk, index, anchors) : noPlace(hunk, index);
}

function anchorMissing(hunk: Hunk, index: number): HunkProblem {
  return {
    hunk: index,
    at: hunk.at,
    code: "no_match",
    message: `the anchor ${showLine(hunk.anchors.join(" @@ "))} of ${nameOfHunk(hunk, index)} is not in the file`,
    hint: "Copy the line below which to insert, or give it as context with a blank before it.",
  };
}

function ambiguousAnchor(hunk: Hunk, index: number, anchors: readonly number[]): HunkProblem {
  const lines = namedLines(anchors);
  return {
    ...ambiguousProblem(hunk, index, anchors),
    message: `the anchor ${showLine(hunk.anchors.join(" @@ "))} of ${nameOfHunk(hunk, index)} stands at ${anchors.length} places, and must stand at one`,
    hint: `It stands at lines ${lines.join(", ")}. Add the line next to the insertion, with a blank before it.`,
  };
}

function noPlace(hunk: Hunk, index: number): HunkProblem {
  return {
    hunk: index,
    at: hunk.at,
    code: "ambiguous",
    message: `${nameOfHunk(hunk, index)} only inserts, and does not say where`,
    hint: 'Add the line above or below with a blank before it, or "*** End of File" to append.',
  };
}

function behindEnd(hunk: Hunk, index: number, count: number): HunkProblem {
  return {
    hunk: index,
    at: hunk.at,
    code: "no_match",
    lines: [count],
    message: `${nameOfHunk(hunk, index)} inserts before line ${hunk.startLine}, and the file has ${count}`,
    hint: "Add the line above or below as context.",
  };
}
