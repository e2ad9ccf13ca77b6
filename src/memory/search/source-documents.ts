/**
 * Documents of the roots that the configuration names, to be searched beside the notes. They are found as `glob` finds files:
 * what ignore files leave out, what is denied and what holds secrets is not among them.
 *
 * Usual mistake: to give each pattern and each root a bound of its own. What is kept for documents is bounded by all of them.
 */
import { Failure } from "../../base/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import { glob, type SearchContext } from "../../search/index.ts";
import type { Document } from "./update-index.ts";

/** By all patterns in all roots. More are not indexed, and said. */
const MAX_DOCUMENTS = 10_000;
/** A longer document is data, and said as well. */
const MAX_DOCUMENT_BYTES: number = 4 * 1024 * 1024;
const LIST_BYTES: number = 16 * 1024 * 1024;

export interface SourceDocuments {
  readonly documents: readonly Document[];
  /** Names of documents that are too large to be indexed. */
  readonly large: readonly string[];
  readonly isWhole: boolean;
}

export async function sourceDocuments(
  ctx: SearchContext,
  patterns: readonly string[],
  read: (scope: Scope, at: Located) => string | undefined,
): Promise<SourceDocuments> {
  const found = new Map<string, Document>();
  let isWhole = true;
  const bounds = { usualBytes: LIST_BYTES, mostBytes: LIST_BYTES };
  for (const { handle, isMemory } of ctx.scope.roots)
    for (const pattern of isMemory ? [] : patterns) {
      const { paths, truncated } = await glob(
        { ...ctx, bounds },
        { pattern, path: handle.canonical, sort: "name", limit: MAX_DOCUMENTS },
      );
      isWhole &&= !truncated;
      for (const path of paths) {
        const document = documentAt(ctx.scope, path, read);
        if (!document || found.has(document.name)) continue;
        if (found.size === MAX_DOCUMENTS) return divided(found, false);
        found.set(document.name, document);
      }
    }
  return divided(found, isWhole);
}

function divided(found: ReadonlyMap<string, Document>, isWhole: boolean): SourceDocuments {
  const [large = [], documents = []] = [true, false].map((isLarge) =>
    [...found.values()].filter(({ size }) => size > MAX_DOCUMENT_BYTES === isLarge),
  );
  return { documents, large: large.map(({ name }) => name), isWhole };
}

function documentAt(scope: Scope, path: string, read: (scope: Scope, at: Located) => string | undefined) {
  try {
    const at = scope.locate(path, "search");
    const stat = scope.lstat(at, "search");
    if (!stat.isFile()) return undefined;
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
