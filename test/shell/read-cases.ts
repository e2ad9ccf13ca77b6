/**
 * The cases of the files beside this one: `corpus.jsonl`, the project's corpus as it was given, `cases.jsonl`, more of the
 * same kinds, and `attack.jsonl`, what attackers tried and its neighbours. One command line and its verdict on each line.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ShellSurroundings, LineVerdict } from "../../src/shell/index.ts";

export interface ShellCase {
  readonly command: string;
  readonly expect: LineVerdict;
  readonly category: string;
  /** Verdicts that are right too. */
  readonly also_ok?: readonly LineVerdict[];
  readonly why?: string;
  /** Whether what would run cannot be told, where the case is about that. */
  readonly opaque?: boolean;
}

export function readCases(file: "corpus" | "cases" | "attack"): ShellCase[] {
  const text = readFileSync(join(import.meta.dir, `${file}.jsonl`), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ShellCase);
}

/** The working directory is the only root, as the corpus has it. */
export const SURROUNDINGS: ShellSurroundings = {
  cwd: "/srv/project",
  roots: ["/srv/project"],
  home: "/srv/homes/someone",
};

export function rankOf(verdict: LineVerdict): number {
  return ["allow", "ask", "deny"].indexOf(verdict);
}
