/**
 * The only way from a caller's string to a file: roots, resolving, opening by handle. Nothing else in the program joins
 * paths; walks, reads and changes all start from a `Located` and end at a descriptor or a `Place`.
 */
export type { Containment } from "./choose-backend.ts";
export type { Links } from "./backend.ts";
export { fsName, nameFromBytes, showName } from "./names.ts";
export { quotable } from "./parse-path.ts";
export { readDirectory, typeOf, type DirectoryEntry, type EntryType } from "./read-directory.ts";
export { rootFailure, type OpenRoot, type RootSpec } from "./roots.ts";
export { errnoOf, failureOf, notFound } from "./scope-failure.ts";
export {
  Scope,
  type Located,
  type OpenDirectory,
  type OpenFile,
  type Place,
  type ScopeOptions,
} from "./scope.ts";
