/**
 * The keys that concern the proposal on the screen: the way through it, its parts, comments, and the keys that begin a decision.
 */
import {
  explainLines,
  dropComment,
  findLine,
  isUnseen,
  openRuleSheet,
  partsOf,
  type ReviewLine,
} from "../../../review/index.ts";
import { beginComment } from "./begin-comment.ts";
import { keyFor } from "./keymap.ts";
import { lookWider } from "./look-wider.ts";
import { markSeen, splitHunk, toggleParts } from "./choose-parts.ts";
import type { PressedKey } from "./press-key.ts";
import {
  told,
  withLines,
  type OpenProposal,
  type Pressed,
  type ScreenState,
  type ScreenWish,
} from "../screen-state.ts";

export function pressInOpen(state: ScreenState, open: OpenProposal, { name }: PressedKey): Pressed {
  const line = open.lines[open.at.line];
  const to = (next: Partial<OpenProposal>): Pressed => ({ state: { ...state, open: { ...open, ...next } } });
  const atLine = (index: number): Pressed => to({ at: { line: index, row: 0 } });
  switch (name) {
    case "]":
    case "[":
      return atLine(nextOf(open, name === "]" ? 1 : -1));
    case "home":
      return atLine(0);
    case "end":
    case "G":
      return atLine(open.lines.length - 1);
    case "enter":
      return line && "file" in line ? { state: { ...state, open: toggleFold(open, line.file.path) } } : { state };
    case "space":
    case " ":
      return { state: toggleParts(state, open, line) };
    case "s":
      return { state: splitHunk(state, open, line) };
    case "v":
      return { state: markSeen(state, open, line) };
    case "V":
      return to({ from: open.from === undefined ? open.at.line : undefined });
    case "c":
      return { state: beginComment(state, open, line) };
    case "d":
      if (line?.kind !== "comment")
        return { state: told(state, `${keyFor(state, "drop-comment")} takes back the comment that you are at`) };
      return { state: { ...state, open: withLines(open, { choices: dropComment(open.choices, line.index) }) } };
    case "/":
      return { state: { ...state, mode: { kind: "text", purpose: "find", label: "Find", text: "" } } };
    case "N":
      return { state: findNext(state, open) };
    case "x":
      return {
        state: {
          ...state,
          mode: { kind: "sheet", title: "Why you are asked", lines: explainLines(open.review), top: 0 },
        },
      };
    case "t":
      return { state, wish: { kind: "compare", open } };
    case "g":
      return pressAlways(state, open);
    case "y":
      return pressApply(state, open);
    case "n":
      return {
        state: { ...state, mode: { kind: "text", purpose: "reject", label: "Why? The agent reads it", text: "" } },
      };
    case "o":
    case "e":
      return pressEditor(state, open, line, name);
    default:
      return lookWider(state, open, line, name) ?? { state };
  }
}

function pressApply(state: ScreenState, open: OpenProposal): Pressed {
  const { review, choices } = open;
  if (review.problem !== undefined)
    return {
      state: told(
        state,
        `It cannot be applied now; ${keyFor(state, "stale")} shows old, new and now, ${keyFor(state, "reject")} rejects it.`,
        true,
      ),
    };
  const wish: ScreenWish = { kind: "apply", open };
  if (review.isCall) return { state, wish };
  if (state.proposals.some(({ edits }) => edits === review.id)) {
    const title = "You have edited this. Apply what the agent proposed, without what you wrote?";
    return { state: { ...state, mode: { kind: "confirm", title, lines: explainUnseen(open), top: 0, wish } } };
  }
  if (partsOf(choices, review.files) === "nothing")
    return {
      state: told(
        state,
        `Everything is left out: ${keyFor(state, "toggle")} takes parts in again, ${keyFor(state, "reject")} rejects all of it.`,
        true,
      ),
    };
  if (!isUnseen(choices, review)) return { state, wish };
  const lines = explainUnseen(open);
  const title = "Not all of it was on the screen. Apply it all the same?";
  return { state: { ...state, mode: { kind: "confirm", title, lines, top: 0, wish } } };
}

function explainUnseen({ review, choices, shown }: OpenProposal): string[] {
  return review.files.flatMap((file) => {
    const seen = Object.hasOwn(choices.seen, file.path) ? (choices.seen[file.path] ?? []) : [];
    return file.hunks
      .filter(({ number }) => !seen.includes(number))
      .map((hunk) => {
        const rows = hunk.rows.length - (shown.get(hunk)?.size ?? 0);
        return `${file.path}, hunk ${hunk.number}: ${rows} of ${hunk.rows.length} lines were never on the screen`;
      });
  });
}

function pressAlways(state: ScreenState, { review }: OpenProposal): Pressed {
  const listed = state.proposals.find(({ id }) => id === review.id);
  const sheet = listed && openRuleSheet(listed);
  if (!sheet) return { state: told(state, "No rule settles this question: it is asked about each time.") };
  return { state: { ...state, mode: { kind: "rule", sheet } }, wish: { kind: "cover", sheet } };
}

function pressEditor(state: ScreenState, open: OpenProposal, line: ReviewLine | undefined, name: "o" | "e"): Pressed {
  const file = line && "file" in line ? line.file : open.review.files[0];
  if (!file) return { state: told(state, "There is no file to open.") };
  const at = line && "row" in line ? (line.row.new ?? line.row.old ?? 1) : 1;
  if (name === "o") return { state, wish: { kind: "look", path: file.absolute, line: at } };
  return { state, wish: { kind: "edit", open, path: file.path, line: at } };
}

/** The next hunk, or file without hunks. */
function nextOf({ lines, at }: OpenProposal, by: 1 | -1): number {
  for (let index = at.line + by; index >= 0 && index < lines.length; index += by) {
    const kind = lines[index]?.kind;
    if (kind === "hunk" || kind === "fold" || (kind === "file" && lines[index + 1]?.kind !== "hunk")) return index;
  }
  return by > 0 ? lines.length - 1 : 0;
}

function toggleFold(open: OpenProposal, path: string): OpenProposal {
  const opened = new Set(open.opened);
  if (!opened.delete(path)) opened.add(path);
  return withLines(open, { opened });
}

/** Looks on behind the line that the reader is at. */
export function findNext(state: ScreenState, open: OpenProposal, wanted: string = state.find): ScreenState {
  const at = findLine(open.lines, wanted, open.at.line + 1);
  if (at === undefined)
    return told({ ...state, find: wanted }, `Nothing shown has the text ${JSON.stringify(wanted)}.`);
  return { ...state, find: wanted, open: { ...open, at: { line: at, row: 0 } } };
}
