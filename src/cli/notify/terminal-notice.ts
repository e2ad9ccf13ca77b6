/**
 * A notice as bytes for the terminal it is written to: always BEL, which tmux and window managers know; a desktop notice by the
 * sequence that the terminal has; and the number of what waits in its title.
 *
 *     OSC 9    iTerm2, WezTerm, Ghostty             ESC ] 9 ; TEXT BEL
 *     OSC 777  foot, urxvt, terminals on VTE        ESC ] 777 ; notify ; TITLE ; BODY ESC \
 *     OSC 99   kitty                                ESC ] 99 ; KEYS ; TEXT ESC \
 *
 * A terminal that is not known gets BEL alone: some print what they do not understand, and the Linux console takes the beginning
 * of such a sequence for a palette. tmux hands on what is wrapped for it, where `allow-passthrough` is on.
 * https://iterm2.com/documentation-escape-codes.html · https://sw.kovidgoyal.net/kitty/desktop-notifications/
 */
import type { Notice } from "./notice-manners.ts";
import { noticeText, type NoticeText } from "./notice-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type NoticeSequence = "osc9" | "osc777" | "osc99" | "none";

/** @returns what is written: nothing beside the title when all is decided */
export function terminalNotice(notice: Notice, environment: Environment): string {
  const title = terminalTitle(notice.waiting.length, environment);
  if (notice.kind === "done") return title;
  const sequence = sequenceFor(findSequence(environment), noticeText(notice));
  return `${title}\u0007${environment["TMUX"] ? wrapForTmux(sequence) : sequence}`;
}

/** Sets the title of the window: `(3) ringfence`. */
export function terminalTitle(count: number, environment: Environment): string {
  return hasTitle(environment) ? `\u001b]2;${count === 0 ? "" : `(${count}) `}ringfence\u0007` : "";
}

/** The terminal keeps its title before the first one is set, and gets it back at the end. */
export function keepTitle(environment: Environment): { readonly begin: string; readonly end: string } {
  return hasTitle(environment) ? { begin: "\u001b[22;2t", end: "\u001b[23;2t" } : { begin: "", end: "" };
}

function hasTitle({ TERM = "" }: Environment): boolean {
  return TERM !== "" && TERM !== "dumb" && TERM !== "linux";
}

/** By what the terminal says of itself; behind tmux what its own terminal has left in the environment. */
export function findSequence(environment: Environment): NoticeSequence {
  const { TERM = "", TERM_PROGRAM = "", LC_TERMINAL, KITTY_WINDOW_ID, WT_SESSION } = environment;
  if (TERM === "" || TERM === "dumb" || TERM === "linux") return "none";
  if (KITTY_WINDOW_ID || TERM === "xterm-kitty") return "osc99";
  // Windows Terminal marks the tab at BEL; its OSC 9 means progress and folders.
  if (WT_SESSION) return "none";
  const { WEZTERM_PANE, GHOSTTY_RESOURCES_DIR, VTE_VERSION } = environment;
  const isOsc9 = /^(?:iTerm\.app|WezTerm|ghostty)$/.test(TERM_PROGRAM) || LC_TERMINAL === "iTerm2";
  if (isOsc9 || WEZTERM_PANE || GHOSTTY_RESOURCES_DIR || TERM === "xterm-ghostty") return "osc9";
  return VTE_VERSION || /^(?:foot|rxvt)/.test(TERM) ? "osc777" : "none";
}

function sequenceFor(sequence: NoticeSequence, { title, body }: NoticeText): string {
  const line = body.replaceAll("\n", ", ");
  switch (sequence) {
    case "osc9":
      return `\u001b]9;${title}: ${line}\u0007`;
    case "osc777":
      // A semicolon in the title would begin the body.
      return `\u001b]777;notify;${title.replaceAll(";", ",")};${line}\u001b\\`;
    case "osc99":
      // One id, so that a later notice takes the place of an earlier one.
      return `\u001b]99;i=ringfence:d=0;${title}\u001b\\\u001b]99;i=ringfence:d=1:p=body;${line}\u001b\\`;
    case "none":
      return "";
  }
}

function wrapForTmux(sequence: string): string {
  return sequence === "" ? "" : `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
}
