/**
 * Algorithms on bytes and text that know nothing of files or hosts: decoding without loss, line ends, exact edits, patches,
 * diffs, windows and cuts. Everything here is pure, but for the scanner, which has memory of its own; what can be expected to
 * fail comes back as a union, not thrown.
 *
 * Beside `show-text` (words and signs for people) and `foreign-text` (what others wrote, with nothing hidden in it) stand the
 * rooms, in the order in which they build on each other: `encoding` (bytes to text), `lines` (line ends, comparing, windows,
 * diffs), `patch` (what a patch says), `place` (edits and hunks put into a text). It may import `base`.
 */
export { applyInTurn } from "./place/edit-in-turn.ts";
export { applyEdits, applyHunks, type HunksResult, type TextEdit } from "./place/apply.ts";
export {
  byteShare,
  fits,
  type LineRun,
  MOST_ROWS,
  type Needle,
  needleOf,
  NO_ROW,
  ROW_NUMBERS,
  Scanner,
  sharedScanner,
  type Sparse,
} from "./scanner.ts";
export { readableText, showUnseen, unseenIn, visibleText } from "./foreign-text.ts";
export { redactData, type Redact } from "./redact-data.ts";
export type { EditProblem } from "./place/explain.ts";
export { spliceSpans, type TextSpan } from "./place/splice-spans.ts";
export {
  ENCODING_NAMES,
  decodeText,
  encodeText,
  isEncodingName,
  utf8SequenceLength,
  withoutMark,
  type DecodedText,
  type EncodingName,
} from "./encoding/encoding.ts";
export { differsFromClaim, typeAsClaimed } from "./encoding/claimed-type.ts";
export { sniffType, type FileType } from "./encoding/file-type.ts";
export { count, formatBytes, joinWords, sayProgress, shellQuote, terminalCommand } from "./show-text.ts";
export { boundDiff, unifiedDiff } from "./lines/unified-diff.ts";
export type { LegacyEncoding } from "./encoding/encoding.ts";
export { dominantEnding, withEnding } from "./lines/lines.ts";
export { nearestNames } from "./show-text.ts";
export type { HunkProblem } from "./place/explain.ts";
export { parsePatch } from "./patch/parse-patch.ts";
export type { FilePatch, Hunk, ParsedPatch, PatchProblem, UpdateFile } from "./patch/model.ts";
export { findPlaceholder } from "./lines/sent-lines.ts";
export { escapeControls, escapeJson, escapeLine, makeVisible, truncateUtf8, type Truncated } from "./show-text.ts";
export { countLines, gutterOf, sliceLines, startOfLine, type LineSlice } from "./lines/lines.ts";
export { shellLine } from "./shell-line.ts";
