/**
 * The only way from a caller's string to a file: roots, resolving, opening by handle. Nothing else in the program joins
 * paths; walks, reads and changes all start from a `Located` and end at a descriptor or a `Place`.
 *
 * Read in this order; nothing imports a later room: `paths/` (what a caller's string means, by its text alone), `backends/` (the
 * two ways of opening below a root), `limits/` (what is denied, and what a client's roots leave), `located.ts`, `failures/`
 * (errno to answer, and the nearest names), `scope.ts`, `listed-files.ts`. It may import `base`, `sys`, `text` and `pattern`.
 */
export { deepestThere } from "./failures/suggest.ts";
export type { Containment } from "./backends/choose-backend.ts";
export type { Links } from "./backends/backend.ts";
export { ListedFiles, sizeOfFile, type ListedFile } from "./listed-files.ts";
export type { Closes } from "./limits/deny.ts";
export type { Located, OpenDirectory, OpenFile, Place } from "./located.ts";
export { isMadeUp } from "./backends/made-up-files.ts";
export { holdsMount, mountAt, mountOf } from "./backends/mounts.ts";
export { readName, showName } from "./paths/names.ts";
export { quotable } from "./paths/parse-path.ts";
export {
  continuedUri,
  parseResourceUri,
  readEscapes,
  rootUri,
  spillUri,
  templateValue,
  type From,
  type ResourceAddress,
} from "./paths/resource-uri.ts";
export { isWholeSystem, rootFailure } from "./backends/roots.ts";
export type { OpenRoot, RootSpec } from "./backends/backend.ts";
export { errnoOf } from "../sys/index.ts";
export { failureOf, notFound } from "./failures/scope-failure.ts";
export { systemFailure } from "./failures/scope-failure.ts";
export type { Narrowed, ScopeOptions } from "./located.ts";
export { Scope } from "./scope.ts";
export { isInside } from "./limits/within.ts";
export { KEEP_ROOTS, sayLeft, sayOffered } from "./limits/within.ts";
