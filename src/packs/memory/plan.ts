/**
 * What a start has to know of the pack `memory`.
 */
import * as z from "zod/mini";
import { described } from "../../contract/described.ts";
import type { MemorySettings, PackNetwork, PackPlan } from "../../contract/index.ts";
import { credentialHosts, hostOf } from "../endpoint-settings.ts";

export const MEMORY_PLAN: PackPlan<MemorySettings> = {
  name: "memory",
  title: "Memory",
  config: {
    usual: { folder: undefined, sources: undefined, embedder: undefined },
    keys: {
      folder: () =>
        described(
          z.string().check(z.minLength(1)),
          "A folder inside a root that has the notes, for example docs/memory. Default: one in the state folder.",
        ),
      sources: () =>
        described(
          z.array(z.string().check(z.minLength(1))).check(z.maxLength(100)),
          'Patterns of documents in the roots that memory_search finds too, for example ["docs/**/*.md"].',
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
    url: described(z.url({ protocol: /^https?$/ }), "An address as OpenAI's /v1/embeddings."),
    model: described(z.string().check(z.minLength(1)), "The name of the model there."),
    key: described(
      z.optional(z.string().check(z.regex(/^[A-Za-z_]\w*$/))),
      "The variable of the environment that holds its key.",
    ),
  });
  const file = described(
    z.string().check(z.minLength(1)),
    "The absolute path of a folder with model.safetensors and tokenizer.json, as model2vec writes them.",
  );
  return described(z.union([service, z.strictObject({ file })]), "Makes search by meaning. Default: words alone.");
}
