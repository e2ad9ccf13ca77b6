/**
 * Looking through trees: one walker by handle with ripgrep's ignore rules, globs, and the grep engine. Every answer counts
 * what it left out and names the call that goes on; nothing here follows a link out, hangs on a pattern, or fails because of
 * one odd file.
 *
 * Read `context.ts` first, then `walk` (walk, read-level, whole-tree), `ignore` (ignore-chain, ignore-file, wildcard),
 * `engine` (create-matcher, rust-matcher) and `grep` (grep, grep-tree, grep-file, file-hits); every other tool is one file
 * beside them; `replace` is behind `replacements.ts`. `ignore` and `engine` know neither the walk nor the tools, and the walk does not know the tools. It may import
 * `calls`, `base`, `sys`, `text`, `pattern` and `scope`.
 */
export type { Cut, GitignoreReach, SearchContext } from "./context.ts";
export { completePath, type PathCompletions } from "./list-level.ts";
export { findFiles, glob } from "./glob.ts";
export { grep } from "./grep/grep.ts";
export { compileSegment, type NameTest } from "./ignore/wildcard.ts";
export { answerPart } from "./answer-part.ts";
export type { GrepAnswer, GrepMatch, GrepOptions } from "./grep/grep-answer.ts";
export { shouldRecycleEngine } from "./engine/rust-engine.ts";
export { listDirectory, type ListAnswer, type ListEntry } from "./list.ts";
export { tree } from "./tree.ts";
export { findReplacements, type FoundReplacements } from "./replacements.ts";
export { diskUsage } from "./usage.ts";
