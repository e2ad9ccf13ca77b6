/**
 * Notes that last: Markdown files that a person can read, review, take back and prove where they came from.
 */
import { definePack, type MemorySettings, type Pack } from "../../contract/index.ts";
import { memoryDelete } from "./delete.ts";
import { memoryList } from "./list.ts";
import { MEMORY_PLAN } from "../plans.ts";
import { memoryRead } from "./read.ts";
import { memorySearch } from "./search.ts";
import { memoryWrite } from "./write.ts";

export const memoryPack: Pack = definePack({
  ...MEMORY_PLAN,
  tools: ({ embedder }) => [memoryRead, memoryList, memorySearch(embedder), memoryWrite, memoryDelete],
  powers: [],
  doctor: ({ folder, sources = [], embedder }) => [
    folder === undefined ? "notes are in the state folder" : `notes are in ${folder}`,
    ...(sources.length > 0 ? [`documents: ${sources.join(", ")}`] : []),
    embedder === undefined ? "search by words; by meaning is off: no embedder is configured" : embedderLine(embedder),
  ],
});

function embedderLine(embedder: NonNullable<MemorySettings["embedder"]>): string {
  return "file" in embedder
    ? `search by words, and by meaning with the model in ${embedder.file}`
    : `search by words, and by meaning with ${embedder.model} at ${embedder.url}`;
}
