/**
 * Algorithms on bytes and text that know nothing of files or hosts: decoding without loss, line ends, exact edits,
 * diffs, windows and cuts. Everything here is pure, but for the scanner, which has memory of its own; what can be expected
 * to fail comes back as a union, not thrown.
 */
export { applyEdits, type EditResult, type TextEdit } from "./apply-edits.ts";
export { byteShare } from "./byte-share.ts";
export type { EditProblem, NearestText } from "./edit-problem.ts";
export {
  decodeText,
  ENCODING_NAMES,
  encodeText,
  isEncodingName,
  type DecodedText,
  type DecodeOptions,
  type EncodedText,
  type EncodingName,
} from "./encoding.ts";
export { sniffType, type FileType } from "./file-type.ts";
export { formatBytes } from "./format-bytes.ts";
export { joinWords } from "./join-words.ts";
export { sayProgress } from "./say-progress.ts";
export { boundDiff } from "./hunk-text.ts";
export type { LegacyEncoding } from "./legacy-encoding.ts";
export {
  createLineIndex,
  dominantEnding,
  endingNear,
  lineOfIndex,
  withEnding,
  type LineEnding,
  type LineIndex,
} from "./line-endings.ts";
export { nearestNames } from "./nearest-name.ts";
export { applyHunks, type HunkPlacement, type HunksResult } from "./patch/apply-hunks.ts";
export type { HunkProblem } from "./patch/hunk-problem.ts";
export { parsePatch } from "./patch/parse-patch.ts";
export type {
  FilePatch,
  Hunk,
  HunkLine,
  ParsedPatch,
  PatchDialect,
  PatchProblem,
  PatchProblemCode,
} from "./patch/patch-model.ts";
export { findPlaceholder } from "./placeholder.ts";
export { fits, needleOf, Scanner, sharedScanner, type Needle } from "./scanner.ts";
export { shellQuote } from "./shell-quote.ts";
export { terminalCommand } from "./terminal-command.ts";
export { escapeControls, escapeJson, escapeLine, makeVisible } from "./show-text.ts";
export { sliceLines, type LineSlice, type SliceOptions } from "./slice-lines.ts";
export { truncateUtf8, type Truncated } from "./truncate-text.ts";
export { unifiedDiff, type DiffOptions, type UnifiedDiff } from "./unified-diff.ts";
