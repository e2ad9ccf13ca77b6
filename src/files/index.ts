/**
 * Reading of single files for the tools: content, metadata, hashes, differences. Runs inside a worker, synchronously on
 * descriptors that the scope opened; requests and answers are plain JSON, and every answer is bounded and says so.
 */
export { diffFiles, type DiffRequest, type DiffSide, type FilesDiff } from "./diff-files.ts";
export type {
  Base64Read,
  BinaryRead,
  ContentMark,
  FileRead,
  ImageRead,
  NextRead,
  ReadEncoding,
  ReadRequest,
  TextRead,
  UnchangedRead,
} from "./file-read.ts";
export type { FilesContext, SecretLook } from "./files-context.ts";
export {
  hashFiles,
  type FileHash,
  type HashAlgorithm,
  type HashedFile,
  type HashJob,
  type HashName,
  type HashRequest,
} from "./hash-file.ts";
export { readFile } from "./read-file.ts";
export {
  readFiles,
  type FailedRead,
  type FileRange,
  type FilesRead,
  type ReadFilesRequest,
} from "./read-files.ts";
export { statPath, type PathStat, type StatRequest } from "./stat-path.ts";
