/**
 * Documents of the roots that the configuration names, to be searched beside the notes. They are found as `glob` finds files:
 * what ignore files leave out, what is denied and what holds secrets is not among them.
 */
import { Failure } from "../../base/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import { glob, type SearchContext } from "../../search/index.ts";
import type { Document } from "./update-index.ts";

/** More are not indexed, and said. */
const MAX_DOCUMENTS = 10_000;
/** A longer document is data. */
const MAX_DOCUMENT_BYTES: number = 4 * 1024 * 1024;
const LIST_BYTES: number = 16 * 1024 * 1024;

interface Sources {
  readonly documents: readonly Document[];
  readonly isWhole: boolean;
  readonly notes: readonly string[];
}

export async function sourceDocuments(
  ctx: SearchContext,
  patterns: readonly string[],
  read: (scope: Scope, at: Located) => string | undefined,
): Promise<Sources> {
  const found = new Map<string, Document>();
  const notes: string[] = [];
  let isWhole = true;
  const bounds = { usualBytes: LIST_BYTES, mostBytes: LIST_BYTES };
  for (const { handle, isMemory } of ctx.scope.roots)
    for (const pattern of isMemory ? [] : patterns) {
      const { paths, truncated } = await glob(
        { ...ctx, bounds },
        { pattern, path: handle.canonical, sort: "name", limit: MAX_DOCUMENTS },
      );
      isWhole &&= !truncated;
      if (truncated) notes.push(`${pattern} names more documents than are indexed`);
      for (const path of paths) {
        const document = documentAt(ctx.scope, path, read);
        if (document) found.set(document.name, document);
      }
    }
  return { documents: [...found.values()], isWhole, notes };
}

function documentAt(scope: Scope, path: string, read: (scope: Scope, at: Located) => string | undefined) {
  try {
    const at = scope.locate(path, "search");
    const stat = scope.lstat(at, "search");
    if (!stat.isFile() || stat.size > MAX_DOCUMENT_BYTES) return undefined;
    return {
      name: `file:${scope.absolute(at)}`,
      size: Number(stat.size),
      mtimeMs: Number(stat.mtimeMs),
      read: () => read(scope, at),
    };
  } catch (thrown) {
    // What went meanwhile is no document.
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}
