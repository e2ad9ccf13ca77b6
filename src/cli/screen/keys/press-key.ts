/**
 * What a key does while the reader looks at proposals: another state of the screen, and perhaps a wish. Pure. The keys are those
 * of the page too; Escape and Enter decide nothing.
 *
 * Invariant: a key that decides does so only when the guard says that it may (`decision-guard.ts`).
 */
import { moveRows, type WindowSize } from "../draw/line-window.ts";
import { keymapLines } from "./keymap.ts";
import { toggleBlanks } from "./look-wider.ts";
import { pressInMode } from "./press-in-mode.ts";
import { pressInOpen } from "./press-in-open.ts";
import { READING, told, type Pressed, type ScreenState } from "../screen-state.ts";
import { HELP_LINES } from "../draw/screen-words.ts";
import type { KeyPress } from "./terminal-keys.ts";

export interface PressedKey extends Pick<KeyPress, "name" | "text"> {
  /** The guard lets it decide. */
  readonly mayDecide: boolean;
}

/** Keys that decide, or begin to, by what stands on the screen; what is typed into a line of text decides nothing. */
const DECIDING: Readonly<Record<ScreenState["mode"]["kind"], string>> = {
  read: "ynAuge",
  confirm: "y",
  rule: "y",
  history: "u",
  sheet: "",
  text: "",
};

/** Whether the guard has to look at a key. */
export function isDeciding({ mode }: ScreenState, name: string): boolean {
  return name.length === 1 && DECIDING[mode.kind].includes(name);
}

/** @param size of the window with the diff */
export function pressKey(before: ScreenState, key: PressedKey, size: WindowSize): Pressed {
  const state = { ...before, message: undefined };
  if (key.name === "ctrl-z") return { state, wish: { kind: "stop" } };
  if (key.name === "ctrl-l") return { state, wish: { kind: "redraw" } };
  if (key.name === "ctrl-c") return { state, wish: { kind: "leave" } };
  if (isDeciding(state, key.name) && !key.mayDecide) return { state: told(state, TOO_SOON, true) };
  if (state.mode.kind !== "read") return pressInMode(state, key);
  return pressAnywhere(state, key, size) ?? (state.open ? pressInOpen(state, state.open, key) : { state });
}

const TOO_SOON = "Too soon, or together with other keys: nothing was decided. Press it again.";

function pressAnywhere(state: ScreenState, { name }: PressedKey, size: WindowSize): Pressed | undefined {
  const { open } = state;
  const moved = (by: number): Pressed | undefined =>
    open ? { state: { ...state, open: { ...open, at: moveRows(open, by, size) } } } : undefined;
  const page = Math.max(1, size.rows - 2);
  switch (name) {
    case "q":
      return { state, wish: { kind: "leave" } };
    case "?":
      return {
        state: {
          ...state,
          mode: { kind: "sheet", title: "Keys", lines: [...keymapLines(state.keymap), ...HELP_LINES], top: 0 },
        },
      };
    case "H":
      return { state, wish: { kind: "history" } };
    case "A":
      return { state, wish: { kind: "offer-batch" } };
    case "u":
      return { state, wish: { kind: "offer-undo", transaction: undefined } };
    case "}":
    case "{":
      return { state: selectNext(state, name === "}" ? 1 : -1) };
    case "w":
      return {
        state: told(
          { ...state, isWrapped: !state.isWrapped },
          state.isWrapped ? "long lines go on to the right" : "long lines are wrapped",
        ),
      };
    case "b":
      return { state: toggleBlanks(state) };
    case "f": {
      const label = "Only proposals with these words:";
      return { state: { ...state, mode: { kind: "text", purpose: "filter", label, text: state.filter } } };
    }
    case "j":
    case "down":
      return moved(1);
    case "k":
    case "up":
      return moved(-1);
    case "pagedown":
    case "ctrl-d":
      return moved(page);
    case "pageup":
    case "ctrl-u":
      return moved(-page);
    default:
      return undefined;
  }
}

function selectNext(state: ScreenState, by: 1 | -1): ScreenState {
  const ids = state.order;
  const at = ids.indexOf(state.selected ?? "");
  const id = ids[(at + by + ids.length) % Math.max(1, ids.length)];
  return id === undefined ? state : { ...state, selected: id, mode: READING };
}
