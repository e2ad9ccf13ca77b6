/**
 * The only way from a caller's string to a file: roots, resolving, opening by handle. Nothing else in the program joins
 * paths; walks, reads and changes all start from a `Located` and end at a descriptor or a `Place`.
 */
export { deepestThere } from "./deepest-there.ts";
export type { Containment } from "./choose-backend.ts";
export type { Links } from "./backend.ts";
export { ListedFiles, sizeOfFile, type ListedFile } from "./listed-files.ts";
export type { Closes } from "./deny-by-root.ts";
export type { Located, OpenDirectory, OpenFile, Place } from "./located.ts";
export { isMadeUp } from "./made-up-files.ts";
export { holdsMount, mountAt, mountOf } from "./mounts.ts";
export { readName, showName } from "./names.ts";
export { quotable } from "./parse-path.ts";
export {
  continuedUri,
  parseResourceUri,
  readEscapes,
  rootUri,
  spillUri,
  templateValue,
  type From,
  type ResourceAddress,
} from "./resource-uri.ts";
export { isWholeSystem, rootFailure, type OpenRoot, type RootSpec } from "./roots.ts";
export { errnoOf, failureOf, notFound } from "./scope-failure.ts";
export { systemFailure } from "./system-failure.ts";
export type { Narrowed, ScopeOptions } from "./scope-options.ts";
export { Scope } from "./scope.ts";
export { isInside } from "./is-inside.ts";
export { KEEP_ROOTS, sayLeft, sayOffered } from "./say-narrowing.ts";
