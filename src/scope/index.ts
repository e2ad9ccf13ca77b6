/**
 * The only way from a caller's string to a file: roots, resolving, opening by handle. Nothing else in the program joins
 * paths; walks, reads and changes all start from a `Located` and end at a descriptor or a `Place`.
 *
 * Read in this order: `parse-path.ts` and `names.ts` (what a caller's string means, by its text alone), `backend.ts`
 * with its two kinds and `expand-links.ts` (opening below a root), `deny.ts` and `within.ts` (what is taken away),
 * `scope.ts`, `scope-failure.ts` (errno to answer). It may import `base`, `sys`, `text` and `pattern`.
 */
export { procPath } from "./handle-backend.ts";
export { errnoOf } from "../sys/index.ts";
export type { Links, Located, OpenDirectory, OpenFile, OpenRoot, Place, RootSpec } from "./backend.ts";
export { globOverRoot, type Closes } from "./deny.ts";
export { ListedFiles, sizeOfFile, type ListedFile } from "./listed-files.ts";
export { holdsMount, isMadeUp, mountAt, mountOf } from "./mounts.ts";
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
} from "./names.ts";
export { resolveNew } from "./resolve-new.ts";
export { holdsRoot, isReadOnly, isWholeSystem, rootFailure, type Containment, type ScopeOptions } from "./roots.ts";
export { deepestThere, failureOf, refuseNoDirectory, systemFailure } from "./scope-failure.ts";
export { Scope } from "./scope.ts";
export { isInside, KEEP_ROOTS, sayLeft, sayOffered, type Narrowed } from "./within.ts";
