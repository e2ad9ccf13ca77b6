/**
 * The pattern that says what must stand in a match: nothing that the real one does not need may stand in it.
 */
import { expect, test } from "bun:test";
import { readHir } from "../../src/search/engine/hir.ts";
import { requiredNeedles } from "../../src/search/engine/needles.ts";
import { relaxPattern } from "../../src/search/engine/relax-pattern.ts";
import { loadRustEngine } from "../../src/search/engine/rust-engine.ts";

const cases: [pattern: string, needles: string[] | undefined][] = [
  ["(?<=foo)needle", ["needle"]],
  ["needle(?!bar)", ["needle"]],
  ["(?=.*other)needle", ["needle"]],
  ["(?!a(b[)]\\)c)d)needle", ["needle"]],
  ["(needle)x\\1", ["needlex"]],
  ["(?<n>needle)\\k<n>", ["needle"]],
  ["(?>needle|haystack)\\b(?=x)", ["needle", "haystack"]],
  ["(?:needle)++(?=x)", ["needle"]],
  ["(?:needle)?(?=x)", undefined],
  ["nee\\<dle(?=x)", ["nee<dle"]],
  ["nee\\vdle(?=x)", undefined],
  ["nee[d&&e]dle(?=x)", ["dle"]],
  ["needle{,3}(?=x)", undefined],
  ["needle\\b{start}(?=x)", undefined],
  ["(?x) need le (?=x)", undefined],
  ["\\Qneed(\\Ele(?=x)", undefined],
  ["needle(?(1)a|b)", undefined],
  ["needle(?R)?", undefined],
  ["(*ANYCRLF)needle(?=x)", undefined],
  ["nee\\Kdle(?=x)", ["needle"]],
];
test.each(cases)("relaxPattern() gives what was meant: %s", async (pattern, needles) => {
  const relaxed = relaxPattern(pattern);
  const engine = await loadRustEngine();
  using regex = relaxed === undefined ? undefined : engine.compile(relaxed);
  const found = regex && requiredNeedles(readHir(regex.hir()));
  expect(found?.needles.map(({ bytes }) => bytes.toString())).toEqual(needles as never);
});
