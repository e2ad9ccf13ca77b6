/**
 * The memory: notes that are Markdown files of their owner, the marks above their entries, and the index over them. Nothing
 * here writes a note: that is a change set like any other (`txn/prepare/note.ts`). The search is imported when it is first asked
 * for, with the engine of its index.
 *
 * Read `namespace.ts` and `entries.ts` (what a note is), `walk-notes.ts` and `read-note.ts`; then
 * `search/search-memory.ts`. It may import `base`, `sys`, `text`, `scope`, `files`, `state` and `search`.
 */
import type * as memorySearch from "./search/search-memory.ts";

export { appendEntry, replaceEntries, type Origin } from "./entries.ts";
export { listNotes, type ListedNotes, type NotesAsked } from "./list-notes.ts";
export { fileOfNamespace, MAX_MEMORY_BYTES, MAX_NAMESPACES, namespaceOfFile } from "./namespace.ts";
export { openDocuments } from "./open-documents.ts";
export { readNote, type NoteAsked, type NoteRead } from "./read-note.ts";
export type { EmbedderAddress, EmbedderFolder, MemorySettings } from "./settings.ts";
export type { MemoryHit, MemoryHits, MemoryQuestion, MemorySearchContext } from "./search/search-memory.ts";
export type { MadeVectors, PendingAsk } from "./search/fill-vectors.ts";
export type { Pending } from "./search/vectors.ts";
export { memoryRoot, walkNotes } from "./walk-notes.ts";

export async function loadMemorySearch(): Promise<typeof memorySearch> {
  return await import("./search/search-memory.ts");
}
