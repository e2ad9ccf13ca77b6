/**
 * YAML means what the runtime's own parser takes it for, but for keys that stand twice and other things that a reader
 * would not see. What is wrong is named with its line.
 */
import { expect, test } from "bun:test";
import { parseText } from "../../src/config/parse/parse-text.ts";

test.each([
  "",
  "a: 1\nb: [x, { c: ~ }]\n",
  "base: &base { x: 1, y: 2 }\nown:\n  <<: *base\n  y: 3\n",
  "a: yes\nb: no\nc: 0644\nd: 0o17\ne: 2020-01-01\nf: 12:30:45\n",
  "%YAML 1.1\n---\na: yes\nb: 0644\n",
  "a: !!binary aGk=\n",
  "\ufeffa: 1\r\nb: |\r\n  x\r\n",
])("parseText() gives %j the meaning that the runtime's own YAML parser gives it", (text) =>
  expect(parseText(text, ".yaml")).toEqual(Bun.YAML.parse(text)),
);

test.each([
  ["a: 1\nb: 2\na: 3\n", 'the key "a" is there twice, again in line 3'],
  ["x:\n  - 1: a\n    '1': b\n", 'the key "1" is there twice, again in line 3'],
  ["true: a\n'true': b\n", 'the key "true" is there twice'],
  ["~: a\n'': b\n", 'the key "" is there twice'],
  ["a: &a { x: 1 }\nb:\n  <<: *a\n  <<: *a\n", 'the key "<<" is there twice, again in line 4'],
  ["&k a: 1\n*k : 2\n", "is not plain text"],
  ["[a]: 1\n", "is not plain text"],
  ["a: 1\n---\nb: 2\n", "it holds several documents"],
  ["a: [1\n", "at line 2, column 1"],
  [
    "a: &a [x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n",
    "alias",
  ],
])("parseText() refuses the YAML %j", (text, message) => expect(() => parseText(text, ".yaml")).toThrow(message));

test.each([
  [".json", '{\n"a": 1,\n"b" 2}', "it is not JSON, in line 3: "],
  [".json", '{\n// why\n"a": tru}', "it is not JSON, in line 3: "],
  [".json", '{\n"a": 1,\n', "it is not JSON, in line 3: "],
  [".json", '{\n"a": 1}\n{"deny": ["b"]}', "there is more behind its end in line 2"],
  [".json", '{"a": 1} x', "there is more behind its end in line 1"],
  [".toml", "a = 1\n\n# why\nb =\nc = 2\n", "it is not TOML, in line 4: "],
  [".toml", 'a = [\n  1,\n]\nb = "x\n', "it is not TOML, in line 4: "],
  [".toml", "= 1", "it is not TOML, in line 1: "],
])("parseText() says the line of what is wrong in a text of %s: %j", (extension, text, message) =>
  expect(() => parseText(text, extension)).toThrow(message),
);

test("parseText() takes comments and space behind the end of JSON", () => {
  expect(parseText('// a\n{"a": "}"} // b\n/* c\n */\n', ".json")).toEqual({ a: "}" });
});

test("parseText() takes dates and times of TOML for text, since no object of a configuration is one", () => {
  const text = "day = 2026-01-01\nmoments = [{ time = 07:32:00 }, 1979-05-27T07:32:00Z]\n[packs.web]\n";
  expect(parseText(text, ".toml")).toEqual({
    day: "2026-01-01",
    moments: [{ time: "07:32:00" }, "1979-05-27T07:32:00Z"],
    packs: { web: {} },
  });
});
