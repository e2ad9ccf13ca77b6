/**
 * The line about long work, with a clock that is moved by hand: the amount, the rate and the time left.
 */
import { expect, test } from "bun:test";
import { CLOCK } from "../../../src/base/index.ts";
import { ProgressBar } from "../../../src/cli/show/progress-bar.ts";

const MB = 1_000_000;

interface Drawn {
  readonly bar: ProgressBar;
  readonly lines: string[];
  /** Moves the clock and says so. */
  readonly at: (ms: number, done: number, total: number | undefined, what: string) => void;
}

function draw(width: number, canRedraw = true): Drawn {
  const lines: string[] = [];
  let now = 0;
  const clock = { ...CLOCK, monotonicMs: () => now };
  const look = { isTerminal: true, hasColor: false, canRedraw, width };
  const bar = new ProgressBar(look, clock, (text) => lines.push(text));
  return {
    bar,
    lines,
    at(ms, done, total, what) {
      now = ms;
      bar.show(done, total, what);
    },
  };
}

test("the bar shows the share, the amount, the rate of the last seconds and the time left", () => {
  const { lines, at } = draw(100);
  at(0, 0, 1000 * MB, "bytes hashed");
  at(1000, 250 * MB, 1000 * MB, "bytes hashed");
  at(2000, 500 * MB, 1000 * MB, "bytes hashed");
  expect(lines).toEqual([
    "\r\u001b[K[....................]    0 %  0 bytes of 1 GB hashed",
    "\r\u001b[K[#####...............]   25 %  250 MB of 1 GB hashed  250.0 MB/s  3 s left",
    "\r\u001b[K[##########..........]   50 %  500 MB of 1 GB hashed  250.0 MB/s  2 s left",
  ]);
  // What was fast a minute ago says nothing of the rest.
  at(62_000, 501 * MB, 1000 * MB, "bytes hashed");
  at(68_000, 507 * MB, 1000 * MB, "bytes hashed");
  expect(lines.at(-1)).toEndWith("1.0 MB/s  8 min left");
});

test("the bar counts what has no end, without a share and without a time", () => {
  const { lines, at } = draw(100);
  at(0, 1000, undefined, "entries looked at");
  at(1000, 3000, undefined, "entries looked at");
  expect(lines.at(-1)).toBe("\r\u001b[K3,000 entries looked at  2000/s");
});

test("the bar is drawn at most ten times a second, and work that begins anew has a rate of its own", () => {
  const { lines, at } = draw(100);
  for (let ms = 0; ms < 1000; ms++) at(ms, ms, 10_000, "bytes read");
  expect(lines).toHaveLength(10);
  at(1100, 5, 10_000, "bytes read");
  expect(lines.at(-1)).toEndWith("5 bytes of 10 kB read");
});

test("the bar is never wider than the terminal, and words of others command nothing", () => {
  const { lines, at } = draw(40);
  at(0, 1, 2, `\u001b[2Jbuild\nstep ${"x".repeat(100)}`);
  expect(lines).toEqual([`\r\u001b[K 50 %  \\x1b[2Jbuild\\x0astep ${"x".repeat(10)}…`]);
});

test("the bar is gone at its end, and never was where the cursor cannot be moved", () => {
  const shown = draw(80);
  shown.at(0, 1, 2, "bytes read");
  shown.bar[Symbol.dispose]();
  shown.bar[Symbol.dispose]();
  expect(shown.lines.slice(1)).toEqual(["\r\u001b[K"]);
  const dumb = draw(80, false);
  dumb.at(0, 1, 2, "bytes read");
  dumb.bar[Symbol.dispose]();
  expect(dumb.lines).toEqual([]);
});
