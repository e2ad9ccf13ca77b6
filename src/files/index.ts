/**
 * Reading of single files for the tools: content, metadata, hashes, differences. Runs inside a worker, synchronously on
 * descriptors that the scope opened; requests and answers are plain JSON, and every answer is bounded and says so.
 *
 * Read `file-source.ts` (what is asked and answered), `read-file.ts`, and from there the forms: `read-text.ts` and
 * `read-media.ts`; `screen-range.ts` keeps secrets from being read in halves. `read-picture.ts` and `attach-file.ts` are for
 * pictures and attachments. It may import `base`, `pictures`, `sys`, `text` and `scope`.
 */
export { attachFile, type Attachment } from "./attach-file.ts";
export { diffFiles } from "./diff-files.ts";
export { readInto, readRange, refuseLarge } from "./file-source.ts";
export type { Base64Read, FileRead, FilesContext, ReadRequest, SecretLook, TextRead } from "./file-source.ts";
export { type HashAlgorithm, hashFiles, statPath } from "./stat-path.ts";
export { readFile, readFiles, readHeldFile } from "./read-file.ts";
export { readPicture, type PictureRead } from "./read-picture.ts";
export { holdsSecret } from "./screen-range.ts";
