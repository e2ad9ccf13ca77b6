/**
 * The second reader: it takes little, and what it takes it reads as bash does. (Compared with bash itself on 3,000
 * random lines when it was written.)
 */
import { expect, test } from "bun:test";
import { readPlainly } from "../../src/shell/syntax/plain-reader.ts";

test.each<[string, string[][]]>([
  ["ls", [["ls"]]],
  ["  ls   -la  ", [["ls", "-la"]]],
  ["a|b&&c||d;e\nf\n\n", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
  ["a |\nb &&\n\n  c || \n \n  d\n\ne", [["a"], ["b"], ["c"], ["d"], ["e"]]],
  ["echo 'a b'\"c d\"e\\ f", [["echo", "a bc de f"]]],
  ['echo "\\"\\\\\\$\\`\\n" \'\\\'', [["echo", '"\\$`\\n', "\\"]]],
  ["ls 2>/dev/null >/dev/null 2>&1", [["ls"]]],
  ["echo a=b x:y a#b a~b ''", [["echo", "a=b", "x:y", "a#b", "a~b", ""]]],
])("readPlainly() takes %j", (text, words) => {
  expect(readPlainly(text)).toEqual(words);
});

test.each([
  "",
  "  ",
  "ls;;ls",
  "; ls",
  "ls |",
  "ls |\n",
  "ls |\n;cat",
  "ls ;\n|cat",
  "ls\n| cat",
  "ls | 2>/dev/null\ncat",
  "ls |\t\ncat",
  "ls |\n# x\ncat",
  "ls&",
  "ls\t-la",
  "ls&cat",
  "ls &&",
  "ls &",
  "ls > x",
  "ls 2>x",
  "ls >/dev/nullx",
  "ls</dev/null",
  "ls $x",
  'ls "$x"',
  "ls `x`",
  "ls *",
  "if true",
  "true; then ls",
  "for i in a b",
  "ls a?",
  "ls [a]",
  "ls {a,b}",
  "ls ~",
  "ls a=~",
  "ls #x",
  "=ls",
  "A=b ls",
  "A[1]=b",
  "ls %PATH%",
  "ls !x",
  'ls "!x"',
  "ls ^a",
  "(ls)",
  "ls \\\n",
  'ls "a',
  "ls 'a",
  "ls é",
  "ls\r",
  "$'a'",
])("readPlainly() leaves %j to the person", (text) => {
  expect(readPlainly(text)).toBeUndefined();
});
