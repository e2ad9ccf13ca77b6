/**
 * A review on the whole screen of a terminal. What it needs besides the desk is loaded here and nowhere else: Ink, and with it
 * React, cost a host nothing.
 */
import { themeOf, themeOfTerminal, colorsOf, type ThemeName } from "./draw/themes.ts";
import type { ReviewDesk } from "../review/review-desk.ts";
import { carryOut } from "./carry-out.ts";
import { NO_KEYMAP, type Keymap } from "./keys/keymap.ts";
import type { InkFrame } from "./ink-frame.ts";
import { READING, type ScreenState } from "./screen-state.ts";
import { ScreenRun } from "./screen-run.ts";
import { openTerminalInput, type TerminalInput } from "./terminal-input.ts";
import { startTerminalKeeper } from "./terminal-keeper.ts";

export interface ScreenOptions {
  readonly desk: ReviewDesk;
  /** The review ends when nothing waits. */
  readonly once: boolean;
  /** Default: as the terminal says. */
  readonly theme: ThemeName | undefined;
  readonly keymap?: Keymap | undefined;
  /** For a screen reader. */
  readonly isSpoken: boolean;
}

export async function reviewOnScreen({
  desk,
  once,
  theme,
  isSpoken,
  keymap = NO_KEYMAP,
}: ScreenOptions): Promise<void> {
  using keeper = startTerminalKeeper();
  const loading = loadFrame(isSpoken);
  const state = firstState(theme, isSpoken);
  const [proposals, frame] = await Promise.all([desk.list(), loading, keeper.ready]);
  const { stdout } = process;
  let input: TerminalInput | undefined;
  const away = async (work: () => Promise<void>): Promise<void> =>
    await frame.suspend(async () => await (input ? input.pause(work) : work()));
  const redraw = (): void => run.change({});
  using run: ScreenRun = new ScreenRun({
    desk,
    once,
    state: { ...state, keymap, proposals },
    draw: (rows) => frame.draw(rows),
    carryOut: async (wish, now) => await carryOut(wish, now, { desk, away, redraw }),
  });
  const leave = (): void => run.leave();
  const onResize = (): void => run.change({ columns: stdout.columns, rows: stdout.rows });
  const onStop = (): void => run.press([{ name: "ctrl-z", isAlone: true }]);
  try {
    using _ = (input = openTerminalInput((keys) => run.press(keys), leave));
    stdout.on("resize", onResize);
    process.on("SIGTSTP", onStop);
    for (const signal of ENDING) process.on(signal, leave);
    void run.refresh();
    await run.over();
  } finally {
    stdout.off("resize", onResize);
    process.off("SIGTSTP", onStop);
    for (const signal of ENDING) process.off(signal, leave);
    await frame.close();
  }
}

const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ink looks for a debugger where the environment says DEV; a review has none, and the editor keeps its environment. */
async function loadFrame(isSpoken: boolean): Promise<InkFrame> {
  const { DEV } = process.env;
  delete process.env["DEV"];
  try {
    const { openInkFrame } = await import("./ink-frame.ts");
    return openInkFrame({ isSpoken });
  } finally {
    if (DEV !== undefined) process.env["DEV"] = DEV;
  }
}

function firstState(theme: ThemeName | undefined, isSpoken: boolean): ScreenState {
  const { env, stdout } = process;
  return {
    columns: stdout.columns,
    rows: stdout.rows,
    theme: themeOf(
      theme ?? themeOfTerminal(env["COLORFGBG"]),
      colorsOf(env["NO_COLOR"], env["COLORTERM"], env["TERM"]),
    ),
    isSpoken,
    keymap: NO_KEYMAP,
    isWrapped: true,
    showsBlanks: false,
    isGuarded: true,
    proposals: [],
    order: [],
    selected: undefined,
    open: undefined,
    mode: READING,
    message: undefined,
    find: "",
    filter: "",
    own: new Set(),
  };
}
