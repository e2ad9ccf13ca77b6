/**
 * The keys in everything that lies over the proposal: a line of text, a question that is asked once more, lines to read, the
 * history, and the sheet of a rule. Escape leaves each of them, and decides nothing.
 */
import { addComment, nextLifetime, withRule } from "../../../review/index.ts";
import { findNext } from "./press-in-open.ts";
import type { PressedKey } from "./press-key.ts";
import { READING, told, withLines, type Pressed, type ScreenState, type TextMode } from "../screen-state.ts";

export function pressInMode(state: ScreenState, key: PressedKey): Pressed {
  const { mode } = state;
  const away = { state: { ...state, mode: READING } };
  if (mode.kind === "text") return pressInText(state, mode, key);
  if (key.name === "escape" || key.name === "q") return away;
  if (mode.kind === "history") return pressInHistory(state, mode, key);
  if (mode.kind === "rule") return pressInRule(state, mode, key);
  if (mode.kind === "read") return { state };
  if (mode.kind === "confirm" && key.name === "y") return { ...away, wish: mode.wish };
  const by = STEPS[key.name];
  if (by === undefined) return mode.kind === "sheet" ? away : { state: told(state, "y does it; Escape goes back.") };
  const top = Math.max(0, Math.min(mode.lines.length - 1, mode.top + by));
  return { state: { ...state, mode: { ...mode, top } } };
}

const STEPS: Readonly<Record<string, number>> = { j: 1, down: 1, k: -1, up: -1, pagedown: 10, pageup: -10 };

type ModeOf<Kind> = Extract<ScreenState["mode"], { kind: Kind }>;

function pressInHistory(state: ScreenState, mode: ModeOf<"history">, { name }: PressedKey): Pressed {
  const entry = mode.entries[mode.at];
  if (name === "u" && entry) {
    if (entry.state === "undone") return { state: told(state, "This change was taken back already.") };
    return { state, wish: { kind: "offer-undo", transaction: entry.transaction } };
  }
  const by = STEPS[name] ?? 0;
  const at = Math.max(0, Math.min(mode.entries.length - 1, mode.at + by));
  return { state: { ...state, mode: { ...mode, at } } };
}

function pressInRule(state: ScreenState, { sheet }: ModeOf<"rule">, { name }: PressedKey): Pressed {
  if (name === "e") {
    const label = "The rule";
    return { state: { ...state, mode: { kind: "text", purpose: "rule", label, text: sheet.rule, sheet } } };
  }
  if (name === "l" || name === "tab") {
    const next = { ...sheet, lifetime: nextLifetime(sheet) };
    return { state: { ...state, mode: { kind: "rule", sheet: next } }, wish: { kind: "cover", sheet: next } };
  }
  if (name === "r") {
    const next = withRule(sheet);
    return { state: { ...state, mode: { kind: "rule", sheet: next } }, wish: { kind: "cover", sheet: next } };
  }
  if (name !== "y") return { state };
  if (sheet.problem !== undefined) return { state: told(state, "This rule cannot be used; e edits it.", true) };
  if (!sheet.coverage)
    return { state: told(state, "What the rule would have allowed is being looked up; then y grants it.") };
  return { state: { ...state, mode: READING }, wish: { kind: "grant", sheet } };
}

function pressInText(state: ScreenState, mode: TextMode, { name, text: pasted }: PressedKey): Pressed {
  if (name === "escape") return { state: withUnsent({ ...state, mode: READING }, mode, "") };
  if (name === "enter") return sendText(state, mode);
  const text = edited(mode.text, name, pasted);
  return { state: withUnsent({ ...state, mode: { ...mode, text } }, mode, text) };
}

function edited(text: string, name: string, pasted: string | undefined): string {
  if (pasted !== undefined) return (text + pasted).slice(0, MAX_TEXT_CHARS);
  if (name === "backspace") return text.replace(/[^]$/u, "");
  if (name === "ctrl-u") return "";
  if (name === "ctrl-w") return text.replace(/\S+\s*$/, "");
  return /^[a-z]+$|^ctrl-/.test(name) && name.length > 1 ? text : (text + name).slice(0, MAX_TEXT_CHARS);
}

/** What a comment or a reason may have. */
const MAX_TEXT_CHARS = 2000;

/** A comment that was begun is in the draft, so that a review that ends in the middle loses no word. */
function withUnsent(state: ScreenState, { purpose }: TextMode, text: string): ScreenState {
  if (purpose !== "comment" || !state.open) return state;
  const { unsent: _, ...choices } = state.open.choices;
  return { ...state, open: { ...state.open, choices: text === "" ? choices : { ...choices, unsent: text } } };
}

function sendText(state: ScreenState, mode: TextMode): Pressed {
  const { purpose, text, about, sheet } = mode;
  const back = withUnsent({ ...state, mode: READING }, mode, "");
  const { open } = back;
  if (purpose === "rule" && sheet) {
    const next = withRule(sheet, text.trim());
    return { state: { ...state, mode: { kind: "rule", sheet: next } }, wish: { kind: "cover", sheet: next } };
  }
  if (purpose === "filter") return { state: { ...back, filter: text.trim() } };
  if (!open) return { state: back };
  if (purpose === "reject") return { state: back, wish: { kind: "reject", open, reason: text.trim() } };
  if (text.trim() === "") return { state: back };
  if (purpose === "find") return { state: findNext(back, open, text) };
  const choices = addComment(open.choices, { ...about, text: text.trim() });
  const shown = withLines(open, { choices });
  // What was said is seen, also where it stands below the window.
  const line = shown.lines.findIndex((one) => one.kind === "comment" && one.index === choices.comments.length - 1);
  return { state: { ...back, open: { ...shown, at: { line, row: 0 }, from: undefined } } };
}
