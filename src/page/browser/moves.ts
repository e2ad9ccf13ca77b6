/**
 * The ways through the page. The cursor is a line of a file, or its bar; it is where the focus is, so that a screen reader reads
 * what it comes to. A line that is not in the page yet is fetched, and gets the focus when it is there.
 */
import type { LaidLine } from "../../review/index.ts";
import { touchGuard } from "./guard.ts";
import type { View } from "./shown.ts";
import { BLOCK_LINES } from "../outline.ts";
import type { Store } from "./store.ts";

/** The bar of a file, above its first line. */
export const BAR = -1;

export function moveTo(store: Store, file: number, line: number): void {
  store.cursor = { file, line };
  store.changed();
  focusCursor(store);
}

/** Looks again with each frame until the line is there; the next move ends that. */
function focusCursor(store: Store, tries = MAX_FRAMES): void {
  const { cursor } = store;
  const { file, line } = cursor;
  const element = document.getElementById(line === BAR ? `f${file}` : `l${file}-${line}`);
  if (element) {
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }
  // Nothing behind a question that is about to go can have the focus yet.
  if (tries === 0 || (element && document.activeElement === element)) return;
  const block = document.getElementById(`b${file}-${Math.floor(line / BLOCK_LINES)}`);
  if (!element) block?.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(() => {
    if (store.cursor === cursor) focusCursor(store, tries - 1);
  });
}

const MAX_FRAMES = 300;

export function moveBy(store: Store, by: 1 | -1): void {
  const files = store.shown?.files ?? [];
  const { file, line } = store.cursor;
  const last = store.folded.has(file) ? BAR : (files[file]?.lines ?? 0) - 1;
  if (line + by >= BAR && line + by <= last) return moveTo(store, file, line + by);
  const next = file + by;
  if (!files[next]) return;
  moveTo(store, next, by === 1 || store.folded.has(next) ? BAR : files[next].lines - 1);
}

export function moveToHunk(store: Store, by: 1 | -1): void {
  const heads = (store.shown?.files ?? []).flatMap(({ hunks }, file) =>
    store.folded.has(file) ? [] : hunks.map(({ at }) => ({ file, line: at })),
  );
  const { file, line } = store.cursor;
  const isBehind = (head: { readonly file: number; readonly line: number }): boolean =>
    head.file > file || (head.file === file && head.line > line);
  const isBefore = (head: { readonly file: number; readonly line: number }): boolean =>
    head.file < file || (head.file === file && head.line < line);
  const found = by === 1 ? heads.find(isBehind) : heads.findLast(isBefore);
  if (found) moveTo(store, found.file, found.line);
}

export function selectBy(store: Store, by: 1 | -1): void {
  const queue = store.queue ?? [];
  const next = queue[queue.findIndex(({ id }) => id === store.selected) + by];
  if (!next) return;
  touchGuard();
  void store.select(next.id);
  document.getElementById(`q-${next.id}`)?.scrollIntoView({ block: "nearest" });
}

export function lineAtCursor(store: Store): LaidLine | undefined {
  return lineAt(store, store.cursor);
}

export function lineAt(store: Store, { file, line }: Store["cursor"]): LaidLine | undefined {
  return line === BAR ? undefined : store.known(file, Math.floor(line / BLOCK_LINES))?.[line % BLOCK_LINES];
}

/** The record shows so many hours. */
const HOURS = 24;

export function goTo(store: Store, view: View): void {
  store.view = view;
  if (view === "history" || view === "policy") void store.load(view, {});
  if (view === "record") void store.load(view, { hours: HOURS });
  store.changed();
}
