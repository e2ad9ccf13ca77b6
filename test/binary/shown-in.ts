/**
 * What a README shows of a program's output, for a test that runs the program.
 */
import { readFileSync } from "node:fs";

/** The lines of its block of plain text. @throws Error when there is none, because then nothing would be tested */
export function shownIn(readme: string): readonly string[] {
  const block = /```text\n([\s\S]+?)\n```/.exec(readFileSync(readme, "utf8"))?.[1];
  if (block === undefined) throw new Error(`${readme} shows no output`);
  return block.split("\n");
}
