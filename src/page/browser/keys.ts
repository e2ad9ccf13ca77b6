/**
 * The keys, which are those of the terminal. Escape and Enter decide nothing; what decides passes the guard first.
 */
import type { ReviewComment } from "../../calls/index.ts";
import type { LaidLine, LaidRow } from "../../review/index.ts";
import { toggleFold } from "./views/file-view.tsx";
import { apply, askUndo, explain, offerBatch, openRule } from "./decide.ts";
import { mayDecide } from "./guard.ts";
import { BAR, goTo, lineAt, lineAtCursor, moveBy, moveTo, moveToHunk, selectBy } from "./moves.ts";
import { toggleWrap } from "./views/proposal-view.tsx";
import type { Store } from "./store.ts";
import type { PageFile } from "./shown.ts";

/** As the help shows them. */
export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["j k", "the next line, the line before"],
  ["] [", "the next hunk, the hunk before"],
  ["} {", "the next proposal, the proposal before"],
  ["space", "takes the hunk or file in, or leaves it out"],
  ["s", "splits the hunk: space goes by places of change then"],
  ["m", "begins a range of lines for a comment"],
  ["c", "comments on the line, the range or the file"],
  ["v", "marks the file as seen"],
  ["y", "applies what is in"],
  ["n", "rejects it and asks why"],
  ["A", "applies all of this client and session that is ordinary and seen"],
  ["g", "always: the exact rule, for how long, and what it would have allowed"],
  ["x", "explains: why you are asked, and all that it does, in words"],
  ["t", "old, new and now of one whose files have changed"],
  ["u", "undoes what was just applied"],
  ["H", "the history"],
  ["f", "folds or unfolds the file"],
  ["1 2", "one under the other, side by side"],
  ["w", "wraps long lines"],
  ["/", "finds a text in what is shown"],
  ["?", "shows the keys"],
];

type Act = (store: Store, event: KeyboardEvent) => void;

const ACTS: Readonly<Record<string, Act>> = {
  j: (store) => moveBy(store, 1),
  k: (store) => moveBy(store, -1),
  ArrowDown: (store) => moveBy(store, 1),
  ArrowUp: (store) => moveBy(store, -1),
  "]": (store) => moveToHunk(store, 1),
  "[": (store) => moveToHunk(store, -1),
  "}": (store) => selectBy(store, 1),
  "{": (store) => selectBy(store, -1),
  " ": (store) => toggleHere(store),
  s: (store) => splitHere(store),
  m: (store) => {
    store.mark = store.cursor;
    store.say("A range begins here: c at its other end comments on it.");
  },
  c: (store) => commentHere(store),
  v: (store) =>
    withFile(store, (file) =>
      store.noteSeen(
        file,
        file.hunks.map(({ number }) => number),
      ),
    ),
  f: (store) => toggleFold(store, store.cursor.file),
  y: (store, event) => {
    if (mayDecide(event)) void apply(store);
  },
  n: (store, event) => {
    if (mayDecide(event) && store.shown) store.ask({ kind: "reject" });
  },
  A: (store) => void offerBatch(store, store.selected),
  g: (store) => void openRule(store, store.selected),
  x: (store) => void explain(store),
  t: (store) => {
    const at = store.shown?.files.findIndex(({ path, hunks }) => path === undefined && hunks.length === 0) ?? -1;
    const problem = store.shown?.problem;
    if (problem === undefined) store.say("Its files are what they were when it was made.");
    else if (at >= 0) moveTo(store, at, BAR);
    else store.say(`It cannot be applied now: ${problem}`);
  },
  u: (store) => void askUndo(store),
  H: (store) => goTo(store, "history"),
  "1": (store) => void store.setLayout("unified"),
  "2": (store) => void store.setLayout("split"),
  w: (store) => toggleWrap(store),
  "/": (store) => store.ask({ kind: "find" }),
  "?": (store) => store.ask({ kind: "help" }),
};

export function onKey(event: KeyboardEvent, store: Store): void {
  if (event.ctrlKey || event.metaKey || event.altKey || store.question || store.view !== "review") return;
  const target = event.target as Element | null;
  if (target?.matches("input:not([type=checkbox]), textarea, select")) return;
  // A key that a button or a box obeys is theirs.
  if (event.key === " " && target?.matches("button, input")) return;
  const act = Object.hasOwn(ACTS, event.key) ? ACTS[event.key] : undefined;
  if (!act) return;
  event.preventDefault();
  act(store, event);
}

function withFile(store: Store, work: (file: PageFile) => void): void {
  const file = store.shown?.files[store.cursor.file];
  if (file) work(file);
}

/** The hunk at the cursor, the place where the hunk is split, or above the first line the file. */
function toggleHere(store: Store): void {
  withFile(store, (file) => {
    const { file: at } = store.cursor;
    const line = lineAtCursor(store);
    if (!line) return store.toggle(file);
    const number = "hunk" in line ? line.hunk : line.in;
    const hunk = file.hunks.find((one) => one.number === number);
    if (!hunk || hunk.places.length === 0) return store.toggle(file);
    const place = rowsOf(line).find((row) => row.place !== undefined)?.place;
    const isOne = store.split.has(`${at} ${number}`) && place !== undefined;
    return store.toggle(file, isOne ? [place] : hunk.places);
  });
}

function splitHere(store: Store): void {
  const line = lineAtCursor(store);
  if (!line) return;
  const key = `${store.cursor.file} ${"hunk" in line ? line.hunk : line.in}`;
  if (!store.split.delete(key)) store.split.add(key);
  store.say(store.split.has(key) ? "Space goes by places of change in this hunk." : "Space goes by the whole hunk.");
}

function rowsOf(line: LaidLine): readonly LaidRow[] {
  if ("hunk" in line) return [];
  return "row" in line ? [line.row] : [line.right, line.left].flatMap((row) => row ?? []);
}

function commentHere(store: Store): void {
  withFile(store, (file) => {
    const { path, shown } = file;
    const line = lineAtCursor(store);
    const row = line && rowsOf(line)[0];
    if (path === undefined) return store.ask({ kind: "comment", about: {}, where: "the proposal" });
    if (!row) return store.ask({ kind: "comment", about: { path }, where: shown });
    const about = aboutRow(path, row);
    const first = store.mark?.file === store.cursor.file ? lineAt(store, store.mark) : undefined;
    store.mark = undefined;
    const from = first && rowsOf(first)[0];
    const begin = from ? aboutRow(path, from).line : undefined;
    if (begin === undefined || begin === about.line) {
      return store.ask({ kind: "comment", about, where: `${shown}:${about.line}` });
    }
    const [low, high] = [Math.min(begin, about.line), Math.max(begin, about.line)];
    const where = `${shown}, lines ${low} to ${high}`;
    return store.ask({ kind: "comment", about: { ...about, line: low, to: high }, where });
  });
}

function aboutRow(path: string, row: LaidRow): Omit<ReviewComment, "text"> & { readonly line: number } {
  const isBefore = row.kind === "removed";
  const line = (isBefore ? row.old : (row.new ?? row.old)) ?? 1;
  return { path, line, ...(isBefore ? { side: "before" as const } : {}) };
}
