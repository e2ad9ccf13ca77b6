/**
 * Notes that last: Markdown files that a person can read, review, take back and prove where they came from.
 */
import * as z from "zod";
import { definePack, type Pack, type PackNetwork, type Tool, type MemorySettings } from "../../contract/index.ts";
import { memoryDelete } from "./delete.ts";
import { memoryList } from "./list.ts";
import { memoryRead } from "./read.ts";
import { memorySearch } from "./search.ts";
import { memoryWrite } from "./write.ts";

/** The tools that read files in the workers as a whole. */
export const memoryReads: readonly Tool[] = [memoryRead, memoryList];

export const memoryPack: Pack = definePack<MemorySettings>({
  name: "memory",
  title: "Memory",
  tools: [memoryRead, memoryList, memorySearch, memoryWrite, memoryDelete],
  brings: Object.fromEntries(
    ["read", "write", "search", "list", "delete"].flatMap((name) => [
      [`memory_${name}`, {}],
      [`memory.${name}`, {}],
    ]),
  ),
  powers: [],
  config: z.strictObject({
    folder: z
      .string()
      .min(1)
      .optional()
      .describe(
        "A folder inside a root that has the notes, for example docs/memory. Default: one in the state folder.",
      ),
    sources: z
      .array(z.string().min(1))
      .max(100)
      .optional()
      .describe('Patterns of documents in the roots that memory_search finds too, for example ["docs/**/*.md"].'),
    embedder: z
      .union([
        z.strictObject({
          url: z.url({ protocol: /^https?$/ }).describe("An address as OpenAI's /v1/embeddings."),
          model: z.string().min(1).describe("The name of the model there."),
          key: z
            .string()
            .regex(/^[A-Za-z_]\w*$/)
            .optional()
            .describe("The variable of the environment that holds its key."),
        }),
        z.strictObject({
          file: z
            .string()
            .min(1)
            .describe(
              "The absolute path of a folder with model.safetensors and tokenizer.json, as model2vec writes them.",
            ),
        }),
      ])
      .optional()
      .describe("Makes search by meaning. Default: words alone."),
  }),
  network: ({ embedder }) => networkOf(embedder),
  reads: ({ embedder }) => (embedder && "file" in embedder ? [embedder.file] : []),
  doctor: ({ folder, sources = [], embedder }) => [
    folder === undefined ? "notes are in the state folder" : `notes are in ${folder}`,
    ...(sources.length > 0 ? [`documents: ${sources.join(", ")}`] : []),
    embedder === undefined ? "search by words; by meaning is off: no embedder is configured" : embedderLine(embedder),
  ],
});

/** The address of the embedder, and nothing else. */
function networkOf(embedder: MemorySettings["embedder"]): PackNetwork | undefined {
  if (!embedder || "file" in embedder) return undefined;
  const { protocol, hostname, port } = new URL(embedder.url);
  const reach = [`${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`];
  if (embedder.key === undefined) return { reach };
  const headers = { authorization: `Bearer \${${embedder.key}}` };
  return { reach, credentials: { key: { hosts: reach, headers } } };
}

function embedderLine(embedder: NonNullable<MemorySettings["embedder"]>): string {
  return "file" in embedder
    ? `search by words, and by meaning with the model in ${embedder.file}`
    : `search by words, and by meaning with ${embedder.model} at ${embedder.url}`;
}
