/**
 * What a person is shown of what waits for approval, and the digest that binds the yes to it. Pure: the data in, lines out. One
 * place makes the words for the form, `proposals show`, `ringfence/proposals/get`, the answer to the model and the record.
 */
export type { CallFacts, ProgramFacts, WaitingCall } from "./call-facts.ts";
export { shortCallLines, callLines, summariseCall } from "./call-lines.ts";
export { canonical, canonicalDigest, labelOf, parseLabel, type NamedProposal } from "./canonical-digest.ts";
export type { FileChange, ObjectFacts, Operation } from "./file-change.ts";
export { callInLine, leadOfCall, leadOfChange } from "./lead-lines.ts";
export { operationLine, summarise } from "./operation-line.ts";
export { MAX_PAGE_BYTES, pageText, type Page } from "./page-text.ts";
export { shortenMiddle } from "./shorten.ts";
export { sheetLines, type Sheet, type ShownOperation } from "./sheet.ts";
