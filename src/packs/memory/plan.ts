/**
 * What a start has to know of the pack `memory`.
 */
import * as z from "zod";
import type { MemorySettings, PackNetwork, PackPlan } from "../../contract/index.ts";
import { credentialHosts, hostOf } from "../endpoint-settings.ts";

export const MEMORY_PLAN: PackPlan<MemorySettings> = {
  name: "memory",
  title: "Memory",
  config: {
    usual: { folder: undefined, sources: undefined, embedder: undefined },
    keys: {
      folder: () =>
        z
          .string()
          .min(1)
          .describe(
            "A folder inside a root that has the notes, for example docs/memory. Default: one in the state folder.",
          ),
      sources: () =>
        z
          .array(z.string().min(1))
          .max(100)
          .describe('Patterns of documents in the roots that memory_search finds too, for example ["docs/**/*.md"].'),
      embedder: embedderSchema,
    },
  },
  network: ({ embedder }) => networkOf(embedder),
  reads: ({ embedder }) => (embedder && "file" in embedder ? [embedder.file] : []),
};

/** The address of the embedder, and nothing else. */
function networkOf(embedder: MemorySettings["embedder"]): PackNetwork | undefined {
  if (!embedder || "file" in embedder) return undefined;
  const reach = [hostOf(embedder.url)];
  if (embedder.key === undefined) return { reach };
  const headers = { authorization: `Bearer \${${embedder.key}}` };
  return { reach, credentials: { key: { ...credentialHosts(embedder.url), headers } } };
}

function embedderSchema(): z.ZodType<NonNullable<MemorySettings["embedder"]>> {
  const service = z.strictObject({
    url: z.url({ protocol: /^https?$/ }).describe("An address as OpenAI's /v1/embeddings."),
    model: z.string().min(1).describe("The name of the model there."),
    key: z
      .string()
      .regex(/^[A-Za-z_]\w*$/)
      .optional()
      .describe("The variable of the environment that holds its key."),
  });
  const file = z
    .string()
    .min(1)
    .describe("The absolute path of a folder with model.safetensors and tokenizer.json, as model2vec writes them.");
  return z.union([service, z.strictObject({ file })]).describe("Makes search by meaning. Default: words alone.");
}
