/**
 * Reading a bash command line before anything runs: a verdict with reasons, the commands as they were read, and every
 * path they name with what would be done to it. Pure; the grammar is loaded by the first `openShellReader`.
 */
export {
  openShellReader,
  type ShellAssessment,
  type ShellPart,
  type ShellReader,
  type ShellSurroundings,
} from "./classify.ts";
export type { Listing, PathIntent, TouchedPath, Verdict } from "./judgement.ts";
