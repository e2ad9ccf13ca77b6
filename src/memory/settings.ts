/**
 * What the configuration may say of the memory, under `packs.memory`.
 */

/** An address that makes vectors of texts, as OpenAI's `/v1/embeddings` does. */
export interface EmbedderAddress {
  readonly url: string;
  readonly model: string;
  /** The name of the variable of the environment that holds its key. */
  readonly key?: string | undefined;
}

/** A folder with a static model: `model.safetensors` and `tokenizer.json`, as model2vec writes them. */
export interface EmbedderFolder {
  readonly file: string;
}

export interface MemorySettings {
  /** A folder inside a root that has the notes. Default: one in the state folder. */
  readonly folder?: string | undefined;
  /** Patterns of documents in the roots that are searched too. */
  readonly sources?: readonly string[] | undefined;
  readonly embedder?: EmbedderAddress | EmbedderFolder | undefined;
}
