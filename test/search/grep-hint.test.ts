/**
 * When nothing matches: what is said of small changes that would find something, and that nothing else is said.
 */
import { expect, test } from "bun:test";
import { grep, type GrepOptions } from "../../src/search/index.ts";
import { makeTree } from "./make-tree.ts";

const SPEC = {
  "a.ts": "call(foo) [x] Mixed7\n",
  ".git/HEAD": "",
  ".gitignore": "left-out\n",
  "left-out": "unique\n",
  ".dot": "dotted\n",
};

/** On no machine is every one of so many too short. */
const MOST_LOOKS = 200;

const cases: [options: GrepOptions, hint: string | undefined][] = [
  [{ pattern: "d[:digit:]$" }, 'pattern: "d[[:digit:]]$"'],
  [{ pattern: "d[[:digit:]]x" }, undefined],
  [{ pattern: "[d][:digit:]" }, 'pattern: "[d][[:digit:]]"'],
  [{ pattern: "[d[:space:]][:digit:]" }, 'pattern: "[d[:space:]][[:digit:]]"'],
  [{ pattern: "l(foo)" }, 'literal: true something would, for example in "a.ts"'],
  [{ pattern: "mixed7" }, 'case: "insensitive"'],
  [{ pattern: "mixed7", case: "smart" }, undefined],
  [{ pattern: "fo", word: true }, "word: false"],
  [{ pattern: "call", line: true }, "line: false"],
  [{ pattern: "unique" }, 'no_ignore: true something would, for example in "left-out"'],
  [{ pattern: "dotted" }, 'hidden: true something would, for example in ".dot"'],
  [{ pattern: "src/**/*.ts" }, 'include: ["src/**/*.ts"]'],
  [{ pattern: "lib/*.ts" }, 'include: ["lib/*.ts"]'],
  [{ pattern: "src/**" }, 'include: ["src/**"]'],
  [{ pattern: "no.*such" }, undefined],
  [{ pattern: "nosuch" }, undefined],
  [{ pattern: "call" }, undefined],
  [{ pattern: "[^q]", invert: true }, undefined],
];
test.each(cases)("grep() gives a hint for %j", async (options, hint) => {
  using tree = makeTree(SPEC);
  let answer = await grep(tree.ctx, options);
  // A busy machine may not come to the look before its moment is over.
  for (let asked = 1; hint !== undefined && asked < MOST_LOOKS && answer.hint === undefined; asked++)
    answer = await grep(tree.ctx, options);
  if (hint === undefined) expect(answer.hint).toBeUndefined();
  else expect(answer.hint).toContain(hint);
});
