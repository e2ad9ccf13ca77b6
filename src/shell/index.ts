/**
 * Reading a bash command line before anything runs: a verdict with reasons, the commands as they were read, and every
 * path they name with what would be done to it. Pure; the grammar is loaded by the first `openShellReader`. This folder could
 * be a package of its own: it imports `text` and nothing else of this program.
 *
 * Words: a *script* is a text that was read; a *command* is one simple command in it, flat, with its *args*, redirects and
 * assignments; a *call* is a command as the table of its program sees it; a *finding* is one reason with a verdict and a risk;
 * a *judgement* is findings with the paths that would be touched; a *surface* is a directory in which a command may run, with
 * the roots; *opaque* says that what would run cannot be told.
 *
 * Read in this order; nothing imports a later room: `model/` (judgements, parts, places, calls), `syntax/` (from a text to
 * commands, by the grammar and by a second reader), `programs/` (a table of rules for each family of programs), `verdict/` (from
 * commands to one assessment; `classify.ts` is the entry).
 */
export {
  openShellReader,
  type ShellAssessment,
  type ShellPart,
  type ShellReader,
  type ShellSurroundings,
} from "./verdict/classify.ts";
export type { Listing, PathIntent, TouchedPath, LineVerdict } from "./model/judgement.ts";
