/**
 * Reading of single files for the tools: content, metadata, hashes, differences. Runs inside a worker, synchronously on
 * descriptors that the scope opened; requests and answers are plain JSON, and every answer is bounded and says so.
 *
 * Read `file-read.ts` (what is asked and answered), `read-file.ts`, and from there the forms: `read-whole-text.ts`,
 * `large-text.ts`, `read-media.ts`; `screen-range.ts` keeps secrets from being read in halves.
 */
export { diffFiles } from "./diff-files.ts";
export type { FileRead, ReadRequest, TextRead } from "./file-read.ts";
export type { FilesContext, SecretLook } from "./file-source.ts";
export { hashFiles, type HashAlgorithm } from "./hash-file.ts";
export { readFile, readFiles } from "./read-file.ts";
export { statPath } from "./stat-path.ts";
