/**
 * The bytes that a terminal gets, for each terminal that has a sequence of its own, and behind tmux.
 */
import { expect, test } from "bun:test";
import { findSequence, keepTitle, terminalNotice } from "../../src/cli/notify/terminal-notice.ts";
import type { Notice } from "../../src/cli/notify/notice-manners.ts";

const notice: Notice = {
  kind: "new",
  waiting: [{ id: "p_1", change: "Edit a;b.ts", risk: "R2", client: "agent", expiresMs: 1 }],
};
const TITLE = "\u001b]2;(1) ringfence\u0007";
const SAID = "ringfence: 1 proposal needs you";
const BODY = "Edit a;b.ts (R2, agent)";
const OSC9 = `\u001b]9;${SAID}: ${BODY}\u0007`;
const OSC777 = `\u001b]777;notify;${SAID};${BODY}\u001b\\`;
const OSC99 = `\u001b]99;i=ringfence:d=0;${SAID}\u001b\\\u001b]99;i=ringfence:d=1:p=body;${BODY}\u001b\\`;

const TERMINALS: [name: string, environment: Record<string, string>, bytes: string][] = [
  ["iTerm2", { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, `${TITLE}\u0007${OSC9}`],
  ["iTerm2 over ssh", { TERM: "xterm-256color", LC_TERMINAL: "iTerm2" }, `${TITLE}\u0007${OSC9}`],
  ["WezTerm", { TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, `${TITLE}\u0007${OSC9}`],
  ["Ghostty", { TERM: "xterm-ghostty" }, `${TITLE}\u0007${OSC9}`],
  ["foot", { TERM: "foot" }, `${TITLE}\u0007${OSC777}`],
  ["urxvt", { TERM: "rxvt-unicode-256color" }, `${TITLE}\u0007${OSC777}`],
  ["a terminal on VTE", { TERM: "xterm-256color", VTE_VERSION: "7800" }, `${TITLE}\u0007${OSC777}`],
  ["kitty", { TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, `${TITLE}\u0007${OSC99}`],
  ["Windows Terminal", { TERM: "xterm-256color", WT_SESSION: "1" }, `${TITLE}\u0007`],
  ["a terminal that nobody knows", { TERM: "xterm-256color" }, `${TITLE}\u0007`],
  ["the Linux console", { TERM: "linux", TERM_PROGRAM: "iTerm.app" }, "\u0007"],
  ["a dumb terminal", { TERM: "dumb", KITTY_WINDOW_ID: "1" }, "\u0007"],
];

test.each(TERMINALS)("%s gets exactly its bytes", (_name, environment, bytes) => {
  expect(terminalNotice(notice, environment)).toBe(bytes);
});

test("behind tmux the bell and the title are for tmux, and the sequence is wrapped for its terminal", () => {
  const environment = {
    TERM: "tmux-256color",
    TERM_PROGRAM: "tmux",
    TMUX: "/tmp/tmux-0/default,1,0",
    KITTY_WINDOW_ID: "1",
  };
  const wrapped = `\u001bPtmux;${OSC99.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
  expect(terminalNotice(notice, environment)).toBe(`${TITLE}\u0007${wrapped}`);
  expect(terminalNotice(notice, { TERM: "tmux-256color", TMUX: "x" })).toBe(`${TITLE}\u0007`);
});

test("the end of all waiting changes the title and rings no bell", () => {
  const done: Notice = { kind: "done", waiting: [] };
  expect(terminalNotice(done, { TERM: "xterm-kitty" })).toBe("\u001b]2;ringfence\u0007");
  expect(terminalNotice(done, { TERM: "linux" })).toBe("");
});

test("the title that the terminal had comes back", () => {
  expect(keepTitle({ TERM: "xterm" })).toEqual({ begin: "\u001b[22;2t", end: "\u001b[23;2t" });
  expect(keepTitle({ TERM: "dumb" })).toEqual({ begin: "", end: "" });
  expect(findSequence({})).toBe("none");
});
