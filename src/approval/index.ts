/**
 * What a person is shown of what waits for approval, and the digest that binds the yes to it. Pure: the data in, lines out.
 * One place makes the words for the form, `proposals show`, `ringfence/proposals/get`, the answer to the model and the record.
 *
 * Read `sheet.ts`, which puts together what `lead-lines.ts`, `operation-line.ts` and `call-lines.ts` say. It may import
 * `calls`, `base`, `text` and `scope`.
 */
export {
  callLines,
  shortCallLines,
  summariseCall,
  type CallFacts,
  type ProgramFacts,
  type ToolWords,
  type WaitingCall,
} from "./call-lines.ts";
export { canonical, canonicalDigest, labelOf, parseLabel } from "./canonical-digest.ts";
export { diffLines } from "./changed-lines.ts";
export { operationLine, summarise, type FileChange, type ObjectFacts, type Operation } from "./operation-line.ts";
export { callInLine, leadOfCall, leadOfChange } from "./lead-lines.ts";
export { MAX_PAGE_BYTES, pageText, shortenMiddle } from "./shorten.ts";
export { commentLines, editedLines, leftOutLines } from "./review-words.ts";
export { sheetLines, type Sheet, type ShownOperation } from "./sheet.ts";
