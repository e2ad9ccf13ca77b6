/**
 * How much a process may say to the host that started it: an answer to each call, however long and however many, and little
 * beside that.
 */
import { expect, test } from "bun:test";
import { limits } from "../../src/base/index.ts";
import { FloodGuard } from "../../src/proc/run/run-upstream.ts";

const LONG = `{${"x".repeat(limits.MAX_UPSTREAM_LINE_BYTES)}`;
const LONG_LINES: number = Math.ceil(limits.MAX_UPSTREAM_CHARS / LONG.length);

class Said {
  heard = 0;
  floods = 0;
  readonly #guard = new FloodGuard(
    () => this.heard++,
    () => this.floods++,
  );

  say(line: string, times: number): this {
    for (let count = 0; count < times; count++) {
      this.#guard.take("");
      this.#guard.take(line);
    }
    return this;
  }

  answer(line: string, times: number): this {
    for (let count = 0; count < times; count++) this.#guard.expectAnswer();
    return this.say(line, times);
  }
}

const FLOODS: readonly (readonly [how: string, line: string, times: number])[] = [
  ["long", LONG, LONG_LINES],
  ["many", "{}", limits.MAX_UPSTREAM_LINES + 1],
];

test.each(FLOODS)(
  "%s lines are a flood where nobody asked for them, and none is heard behind it",
  (_how, line, times) => {
    expect(new Said().say(line, times - 1)).toMatchObject({ floods: 0, heard: times - 1 });
    expect(new Said().say(line, times * 2)).toMatchObject({ floods: 1, heard: times - 1 });
  },
);

test.each(FLOODS)("%s lines are no flood where each is the answer to a call", (_how, line, times) => {
  expect(new Said().answer(line, times * 4)).toMatchObject({ floods: 0, heard: times * 4 });
});

test.each(FLOODS)("%s lines behind answers are a flood as without them", (_how, line, times) => {
  const said = new Said().answer(line, times * 2).say(line, times - 1);
  expect(said.floods).toBe(0);
  expect(said.say(line, 1).floods).toBe(1);
});
