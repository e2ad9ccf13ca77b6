/**
 * Which documents of the index a tool may see: the index is about all of them, and whoever asks has only what the rules leave.
 * Each document is asked about once for each scope, which goes by its name alone and never changes.
 *
 * Usual mistake: to look at rules for an answer alone. What is sent to an embedder elsewhere is shown to somebody as well.
 */
import { Failure } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { memoryRoot } from "./walk-notes.ts";

/** By its name in the index: `note:NAMESPACE` or `file:PATH`. */
export type IsOpenDocument = (name: string) => boolean;

/** More than the notes of a memory and the documents beside them are; what is gone is among them. */
const MAX_KNOWN = 50_000;

const knownIn = new WeakMap<Scope, Map<string, boolean>>();

export function openDocuments(scope: Scope): IsOpenDocument {
  const top = scope.absolute(memoryRoot(scope));
  const known = knownIn.get(scope) ?? new Map<string, boolean>();
  knownIn.set(scope, known);
  return (name) => {
    let isOpen = known.get(name);
    if (isOpen !== undefined) return isOpen;
    isOpen = canBeSeen(scope, top, name);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, isOpen);
    return isOpen;
  };
}

function canBeSeen(scope: Scope, top: string, name: string): boolean {
  const path = name.startsWith("note:") ? `${top}/${name.slice("note:".length)}.md` : name.slice("file:".length);
  try {
    scope.locate(path, "search");
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure) return false;
    throw thrown;
  }
}
