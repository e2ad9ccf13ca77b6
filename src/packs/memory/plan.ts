/**
 * What a start has to know of the pack `memory`.
 */
import * as z from "zod/mini";
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
          .check(
            z.minLength(1),
            z.describe(
              "A folder inside a root that has the notes, for example docs/memory. Default: one in the state folder.",
            ),
          ),
      sources: () =>
        z
          .array(z.string().check(z.minLength(1)))
          .check(
            z.maxLength(100),
            z.describe(
              'Patterns of documents in the roots that memory_search finds too, for example ["docs/**/*.md"].',
            ),
          ),
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

function embedderSchema(): z.ZodMiniType<NonNullable<MemorySettings["embedder"]>> {
  const service = z.strictObject({
    url: z.url({ protocol: /^https?$/ }).check(z.describe("An address as OpenAI's /v1/embeddings.")),
    model: z.string().check(z.minLength(1), z.describe("The name of the model there.")),
    key: z
      .optional(z.string().check(z.regex(/^[A-Za-z_]\w*$/)))
      .check(z.describe("The variable of the environment that holds its key.")),
  });
  const file = z
    .string()
    .check(
      z.minLength(1),
      z.describe("The absolute path of a folder with model.safetensors and tokenizer.json, as model2vec writes them."),
    );
  return z
    .union([service, z.strictObject({ file })])
    .check(z.describe("Makes search by meaning. Default: words alone."));
}
